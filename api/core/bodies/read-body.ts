import { TextDecoder } from 'node:util';
import type { Context as KoaContext, Middleware } from 'koa';
import { koaBody } from 'koa-body';
import { BadParams, CapstanError } from '../../../shared/core/values/errors.js';
import { UnsupportedType } from '../http-errors.js';
import { newBag, parseQuery } from '../nested-params.js';
import type { RequestParameters } from '../nested-params.js';
import { guarded } from './guard.js';
import type { Body } from './guard.js';
import { FormScan, JsonScan, UntypedScan } from './scan.js';
import type { Scan } from './scan.js';

/** The body is not what its `Content-Type` says. */
export const mismatch = () => new BadParams(['message body does not match declared format']);

/** The media type of the body, without its parameters. */
export const bodyMediaType = (koa: KoaContext): string =>
  (koa.get('content-type').split(';')[0] ?? '').trim().toLowerCase();

/** @throws UnsupportedType for a body that is packed: this API unpacks none */
export function requireNoCoding(koa: KoaContext): void {
  const coding = koa.get('content-encoding').trim().toLowerCase();
  if (coding !== '' && coding !== 'identity')
    throw new UnsupportedType(`${bodyMediaType(koa)}; content-encoding=${coding}`);
}

/** Strict, so that no value is stored other than it was sent; a byte order mark is dropped. */
function decoderOf(koa: KoaContext): TextDecoder {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(koa.get('content-type'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new UnsupportedType(`${bodyMediaType(koa)}; charset=${charset}`);
  }
}

/** Nothing at all is no parameters. */
function parsed(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw mismatch();
  }
}

/** By kind and charset. */
const parsers = new Map<string, Middleware>();

/** Bodies of every method are read (rest-conventions.md section 1); how long they may be the guard says. */
function parserOf(kind: 'json' | 'text', encoding: string): Middleware {
  const key = `${kind} ${encoding}`;
  const parser =
    parsers.get(key) ??
    koaBody({
      parsedMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as never,
      encoding,
      json: kind === 'json',
      jsonStrict: false,
      jsonLimit: Number.MAX_SAFE_INTEGER,
      textTypes: ['*/*'],
      textLimit: Number.MAX_SAFE_INTEGER,
      urlencoded: false,
      // The library refuses an empty text, and `__proto__`, which here is a name like any other.
      onError(error, { request }) {
        if (!('body' in error)) throw error;
        request.body = parsed(String(error.body)) as never;
      },
    });
  parsers.set(key, parser);
  return parser;
}

/** What koa-body makes of a body that the guard lets through, in the charset that it is counted in. */
async function parse(body: Body, kind: 'json' | 'text', scan: Scan | null, limit = body.limit): Promise<unknown> {
  const { koa, claim } = body;
  requireNoCoding(koa);
  const decoder = scan ? decoderOf(koa) : null;
  const { headers } = koa.req;
  const { 'content-type': type } = headers;
  const inspect = (piece: Buffer | null) => {
    claim.take(piece?.length ?? 0);
    let text: string | undefined;
    try {
      text = piece ? decoder?.decode(piece, { stream: true }) : decoder?.decode();
    } catch {
      throw mismatch();
    }
    if (text) scan?.take(text);
  };
  const parser = parserOf(kind, decoder?.encoding ?? 'binary');
  await guarded(body, { limit: Math.min(limit, body.limit), inspect }, async () => {
    // By a type that it cannot read to its end the library leaves the body; a body without one it never reads.
    headers['content-type'] = kind === 'json' ? 'application/json' : 'text/plain';
    try {
      await parser(koa, () => Promise.resolve());
    } catch (error) {
      throw error instanceof CapstanError ? error : mismatch();
    } finally {
      headers['content-type'] = type;
    }
  });
  const { body: value } = koa.request as { body?: unknown };
  return value === '' && kind === 'json' ? undefined : value;
}

const readText = async (body: Body, scan: Scan) => String(await parse(body, 'text', scan));

/** A small body as it came, for those who read it in their own way. */
export const readBytes = async (body: Body, limit: number): Promise<Buffer> =>
  Buffer.from(String(await parse(body, 'text', null, limit)), 'latin1');

/** A JSON body of any kind, within the limits on depth and keys; undefined when it is empty. */
export const readJsonValue = (body: Body, scan: Scan = new JsonScan()): Promise<unknown> => parse(body, 'json', scan);

function asBag(value: unknown): RequestParameters {
  const parameters = value ?? newBag();
  if (typeof parameters !== 'object' || Array.isArray(parameters)) throw mismatch();
  return parameters as RequestParameters;
}

/** A JSON body: an object, or nothing. */
export async function readJson(body: Body): Promise<RequestParameters> {
  return asBag(await readJsonValue(body));
}

/** A form body, in the notation of query strings, which is not that of the library. */
export async function readForm(body: Body): Promise<RequestParameters> {
  return parseQuery(await readText(body, new FormScan()));
}

/**
 * A body without a type: JSON where it is an object or an array of it, else a form, which may begin as these do
 * (rest-conventions.md section 1). Clients send such, and nothing of it is dropped.
 * @param json counts what it becomes as JSON
 */
export async function readUntypedValue(
  body: Body,
  json?: JsonScan,
): Promise<{ json: unknown } | { form: RequestParameters }> {
  const scan = new UntypedScan(json);
  const text = await readText(body, scan);
  const [forJson, forForm] = scan.problems;
  if (/^\s*[{[]/.test(text)) {
    if (forJson) throw forJson;
    try {
      return { json: JSON.parse(text) };
    } catch {
      // A form.
    }
  }
  if (forForm) throw forForm;
  return { form: parseQuery(text) };
}

/** Parameters of a body without a type. @throws BadParams for JSON that is no object */
export async function readUntyped(body: Body): Promise<RequestParameters> {
  const read = await readUntypedValue(body);
  return 'form' in read ? read.form : asBag(read.json);
}

/** Parameters of a body that holds no files, by its type. @throws UnsupportedType */
export function readPlainParameters(body: Body): Promise<RequestParameters> {
  const type = bodyMediaType(body.koa);
  if (type === 'application/json') return readJson(body);
  if (type === '') return readUntyped(body);
  if (type === 'application/x-www-form-urlencoded') return readForm(body);
  throw new UnsupportedType(type);
}
