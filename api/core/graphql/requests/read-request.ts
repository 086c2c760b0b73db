import type { Context as KoaContext } from 'koa';
import type { Caller } from '../../../../shared/core/context/callers.js';
import { createParameterMap, parseQuery } from '../../nested-params.js';
import type { RequestParameters } from '../../nested-params.js';
import { readValue } from '../../bodies/read-body.js';
import { hasBody, openBody } from '../../bodies/guard.js';
import { JsonScan } from '../../bodies/scan.js';
import type { ApiServices } from '../../services.js';
import type { Entry } from './prepare.js';

/** The whole request is refused before any query is parsed (graphql.md section 1.2). */
export class HttpProblem extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

export const MAX_QUERY = 10_000;
export const MAX_BATCH = 50;
const TRUE = /^(true|1|t|yes|on)$/i;

export interface Incoming {
  entries: Entry[];
  /** The answer is an array too. */
  batch: boolean;
  removeDeprecated: boolean;
  /** The parameters of a form, which may contain a credential. */
  form: RequestParameters | null;
}

const isObject = (value: unknown): value is RequestParameters =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param scan counts the variables of all queries of a request together, before they are parsed */
function getVariables(value: unknown, scan: JsonScan): Record<string, unknown> {
  if (value === undefined || value === null || value === '') return {};
  if (isObject(value)) return value;
  if (typeof value !== 'string') throw new HttpProblem(422, `Unexpected parameter: ${JSON.stringify(value)}`);
  scan.take(value);
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch (error) {
    throw new HttpProblem(422, (error as Error).message);
  }
  if (typeof parsed === 'string' && parsed !== '') throw new HttpProblem(422, `Unexpected parameter: ${value}`);
  return getVariables(parsed, scan);
}

function getEntry(value: unknown, scan: JsonScan): Entry {
  const { query, operationName, variables } = isObject(value) ? value : ({} as RequestParameters);
  if (typeof query === 'string' && query.length > MAX_QUERY) throw new HttpProblem(422, 'Query too large');
  return {
    query: typeof query === 'string' ? query : '',
    operationName: typeof operationName === 'string' && operationName !== '' ? operationName : null,
    variables: getVariables(variables, scan),
  };
}

/** The query string parameters, which may contain a credential. */
export const readUrlParameters = (koa: KoaContext): RequestParameters =>
  koa.querystring === '' ? createParameterMap() : parseQuery(koa.querystring);

/**
 * The queries of a request, in any of the accepted forms: URL, form, JSON object, JSON array.
 * @param sender the sender, known before the body is read
 * @throws HttpProblem, BadParams, TooLarge, UnsupportedType, BodyTooSlow, ConnectionLost, Overloaded
 */
export async function readIncoming(services: ApiServices, koa: KoaContext, sender: Caller): Promise<Incoming> {
  const scan = new JsonScan();
  // Bodies of other types are ignored.
  const sent = koa.method === 'POST' && hasBody(koa) ? await readValue(openBody(services, koa, sender), scan) : null;
  const { json, form } = sent ?? {};
  const parameters = { ...readUrlParameters(koa), ...form };
  const { remove_deprecated: flag } = parameters;
  const batch = Array.isArray(json);
  if (batch && json.length > MAX_BATCH) throw new HttpProblem(422, 'Query too large');
  const entry = (value: unknown) => getEntry(value, scan);
  return {
    entries: batch ? json.map(entry) : [entry({ ...parameters, ...(isObject(json) ? json : {}) })],
    batch,
    removeDeprecated: typeof flag === 'string' && TRUE.test(flag),
    form: form ?? null,
  };
}
