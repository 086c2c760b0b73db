import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { TextDecoder } from 'node:util';
import type { File, Part } from 'formidable';
import type { Context as KoaContext } from 'koa';
import { koaBody } from 'koa-body';
import type { Services } from '../../shared/core/context.js';
import { BadParams, TooLarge } from '../../shared/core/errors.js';
import { Upload } from '../../shared/core/upload.js';
import { ConnectionLost } from './http-errors.js';
import { MAX_KEYS, NestedParams, tooManyKeys } from './nested-params.js';
import type { Bag } from './nested-params.js';
import { BODY_BYTES, mismatch } from './read-body.js';

/** Fields in the order of the body: a list of hashes depends on it. */
type Fields = { name: string; value: string | Upload }[];

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Collects a form's parts; the first thing that is wrong is told once the whole body has come. */
class Parts {
  readonly fields: Fields = [];
  problem: Error | undefined;
  #bytes = 0;

  constructor(private readonly fileNames: readonly string[]) {}

  take(part: Part, store: (part: Part) => void): void {
    const name = part.name ?? '';
    if (part.originalFilename === null) return this.#field(name, part);
    // A browser's file field in which nothing was chosen.
    if (part.originalFilename === '') return;
    if (!this.fileNames.includes(name)) {
      this.problem ??= new BadParams([`${name} is invalid`]);
      return;
    }
    part.mimetype ||= 'application/octet-stream';
    store(part);
  }

  #field(name: string, part: Part) {
    const at = this.fields.push({ name, value: '' }) - 1;
    if (at >= MAX_KEYS) this.problem ??= tooManyKeys();
    const chunks: Buffer[] = [];
    part.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#bytes > BODY_BYTES) this.problem ??= new TooLarge();
      if (!this.problem) chunks.push(chunk);
    });
    part.on('end', () => this.#finish(at, name, chunks));
  }

  #finish(at: number, name: string, chunks: Buffer[]) {
    if (this.problem) return;
    try {
      this.fields[at] = { name, value: decoder.decode(Buffer.concat(chunks)) };
    } catch {
      this.problem = mismatch();
    }
  }

  bag(uploads: ReadonlyMap<string, Upload>): Bag {
    const params = new NestedParams();
    for (const { name, value } of this.fields) params.add(name, value);
    for (const [name, upload] of uploads) params.add(name, upload);
    return params.bag;
  }
}

/** Part headers and boundaries, beyond what the parts hold. */
const OVERHEAD_BYTES = 1024 * 1024;

/** Ends parsing when far more comes than the parts may hold, such as one endless part header. */
function limitTotal(koa: KoaContext, parts: Parts, limit: number) {
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limit || parts.problem instanceof TooLarge) return;
    parts.problem = new TooLarge();
    // The parser listens for this: it closes its files, and lets the rest of the body through.
    koa.req.emit('error', parts.problem);
  };
  // Not before the parser listens: the first listener starts the flow.
  koa.req.once('resume', () => koa.req.on('data', count));
}

async function parse(koa: KoaContext, parts: Parts, directory: string, limit: number): Promise<Map<string, Upload>> {
  const parser = koaBody({
    multipart: true,
    json: false,
    urlencoded: false,
    text: false,
    patchNode: false,
    patchKoa: true,
    parsedMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as never,
    formidable: {
      uploadDir: directory,
      allowEmptyFiles: true,
      minFileSize: 0,
      maxFileSize: limit,
      maxTotalFileSize: limit,
      onPart: (part, store) => parts.take(part, store),
    },
  });
  await parser(koa as never, () => Promise.resolve());
  const files = (koa.request as { files?: Record<string, File | File[]> }).files ?? {};
  return new Map(
    Object.entries(files).map(([name, given]) => {
      const file = (Array.isArray(given) ? given.at(-1) : given) as File;
      return [name, new Upload(file.filepath, file.originalFilename ?? '', file.mimetype ?? '', file.size)];
    }),
  );
}

function failure(error: unknown): Error {
  const { httpCode, code } = error as { httpCode?: number; code?: number | string };
  if (httpCode === 413) return new TooLarge();
  // The parser's number for a client that went away.
  if (code === 1002 || code === 'ECONNRESET') return new ConnectionLost();
  return httpCode === undefined ? (error as Error) : mismatch();
}

/** Files lie in a folder of the request's own, which goes when it is answered. */
async function makeDirectory(services: Services): Promise<string> {
  const incoming = path.join(services.config.dataDir, 'incoming');
  await mkdir(incoming, { recursive: true });
  return mkdtemp(path.join(incoming, 'request-'));
}

export interface MultipartBody {
  bag: Bag;
  /** Removes the files; null where there can be none. */
  cleanUp: (() => Promise<void>) | null;
}

/**
 * A multipart body: fields nested like those of a form, and files for the parameters that the operation declares
 * as such. A file for anything else is refused.
 * @param fileNames the parameters that may be files
 * @param fileBytes how large files may be; 0 is unlimited
 */
export async function readMultipart(
  koa: KoaContext,
  services: Services,
  fileNames: readonly string[],
  fileBytes: number,
): Promise<MultipartBody> {
  const parts = new Parts(fileNames);
  const takesFiles = fileNames.length > 0;
  const limit = takesFiles ? fileBytes || Number.MAX_SAFE_INTEGER : 1;
  const total = BODY_BYTES + OVERHEAD_BYTES + (takesFiles ? limit : 0);
  if (Number(koa.get('content-length')) > total) throw new TooLarge();
  const directory = takesFiles ? await makeDirectory(services) : '';
  const cleanUp = takesFiles ? () => rm(directory, { recursive: true, force: true }) : null;
  try {
    limitTotal(koa, parts, total);
    const uploads = await parse(koa, parts, directory, limit);
    if (parts.problem) throw parts.problem;
    return { bag: parts.bag(uploads), cleanUp };
  } catch (error) {
    await cleanUp?.();
    throw parts.problem ?? failure(error);
  }
}
