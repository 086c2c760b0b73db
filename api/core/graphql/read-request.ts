import type { Context as KoaContext } from 'koa';
import { koaBody } from 'koa-body';
import { parseQuery } from '../nested-params.js';
import type { Bag } from '../nested-params.js';
import type { Entry } from './prepare.js';

/** The request is refused as a whole, before any query is looked at (graphql.md section 1.2). */
export class HttpProblem extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

/** README decision 21. */
const BODY_BYTES = 20 * 1024 * 1024;
const MAX_QUERY = 10_000;
const MAX_BATCH = 50;
const TRUE = /^(true|1|t|yes|on)$/i;

const parseBody = koaBody({
  json: true,
  urlencoded: true,
  text: false,
  multipart: false,
  jsonStrict: false,
  jsonLimit: BODY_BYTES,
  formLimit: BODY_BYTES,
});

export interface Incoming {
  entries: Entry[];
  /** The answer is an array too. */
  batch: boolean;
  removeDeprecated: boolean;
  /** What the URL and a form say, where a credential may stand. */
  parameters: Bag;
}

async function bodyOf(koa: KoaContext): Promise<unknown> {
  if (koa.method !== 'POST') return undefined;
  if (Number(koa.get('content-length')) > BODY_BYTES) throw new HttpProblem(413, 'Request body too large');
  try {
    await parseBody(koa as never, () => Promise.resolve());
  } catch (error) {
    const { status, message } = error as { status?: number; message: string };
    if (status === 413) throw new HttpProblem(413, 'Request body too large');
    if (status === 415) throw new HttpProblem(415, message);
    throw new HttpProblem(400, message);
  }
  return (koa.request as { body?: unknown }).body;
}

const isObject = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);

function variablesOf(given: unknown): Record<string, unknown> {
  if (given === undefined || given === null || given === '') return {};
  if (isObject(given)) return given;
  if (typeof given !== 'string') throw new HttpProblem(422, `Unexpected parameter: ${JSON.stringify(given)}`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(given);
  } catch (error) {
    throw new HttpProblem(422, (error as Error).message);
  }
  if (typeof parsed === 'string' && parsed !== '') throw new HttpProblem(422, `Unexpected parameter: ${given}`);
  return variablesOf(parsed);
}

function entryOf(given: unknown): Entry {
  const { query, operationName, variables } = isObject(given) ? given : ({} as Bag);
  if (typeof query === 'string' && query.length > MAX_QUERY) throw new HttpProblem(422, 'Query too large');
  return {
    query: typeof query === 'string' ? query : '',
    operationName: typeof operationName === 'string' && operationName !== '' ? operationName : null,
    variables: variablesOf(variables),
  };
}

/**
 * What a request asks for, in any of the accepted ways: URL, form, JSON object, JSON array.
 * @throws HttpProblem, BadParams
 */
export async function readIncoming(koa: KoaContext): Promise<Incoming> {
  const url = koa.querystring === '' ? {} : parseQuery(koa.querystring);
  const body = await bodyOf(koa);
  const form = koa.is('urlencoded') && isObject(body) ? body : {};
  const parameters = { ...url, ...form };
  const batch = Array.isArray(body);
  if (batch && body.length > MAX_BATCH) throw new HttpProblem(422, 'Query too large');
  return {
    entries: batch ? body.map(entryOf) : [entryOf({ ...parameters, ...(isObject(body) ? body : {}) })],
    batch,
    removeDeprecated: TRUE.test(String(parameters.remove_deprecated)),
    parameters,
  };
}
