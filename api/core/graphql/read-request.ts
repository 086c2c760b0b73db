import type { Context as KoaContext } from 'koa';
import { parseQuery } from '../nested-params.js';
import type { Bag } from '../nested-params.js';
import { checkSize, readForm, readJsonValue } from '../read-body.js';
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

const MAX_QUERY = 10_000;
const MAX_BATCH = 50;
const TRUE = /^(true|1|t|yes|on)$/i;

export interface Incoming {
  entries: Entry[];
  /** The answer is an array too. */
  batch: boolean;
  removeDeprecated: boolean;
  /** What the URL and a form say, where a credential may stand. */
  parameters: Bag;
}

/** What the body says: JSON of any kind, or a form. Bodies of other types are not looked at. */
async function bodyOf(koa: KoaContext): Promise<{ json?: unknown; form?: Bag }> {
  if (koa.method !== 'POST') return {};
  const type = (koa.get('content-type').split(';')[0] ?? '').trim().toLowerCase();
  if (type === 'application/json') return { json: await readJsonValue(koa) };
  return type === 'application/x-www-form-urlencoded' ? { form: await readForm(koa) } : {};
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
  if (typeof parsed === 'object' && parsed !== null) checkSize(parsed);
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
 * @throws HttpProblem, BadParams, TooLarge, UnsupportedType
 */
export async function readIncoming(koa: KoaContext): Promise<Incoming> {
  const url = koa.querystring === '' ? {} : parseQuery(koa.querystring);
  const { json, form } = await bodyOf(koa);
  const parameters = { ...url, ...form };
  const { remove_deprecated: wanted } = parameters;
  const batch = Array.isArray(json);
  if (batch && json.length > MAX_BATCH) throw new HttpProblem(422, 'Query too large');
  return {
    entries: batch ? json.map(entryOf) : [entryOf({ ...parameters, ...(isObject(json) ? json : {}) })],
    batch,
    removeDeprecated: typeof wanted === 'string' && TRUE.test(wanted),
    parameters,
  };
}
