import { unescape } from 'node:querystring';
import type { Writable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { multipart } from 'formidable';
import type { Part } from 'formidable';
import { koaBody } from 'koa-body';
import { TooLarge } from '../../../shared/core/values/errors.js';
import { ConnectionLost } from '../http-errors.js';
import { NestedParams } from '../nested-params.js';
import { guardBody, mismatch } from './guard.js';
import type { Attempt, Body } from './guard.js';
import { PARSED_METHODS } from './read-body.js';

/** Bytes allowed for boundaries and part headers of a form, in addition to its fields and files. */
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

/** Maximum length of a `Content-Disposition` header, which is scanned in one pass. */
const MAX_DISPOSITION = 256 * 1024;

/** Decodes the header bytes of a part. @throws BadParams if it is not a valid form part (RFC 7578) */
function readPartHead(headers: Record<string, string>): PartHead {
  const disposition = utf8.decode(Buffer.from(headers['content-disposition'] ?? '', 'latin1'));
  if (!/^\s*form-data\b/i.test(disposition) || disposition.length > MAX_DISPOSITION) throw mismatch();
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of disposition.matchAll(PARAMETER))
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(["\\])/g, '$1') ?? plain.trim());
  // Browsers percent-encode what a quoted name must not contain. Some programs send any file name in the extended
  // notation, `UTF-8''na%C3%AFve.txt` (RFC 5987).
  const decoded = (name: string) => parameters.get(name)?.replace(/%(?:22|0D|0A)/gi, unescape);
  const filename = decoded('filename') ?? parameters.get('filename*')?.split("'").slice(2, 3).map(unescape)[0];
  return {
    name: decoded('name') ?? '',
    // Old clients send the whole path as the file name.
    filename: filename?.slice(filename.lastIndexOf('\\') + 1) ?? null,
    mediaType: headers['content-type']?.trim() || 'application/octet-stream',
  };
}

/** Disables the library's search for file names, whose time grows with the square of the header length. */
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
  /** The fields that were received completely. */
  readonly fields = new NestedParams();
  #heldBytes = 0;
  #fileBytes = 0;

  /**
   * @param limits maximum bytes of the whole body, and of all its files together
   * @param openFile an error that it throws aborts reading
   */
  constructor(
    private readonly body: Body,
    private readonly limits: { limit: number; fileBytes: number },
    private readonly openFile: OpenFile,
  ) {}

  /**
   * Reads the whole body.
   * @throws BadParams, TooLarge, BodyTooSlow, ConnectionLost, Overloaded, and what `openFile` throws
   */
  async read(): Promise<void> {
    const { koa } = this.body;
    const inspect = (chunk: Buffer) => this.#hold(chunk.length);
    await guardBody(this.body, this.limits.limit, inspect, async (attempt) => {
      const parser = koaBody({
        multipart: true,
        parsedMethods: PARSED_METHODS,
        formidable: {
          // Part headers arrive in chunks: kept as bytes here, and decoded as UTF-8 once they are complete.
          encoding: 'binary',
          enabledPlugins: [skipFileNames, multipart] as never,
          onPart: (part) => attempt(() => this.#takePart(part, attempt)),
        },
      });
      await parser(koa, () => Promise.resolve());
      // The library could not parse the `Content-Type`, and left the body unread.
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
    const onData = (bytes: Buffer) => {
      if (head.filename !== null) this.#fileBytes += bytes.length;
      if (this.#fileBytes > this.limits.fileBytes) throw new TooLarge();
      if (typeof target === 'function') return void chunks.push(bytes);
      this.#hold(-bytes.length);
      // The reader has closed the stream.
      if (target.destroyed) throw target.errored ?? new ConnectionLost();
      if (!target.write(bytes)) request.pause();
    };
    const end = () => void (typeof target === 'function' ? target(Buffer.concat(chunks)) : target.end());
    part.on('data', (bytes: Buffer) => attempt(() => onData(bytes))).on('end', () => attempt(end));
    const resume = () => attempt(() => void request.resume());
    if (typeof target !== 'function') target.on('drain', resume).on('close', resume);
  }
}
