import { unescape } from 'node:querystring';
import type { Writable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { multipart } from 'formidable';
import type { Part } from 'formidable';
import { koaBody } from 'koa-body';
import { TooLarge } from '../../../shared/core/values/errors.js';
import { ConnectionLost } from '../http-errors.js';
import { NestedParams } from '../nested-params.js';
import { guarded, mismatch } from './guard.js';
import type { Attempt, Body } from './guard.js';
import { PARSED_METHODS } from './read-body.js';

/** Boundaries and heads of a form, beyond fields and files. */
export const OVERHEAD_BYTES = 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The headers of a part. A file field without a chosen file has an empty file name. */
export interface PartHead {
  name: string;
  filename: string | null;
  mediaType: string;
}

/** `; name="a"`, with or without escaped quotes, and `; name=a`. No character is read more than twice. */
const PARAMETER = /;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|(?!")([^;]*))/g;

/** Characters of the header that are scanned in one pass. */
const MAX_DISPOSITION = 256 * 1024;

/** Decodes the header bytes of a part. @throws BadParams if it is not a valid form part (RFC 7578) */
function readPartHead(headers: Record<string, string>): PartHead {
  const disposition = utf8.decode(Buffer.from(headers['content-disposition'] ?? '', 'latin1'));
  if (!/^\s*form-data\b/i.test(disposition) || disposition.length > MAX_DISPOSITION) throw mismatch();
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of disposition.matchAll(PARAMETER))
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(["\\])/g, '$1') ?? plain.trim());
  // So browsers write what no quoted text may hold, and some programs any name: `UTF-8''na%C3%AFve.txt` (RFC 5987).
  const unquoted = (name: string) => parameters.get(name)?.replace(/%(?:22|0D|0A)/gi, unescape);
  const filename = unquoted('filename') ?? parameters.get('filename*')?.split("'").slice(2, 3).map(unescape)[0];
  return {
    name: unquoted('name') ?? '',
    // Old clients send the whole path as the file name.
    filename: filename?.slice(filename.lastIndexOf('\\') + 1) ?? null,
    mediaType: headers['content-type']?.trim() || 'application/octet-stream',
  };
}

/** Leaves out the library's search for file names, which takes time by the square of a head's length. */
const skipFileNames = (form: { _getFileName: unknown }) => void (form._getFileName = () => null);

/**
 * Destination of a file: a stream, with backpressure on the client; or a callback that receives the whole file, like a
 * field.
 */
type OpenFile = (head: PartHead) => Writable | ((content: Buffer) => void);

/**
 * A multipart body (RFC 7578), parsed by koa-body. Everything that is not piped to streams is held in memory, within
 * the body's limit.
 */
export class Form {
  /** Those that have ended. */
  readonly fields = new NestedParams();
  #heldBytes = 0;
  #fileBytes = 0;

  /**
   * @param limits bytes of the whole body, and of its files together
   * @param openFile what it throws ends the form
   */
  constructor(
    private readonly body: Body,
    private readonly limits: { limit: number; fileBytes: number },
    private readonly openFile: OpenFile,
  ) {}

  /** Reads all of it. @throws BadParams, TooLarge, BodyTooSlow, ConnectionLost, Overloaded, and what `openFile` throws */
  async read(): Promise<void> {
    const { koa } = this.body;
    const inspect = (piece: Buffer) => this.#hold(piece.length);
    await guarded(this.body, this.limits.limit, inspect, async (attempt) => {
      const parser = koaBody({
        multipart: true,
        parsedMethods: PARSED_METHODS,
        formidable: {
          // Heads come piece by piece: as bytes, which make UTF-8 together.
          encoding: 'binary',
          enabledPlugins: [skipFileNames, multipart] as never,
          onPart: (part) => attempt(() => this.#takePart(part, attempt)),
        },
      });
      await parser(koa, () => Promise.resolve());
      // A type that the library cannot read to its end: it left the body.
      if (koa.request.files === undefined) throw mismatch();
    });
  }

  #hold(bytes: number): void {
    this.#heldBytes += bytes;
    if (this.#heldBytes > this.body.limit) throw new TooLarge();
    this.body.claim.take(bytes);
  }

  #takePart(part: Part, attempt: Attempt): void {
    const { req: request } = this.body.koa;
    const head = readPartHead((part as unknown as { headers: Record<string, string> }).headers);
    if (head.filename === '') return this.fields.add('', null);
    const addField = (content: Buffer) => this.fields.add(head.name, utf8.decode(content));
    const target = head.filename === null ? addField : this.openFile(head);
    const chunks: Buffer[] = [];
    const take = (bytes: Buffer) => {
      if (head.filename !== null) this.#fileBytes += bytes.length;
      if (this.#fileBytes > this.limits.fileBytes) throw new TooLarge();
      if (typeof target === 'function') return void chunks.push(bytes);
      this.#hold(-bytes.length);
      // The reader has closed the stream.
      if (target.destroyed) throw target.errored ?? new ConnectionLost();
      if (!target.write(bytes)) request.pause();
    };
    const end = () => void (typeof target === 'function' ? target(Buffer.concat(chunks)) : target.end());
    part.on('data', (bytes: Buffer) => attempt(() => take(bytes))).on('end', () => attempt(end));
    const resume = () => attempt(() => void request.resume());
    if (typeof target !== 'function') target.on('drain', resume).on('close', resume);
  }
}
