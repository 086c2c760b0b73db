import type { Call } from '../../../data/call.js';
import type { Operation } from './description.js';
import { filledIn, getJson, getPairs, valueOf, valuesIn } from './values.js';
import type { Values } from './values.js';

/** The user's input: parameters of the path and the query, and the body by its fields or as JSON. */
export interface Filled {
  values: Values;
  fields: Values;
  json: string | null;
}

/** The initial values of the form: the required parameters, and no filters. */
export function firstFilled(operation: Operation): Filled {
  const needed = operation.parameters.filter(({ required }) => required);
  return {
    values: Object.fromEntries(needed.map(({ name, schema }) => [name, valueOf(schema, schema.examples?.[0])])),
    fields: valuesIn(operation, operation.body?.example) ?? {},
    json: null,
  };
}

/** `root/rocket` and the `root%2Frocket` of a command line name the same. */
function segment(value: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(value));
  } catch {
    return encodeURIComponent(value);
  }
}

/** The body that the fields represent, without files; null if all are empty. */
export function jsonBody({ body }: Operation, values: Values): string | null {
  const entries = filledIn(body?.fields ?? [], values).flatMap(([{ name, schema }, value]) =>
    value instanceof File ? [] : [[name, getJson(schema, value)] as const],
  );
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries), null, 2);
}

function getBody(operation: Operation, { fields, json }: Filled): Call['body'] {
  if (json !== null) return json.trim() === '' ? null : json;
  const entries = filledIn(operation.body?.fields ?? [], fields);
  return entries.some(([, value]) => value instanceof File) ? entries.flatMap(getPairs) : jsonBody(operation, fields);
}

/** The request that the form represents. */
export function getCall(base: string, operation: Operation, filled: Filled): Call {
  const textIn = (name: string) => String(filled.values[name] ?? '');
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => segment(textIn(name)));
  const inQuery = operation.parameters.filter(({ in: where }) => where === 'query');
  const pairs = filledIn(inQuery, filled.values).flatMap(getPairs) as [string, string][];
  const query = new URLSearchParams(pairs).toString();
  return {
    method: operation.method,
    url: `${base}${path}${query === '' ? '' : `?${query}`}`,
    body: getBody(operation, filled),
  };
}
