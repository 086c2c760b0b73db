import { PassThrough } from 'node:stream';
import { multipart } from 'formidable';
import type { Part } from 'formidable';
import type { Context as KoaContext } from 'koa';
import { koaBody } from 'koa-body';
import { mismatch } from './read-body.js';

/** Gets what a multipart body consists of, in its order. */
export interface PartReader {
  /** The lines of a part's head that tell what it is, as they came. */
  head(bytes: Buffer): void;
  data(bytes: Buffer): void;
  end(): void;
}

/** Bytes in which no part begins, goes on or ends: more are no head of a part, nor what may stand around the parts. */
const SILENT_BYTES = 64 * 1024;
const HEAD_LINES = ['content-disposition', 'content-type', 'content-transfer-encoding'] as const;

/** The library reads heads byte by byte into text; what the bytes mean is for the reader to say. */
const BYTES = 'binary';

function headOf(part: Part): Buffer {
  const { headers } = part as unknown as { headers: Record<string, string> };
  const lines = HEAD_LINES.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${headers[name]}`]));
  return Buffer.from(lines.join('\r\n'), BYTES);
}

/**
 * The library's own plugin, but for its search for file names in heads: that expression takes time by the square of a
 * head's length, and the reader looks for itself.
 */
function multipartWithoutNames(this: unknown, form: { _getFileName: unknown }, options: unknown): unknown {
  form._getFileName = () => null;
  return (multipart as (...args: unknown[]) => unknown).call(this, form, options);
}

const parser = (onPart: (part: Part) => void) =>
  koaBody({
    multipart: true,
    json: false,
    urlencoded: false,
    text: false,
    patchNode: false,
    patchKoa: false,
    parsedMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as never,
    // Sizes are counted by the reader, which knows what they are for.
    formidable: { encoding: BYTES, enabledPlugins: [multipartWithoutNames], onPart } as never,
  });

/**
 * Has koa-body take a multipart body apart as it is written here. The first error, of the body or of the reader, ends it.
 */
export class FormParts {
  readonly #source = new PassThrough();
  readonly #parsed: Promise<void>;
  #problem: Error | null = null;
  #silent = 0;

  constructor(
    koa: KoaContext,
    private readonly reader: PartReader,
  ) {
    const { method } = koa.req;
    // Its length is not for the library to count; without one it takes a body for empty.
    const headers = { 'content-type': koa.req.headers['content-type'], 'content-length': '1' };
    const request = Object.assign(this.#source, { headers, method });
    const context = {
      req: request,
      request: { req: request, headers },
      method,
      is: koa.is.bind(koa),
      get: koa.get.bind(koa),
    };
    this.#parsed = parser((part) => this.#take(part))(context as never, () => Promise.resolve()).then(
      () => undefined,
      () => {
        // Of its own errors none is ours: the body is not what it says.
        this.#problem ??= mismatch();
      },
    );
  }

  /** @returns what to wait for before more is written @throws what the reader threw, BadParams */
  write(piece: Buffer): Promise<void> | undefined {
    this.#check();
    this.#silent += piece.length;
    if (this.#silent > SILENT_BYTES + piece.length) throw mismatch();
    if (this.#source.write(piece)) return undefined;
    const drained = new Promise<void>((resolve) => this.#source.once('drain', resolve));
    return Promise.race([drained, this.#parsed]).then(() => this.#check());
  }

  /** Waits for the last part. @throws as {@link write} does */
  async finish(): Promise<void> {
    this.#source.end();
    await this.#parsed;
    this.#check();
  }

  /** Nothing more comes. */
  stop(): void {
    this.#source.destroy();
  }

  #check(): void {
    if (this.#problem) throw this.#problem;
  }

  #take(part: Part): void {
    this.#guard(() => this.reader.head(headOf(part)));
    part.on('data', (bytes: Buffer) => this.#guard(() => this.reader.data(bytes)));
    part.on('end', () => this.#guard(() => this.reader.end()));
  }

  #guard(work: () => void): void {
    this.#silent = 0;
    if (this.#problem) return;
    try {
      work();
    } catch (error) {
      this.#problem = error as Error;
      this.#source.destroy(this.#problem);
    }
  }
}
