import { TextDecoder } from 'node:util';
import type { Context as KoaContext } from 'koa';
import { BadParams } from '../../../shared/core/errors.js';
import { UnsupportedType } from '../http-errors.js';
import { newBag, parseQuery } from '../nested-params.js';
import type { RequestParameters } from '../nested-params.js';
import { receive } from './receive.js';
import type { Body } from './receive.js';
import { FormScan, JsonScan, UntypedScan } from './scan.js';
import type { Scan } from './scan.js';

/** The body is not what its `Content-Type` says. */
export const mismatch = () => new BadParams(['message body does not match declared format']);

/** The media type of the body, without its parameters. */
export const bodyMediaType = (koa: KoaContext): string =>
  (koa.get('content-type').split(';')[0] ?? '').trim().toLowerCase();

/** Strict, so that no value is stored other than it was sent; a byte order mark is dropped. */
function decoderOf(koa: KoaContext): TextDecoder {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(koa.get('content-type'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new UnsupportedType(`${bodyMediaType(koa)}; charset=${charset}`);
  }
}

/**
 * The whole text of a body. It is counted as it arrives and before it is kept, in the charset that it is parsed in.
 * @param limit bytes at most, where it is less than the body's own
 * @throws TooLarge, BodyTooSlow, ConnectionLost, Overloaded, UnsupportedType, BadParams
 */
async function readText(body: Body, scan: Scan, limit = body.limit): Promise<string> {
  const decoder = decoderOf(body.koa);
  const texts: string[] = [];
  const take = (piece?: Buffer) => {
    let text: string;
    try {
      text = piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
    } catch {
      throw mismatch();
    }
    scan.take(text);
    texts.push(text);
  };
  await receive(body, Math.min(limit, body.limit), (piece) => {
    body.claim.take(piece.length);
    take(piece);
    return undefined;
  });
  take();
  return texts.join('');
}

/** A small body as it came, for those who read it in their own way. */
export async function readBytes(body: Body, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await receive(body, limit, (piece) => {
    body.claim.take(piece.length);
    pieces.push(piece);
    return undefined;
  });
  return Buffer.concat(pieces);
}

function parsed(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw mismatch();
  }
}

/** A JSON body of any kind, within the limits on depth and keys; undefined when it is empty. */
export async function readJsonValue(body: Body, scan: Scan = new JsonScan()): Promise<unknown> {
  return parsed(await readText(body, scan));
}

function asBag(value: unknown): RequestParameters {
  const parameters = value ?? newBag();
  if (typeof parameters !== 'object' || Array.isArray(parameters)) throw mismatch();
  return parameters as RequestParameters;
}

/** A JSON body: an object, or nothing. */
export async function readJson(body: Body): Promise<RequestParameters> {
  return asBag(await readJsonValue(body));
}

/** A form body, in the notation of query strings. */
export async function readForm(body: Body): Promise<RequestParameters> {
  return parseQuery(await readText(body, new FormScan()));
}

/** What a text is as JSON, when it is an object or an array; a form may begin as they do. */
function parsedUntyped(text: string): { value: unknown } | null {
  if (!/^\s*[{[]/.test(text)) return null;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/**
 * A body without a type: JSON where it is JSON, else a form (rest-conventions.md section 1). Clients send such, and
 * nothing of it is dropped.
 * @param json counts what it becomes as JSON
 */
export async function readUntypedValue(
  body: Body,
  json?: JsonScan,
): Promise<{ json: unknown } | { form: RequestParameters }> {
  const scan = new UntypedScan(json);
  const text = await readText(body, scan);
  const [forJson, forForm] = scan.problems;
  if (forJson && /^\s*[{[]/.test(text)) throw forJson;
  const read = parsedUntyped(text);
  if (read) return { json: read.value };
  if (forForm) throw forForm;
  return { form: parseQuery(text) };
}

/** Parameters of a body without a type. @throws BadParams for JSON that is no object */
export async function readUntyped(body: Body): Promise<RequestParameters> {
  const read = await readUntypedValue(body);
  return 'form' in read ? read.form : asBag(read.json);
}
