import qs from 'qs';
import type { Context as KoaContext } from 'koa';
import { koaBody } from 'koa-body';
import { BadParams, TooLarge } from '../../shared/core/errors.js';
import { UnsupportedType } from './http-errors.js';

export type Bag = Record<string, unknown>;

/** JSON and form bodies at most (README decision 21): a note of a million characters fits in any script. */
const BODY_BYTES = 20 * 1024 * 1024;
const MAX_DEPTH = 32;
const MAX_KEYS = 10_000;

const QS: qs.IParseOptions = {
  arrayLimit: 1000,
  depth: 10,
  parameterLimit: MAX_KEYS,
  throwOnLimitExceeded: true,
  allowDots: false,
  ignoreQueryPrefix: true,
  plainObjects: true,
} as qs.IParseOptions;

const parseBody = koaBody({
  json: true,
  urlencoded: true,
  text: false,
  multipart: true,
  jsonStrict: false,
  jsonLimit: BODY_BYTES,
  formLimit: BODY_BYTES,
  includeUnparsed: true,
  parsedMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as never,
});

/** A query string or form as nested values: `a[]=1&h[k]=v`; of a repeated plain name the last one counts. */
export function parseQuery(text: string): Bag {
  if (text === '') return {};
  try {
    const parsed = qs.parse(text, { ...QS, duplicates: 'last' } as qs.IParseOptions);
    return parsed as Bag;
  } catch {
    throw new BadParams(['the number of parameters is invalid']);
  }
}

function hasBody(koa: KoaContext): boolean {
  const length = koa.get('content-length');
  return length ? length !== '0' : koa.get('transfer-encoding') !== '';
}

function bodyKind(koa: KoaContext): 'json' | 'form' | 'multipart' {
  const type = (koa.get('content-type').split(';')[0] ?? '').trim().toLowerCase();
  if (type === 'application/json' || type.endsWith('+json')) return 'json';
  if (type === 'application/x-www-form-urlencoded' || type === '') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  throw new UnsupportedType(type);
}

function checkSize(value: unknown) {
  let keys = 0;
  const walk = (node: unknown, depth: number) => {
    if (node === null || typeof node !== 'object') return;
    if (depth > MAX_DEPTH) throw new BadParams(['the depth of the parameters is invalid']);
    for (const child of Object.values(node)) {
      keys += 1;
      if (keys > MAX_KEYS) throw new BadParams(['the number of parameters is invalid']);
      walk(child, depth + 1);
    }
  };
  walk(value, 1);
}

async function readBody(koa: KoaContext): Promise<Bag> {
  const kind = bodyKind(koa);
  const length = Number(koa.get('content-length'));
  if (kind !== 'multipart' && length > BODY_BYTES) throw new TooLarge();
  try {
    await parseBody(koa as never, () => Promise.resolve());
  } catch (error) {
    throw bodyError(error as { status?: number; httpCode?: number; statusCode?: number }, kind);
  }
  const body = (koa.request as { body?: unknown }).body;
  if (kind === 'json') return jsonBag(body);
  const flat = (body ?? {}) as Record<string, unknown>;
  return kind === 'multipart' ? parseQuery(qs.stringify(flat, { indices: false, encodeValuesOnly: false })) : flat;
}

function jsonBag(body: unknown): Bag {
  if (body === null || body === undefined || body === '') return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw new BadParams(['the JSON body must be an object, so it is invalid']);
  checkSize(body);
  return body as Bag;
}

function bodyError(error: { status?: number; httpCode?: number; statusCode?: number }, kind: string): Error {
  const status = error.status ?? error.httpCode ?? error.statusCode;
  if (status === 413) return new TooLarge();
  return new BadParams([
    kind === 'json'
      ? "The request body does not match the declared content type 'application/json', so it is invalid"
      : 'The request body is malformed, so it is invalid',
  ]);
}

/** Parameters of a request as one bag: query, then body, then path, the later winning (rest-conventions.md 1). */
export async function readBag(koa: KoaContext, path: Record<string, string>): Promise<Bag> {
  const bag = koa.querystring === '' ? {} : parseQuery(koa.querystring);
  if (hasBody(koa)) Object.assign(bag, await readBody(koa));
  return Object.assign(bag, path);
}
