import { TextDecoder } from 'node:util';
import type { Context as KoaContext } from 'koa';
import { koaBody } from 'koa-body';
import { UnsupportedType } from '../http-errors.js';
import { createParameterMap, parseQuery } from '../nested-params.js';
import type { RequestParameters } from '../nested-params.js';
import { guardBody, mismatch } from './guard.js';
import type { Body } from './guard.js';
import { FormScan, JsonScan } from './scan.js';
import type { Scan } from './scan.js';

/** Bodies of every method are read (rest-conventions.md section 1). */
export const PARSED_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as never[];

/** The media type of the body, without its parameters. */
export const bodyMediaType = ({ request }: KoaContext): string => request.type.trim().toLowerCase();

/** @throws UnsupportedType for a body that is packed: this API unpacks none */
export function rejectContentEncoding(koa: KoaContext): void {
  const coding = koa.get('content-encoding').trim().toLowerCase();
  if (coding !== '' && coding !== 'identity')
    throw new UnsupportedType(`${bodyMediaType(koa)}; content-encoding=${coding}`);
}

/** Strict, so that no value is stored other than it was sent; a byte order mark is dropped. */
function getDecoder(koa: KoaContext): TextDecoder {
  const { charset } = koa.request;
  try {
    return new TextDecoder(charset || 'utf-8', { fatal: true });
  } catch {
    throw new UnsupportedType(`${bodyMediaType(koa)}; charset=${charset}`);
  }
}

/** What koa-body makes of a body as `type`, in the charset that it is counted in. */
async function parse(body: Body, type: 'application/json' | 'text/plain', scan: Scan): Promise<unknown> {
  const { koa, claim, limit } = body;
  rejectContentEncoding(koa);
  const decoder = getDecoder(koa);
  const parser = koaBody({
    parsedMethods: PARSED_METHODS,
    encoding: decoder.encoding,
    jsonStrict: false,
    jsonLimit: limit,
    textLimit: limit,
    urlencoded: false,
    // The library refuses white space alone, and `__proto__`, which here is a name like any other.
    onError(error, { request }) {
      if (!('body' in error)) throw error;
      const text = String(error.body);
      request.body = text.trim() === '' ? '' : (JSON.parse(text) as never);
    },
  });
  const inspect = (piece: Buffer) => {
    claim.take(piece.length);
    scan.take(decoder.decode(piece, { stream: true }));
  };
  const { headers } = koa.req;
  const { 'content-type': sentType } = headers;
  try {
    await guardBody(body, limit, inspect, async (attempt) => {
      // By a type that it cannot read to its end the library leaves the body; a body without one it never reads.
      headers['content-type'] = type;
      await parser(koa, () => Promise.resolve());
      attempt(() => scan.take(decoder.decode()));
    });
  } finally {
    headers['content-type'] = sentType;
  }
  return koa.request.body;
}

/**
 * A small body as it came, for those who read it in their own way.
 * @param limit bytes at most
 * @throws TooLarge, BodyTooSlow, ConnectionLost, Overloaded, UnsupportedType for one that is packed
 */
export async function readBytes(body: Body, limit: number): Promise<Buffer> {
  const { koa, claim } = body;
  rejectContentEncoding(koa);
  const pieces: Buffer[] = [];
  const take = (piece: Buffer) => {
    claim.take(piece.length);
    pieces.push(piece);
  };
  await guardBody(body, Math.min(limit, body.limit), take, () => Promise.resolve(koa.req.resume()));
  return Buffer.concat(pieces);
}

/** A form body in this API's query string notation, which differs from the library's. */
export async function readForm(body: Body): Promise<RequestParameters> {
  return parseQuery(String(await parse(body, 'text/plain', new FormScan())));
}

/** JSON of any kind, an empty text where there is none; or a form. */
type BodyValue = { json?: unknown; form?: RequestParameters };

/**
 * A body without a type: JSON if it is an object or an array, otherwise a form, which may start with the same
 * characters (rest-conventions.md section 1). Clients send such bodies, and no part of them is dropped.
 */
async function readUntyped(body: Body, json: Scan): Promise<BodyValue> {
  let first = '';
  const take = (piece: string) => {
    first ||= piece.trimStart().charAt(0);
    if (first === '{' || first === '[') json.take(piece);
  };
  const text = String(await parse(body, 'text/plain', { take }));
  try {
    if (first === '{' || first === '[') return { json: JSON.parse(text) };
  } catch {
    // A form.
  }
  new FormScan().take(text);
  return { form: parseQuery(text) };
}

/** The value of a body without files, by its type; null for unsupported types. @param json counts its JSON values */
export async function readValue(body: Body, json: Scan = new JsonScan()): Promise<BodyValue | null> {
  const type = bodyMediaType(body.koa);
  if (type === 'application/json') return { json: await parse(body, type, json) };
  if (type === '') return readUntyped(body, json);
  return type === 'application/x-www-form-urlencoded' ? { form: await readForm(body) } : null;
}

/** Parameters of a body that holds no files. @throws UnsupportedType, BadParams for JSON that is no object */
export async function readParameters(body: Body): Promise<RequestParameters> {
  const value = await readValue(body);
  if (!value) throw new UnsupportedType(bodyMediaType(body.koa));
  const parameters = value.form ?? (value.json === '' ? null : value.json) ?? createParameterMap();
  if (typeof parameters !== 'object' || Array.isArray(parameters)) throw mismatch();
  return parameters as RequestParameters;
}
