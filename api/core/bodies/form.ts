import type { Writable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { multipart } from 'formidable';
import type { Part } from 'formidable';
import { koaBody } from 'koa-body';
import { TooLarge } from '../../../shared/core/values/errors.js';
import { ConnectionLost } from '../http-errors.js';
import { MAX_KEYS, NestedParams, tooManyKeys } from '../nested-params.js';
import type { RequestParameters } from '../nested-params.js';
import { guarded } from './guard.js';
import type { Body } from './guard.js';
import { readPartHead } from './part-headers.js';
import type { PartHead } from './part-headers.js';
import { mismatch } from './read-body.js';

/** Bytes in which no part begins, goes on or ends: more are no head of a part, nor what may stand around the parts. */
const SILENT_BYTES = 256 * 1024;

/** The library reads heads piece by piece into text: as bytes, which make UTF-8 together. */
const BYTES = 'binary';
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws BadParams for what is no UTF-8 */
function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw mismatch();
  }
}

/**
 * The library's own plugin, but for its search for file names in heads: that takes time by the square of a head's
 * length, and heads are read here.
 */
function multipartWithoutNames(this: unknown, form: { _getFileName: unknown }, options: unknown): unknown {
  form._getFileName = () => null;
  return (multipart as (...args: unknown[]) => unknown).call(this, form, options);
}

function headOf({ headers }: { headers: Record<string, string> }): PartHead {
  const head = readPartHead((name) => textOf(Buffer.from(headers[name] ?? '', BYTES)));
  if (!head) throw mismatch();
  return head;
}

/**
 * Where a file goes, by the head of its part. The client waits while it takes no more.
 * @throws what refuses the form
 */
export type OpenFile = (head: PartHead) => Writable;

/** What a form may hold. */
interface FormTerms {
  /** Bytes of the whole body; of fields and heads the body's own limit holds. */
  limit: number;
  /** Bytes of its files together. */
  fileBytes: number;
  /** They stay in memory. */
  filesAreHeld: boolean;
}

/** A multipart body (RFC 7578), taken apart by koa-body: fields are kept within bounds, files go on as they come. */
export class Form {
  /** In the order of the body: a list of hashes depends on it. */
  #fields: { name: string; value: string }[] = [];
  #parts = 0;
  #bytes = 0;
  #fileBytes = 0;
  #silent = 0;
  #problem: unknown;

  /** @throws BadParams where the type does not say what stands between the parts (RFC 2046 section 5.1.1) */
  constructor(
    private readonly body: Body,
    private readonly terms: FormTerms,
    private readonly openFile: OpenFile,
  ) {
    if (!/;\s*boundary=(?:"[^"]{1,70}"|[^\s;"]{1,70})/i.test(body.koa.get('content-type'))) throw mismatch();
  }

  /** Reads all of it. @throws BadParams, TooLarge, BodyTooSlow, ConnectionLost, Overloaded, and what `openFile` throws */
  async read(): Promise<void> {
    const { koa } = this.body;
    const parser = koaBody({
      multipart: true,
      parsedMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as never,
      formidable: {
        encoding: BYTES,
        enabledPlugins: [multipartWithoutNames] as never,
        onPart: (part) => this.#guard(() => this.#take(part)),
      },
      // Of its own errors none is ours: the body is not what it says.
      onError: () =>
        this.#guard(() => {
          throw mismatch();
        }),
    });
    const inspect = (piece: Buffer | null) => {
      this.#silent += piece?.length ?? 0;
      if (this.#silent > SILENT_BYTES + (piece?.length ?? 0)) throw mismatch();
      if (this.#problem !== undefined) throw this.#problem;
    };
    await guarded(this.body, { limit: this.terms.limit, inspect }, async () => {
      await parser(koa, () => Promise.resolve());
      if (this.#problem !== undefined) throw this.#problem;
      // A type that the library cannot read to its end: it left the body.
      if (koa.request.files === undefined) throw mismatch();
    });
  }

  /** The fields that have ended, those of an earlier call left out. */
  takeFields(): RequestParameters {
    const params = new NestedParams();
    for (const { name, value } of this.#fields.splice(0)) params.add(name, value);
    return params.parameters;
  }

  #take(part: Part): void {
    this.#parts += 1;
    if (this.#parts > MAX_KEYS) throw tooManyKeys();
    const { headers } = part as unknown as { headers: Record<string, string> };
    this.#keep(Object.values(headers).reduce((sum, value) => sum + value.length, 0));
    const head = headOf({ headers });
    if (head.filename === null) this.#takeField(part, head);
    // A browser's file field in which nothing was chosen is no part.
    else if (head.filename !== '') this.#takeFile(part, this.openFile(head));
  }

  #takeField(part: Part, { name }: PartHead): void {
    const chunks: Buffer[] = [];
    part.on('data', (bytes: Buffer) =>
      this.#guard(() => {
        this.#keep(bytes.length);
        chunks.push(bytes);
      }),
    );
    part.on('end', () => this.#guard(() => this.#fields.push({ name, value: textOf(Buffer.concat(chunks)) })));
  }

  #takeFile(part: Part, file: Writable): void {
    const { req: request } = this.body.koa;
    const goOn = () => request.resume();
    part.on('data', (bytes: Buffer) =>
      this.#guard(() => {
        // Whoever read it wants no more.
        if (file.destroyed) throw file.errored ?? new ConnectionLost();
        this.#fileBytes += bytes.length;
        if (this.#fileBytes > this.terms.fileBytes) throw new TooLarge();
        if (this.terms.filesAreHeld) this.body.claim.take(bytes.length);
        if (file.write(bytes)) return;
        request.pause();
        file.once('drain', goOn).once('close', goOn);
      }),
    );
    part.on('end', () => file.end());
  }

  #keep(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.body.limit) throw new TooLarge();
    this.body.claim.take(bytes);
  }

  /** The first problem ends the form. */
  #guard(work: () => void): void {
    this.#silent = 0;
    if (this.#problem !== undefined) return;
    try {
      work();
    } catch (error) {
      this.#problem = error;
      this.body.koa.req.emit('error', error);
    }
  }
}
