import { TextDecoder } from 'node:util';
import type { IncomingMessage } from 'node:http';
import type { Context as KoaContext } from 'koa';
import { BadParams, TooLarge } from '../../shared/core/errors.js';
import { ConnectionLost, UnsupportedType } from './http-errors.js';
import { MAX_DEPTH, MAX_KEYS, newBag, parseQuery, tooDeep, tooManyKeys } from './nested-params.js';
import type { Bag } from './nested-params.js';

/** JSON and form bodies at most (README decision 21): a note of a million characters fits in any script. */
export const BODY_BYTES = 20 * 1024 * 1024;

/** The body is not what its `Content-Type` says. */
export const mismatch = () => new BadParams(['message body does not match declared format']);

/** Everything that the client sends. Beyond `limit` the rest is let through unread, so that the answer arrives. */
function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= limit) chunks.push(chunk);
      else {
        chunks = [];
        reject(new TooLarge());
      }
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', () => reject(new ConnectionLost()));
  });
}

/** Strict, so that no value is stored other than it was sent; a byte order mark is dropped. */
function decoderOf(koa: KoaContext, type: string): TextDecoder {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(koa.get('content-type'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new UnsupportedType(`${type}; charset=${charset}`);
  }
}

async function readText(koa: KoaContext, type: string): Promise<string> {
  const decoder = decoderOf(koa, type);
  if (Number(koa.get('content-length')) > BODY_BYTES) throw new TooLarge();
  const bytes = await readBytes(koa.req, BODY_BYTES);
  try {
    return decoder.decode(bytes);
  } catch {
    throw mismatch();
  }
}

/** @throws BadParams for JSON that is nested too deeply or has too many keys (README decision 21) */
export function checkSize(value: object) {
  let keys = 0;
  const walk = (node: object, depth: number) => {
    if (depth > MAX_DEPTH) throw tooDeep();
    for (const child of Object.values(node) as unknown[]) {
      keys += 1;
      if (keys > MAX_KEYS) throw tooManyKeys();
      if (child !== null && typeof child === 'object') walk(child, depth + 1);
    }
  };
  walk(value, 1);
}

/** A JSON body of any kind, within the limits on depth and keys; undefined when it is empty. */
export async function readJsonValue(koa: KoaContext): Promise<unknown> {
  const text = await readText(koa, 'application/json');
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw mismatch();
  }
  if (typeof value === 'object' && value !== null) checkSize(value);
  return value;
}

/** A JSON body: an object, or nothing. */
export async function readJson(koa: KoaContext): Promise<Bag> {
  const body = (await readJsonValue(koa)) ?? newBag();
  if (typeof body !== 'object' || Array.isArray(body)) throw mismatch();
  return body as Bag;
}

/** A form body, in the notation of query strings. */
export async function readForm(koa: KoaContext): Promise<Bag> {
  return parseQuery(await readText(koa, 'application/x-www-form-urlencoded'));
}
