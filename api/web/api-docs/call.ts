import { unreachable } from '../client/problem.js';
import { csrfToken, forgetCsrfToken } from '../session/csrf.js';
import type { Operation } from './description.js';
import { filledIn, jsonOf, pairsOf, valueOf, valuesIn } from './values.js';
import type { Values } from './values.js';

/** What somebody filled in: parameters of the path and the query, and the body by its fields, or as JSON of their own. */
export interface Filled {
  values: Values;
  fields: Values;
  json: string | null;
}

export interface Call {
  method: string;
  /** From this service's root on. */
  url: string;
  /** JSON; with a file in it, the parts of a form. */
  body: string | [name: string, value: string | File][] | null;
}

/** What stands in the form at first: what the call needs, and no filter that nobody asked for. */
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

/** The body that the fields stand for, files left out; null when none is filled in. */
export function jsonBody({ body }: Operation, values: Values): string | null {
  const entries = filledIn(body?.fields ?? [], values).flatMap(([{ name, schema }, value]) =>
    value instanceof File ? [] : [[name, jsonOf(schema, value)] as const],
  );
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries), null, 2);
}

function bodyOf(operation: Operation, { fields, json }: Filled): Call['body'] {
  if (json !== null) return json.trim() === '' ? null : json;
  const entries = filledIn(operation.body?.fields ?? [], fields);
  return entries.some(([, value]) => value instanceof File) ? entries.flatMap(pairsOf) : jsonBody(operation, fields);
}

/** The request that the form stands for. */
export function callOf(base: string, operation: Operation, filled: Filled): Call {
  const textIn = (name: string) => String(filled.values[name] ?? '');
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => segment(textIn(name)));
  const inQuery = operation.parameters.filter(({ in: where }) => where === 'query');
  const pairs = filledIn(inQuery, filled.values).flatMap(pairsOf) as [string, string][];
  const query = new URLSearchParams(pairs).toString();
  return {
    method: operation.method,
    url: `${base}${path}${query === '' ? '' : `?${query}`}`,
    body: bodyOf(operation, filled),
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function curlBody(body: Call['body']): string[] {
  if (body === null) return [];
  if (typeof body === 'string') return ['--header "Content-Type: application/json"', `--data ${quoted(body)}`];
  return body.map(([name, value]) =>
    value instanceof File
      ? `--form ${quoted(`${name}=@${value.name}`)}`
      : `--form-string ${quoted(`${name}=${value}`)}`,
  );
}

/** The same request for a command line, where a token takes the place of the session. */
export function curlOf({ method, url, body }: Call): string {
  const parts = [
    'curl',
    ...(method === 'GET' ? [] : [`--request ${method}`]),
    '--header "PRIVATE-TOKEN: $TOKEN"',
    ...curlBody(body),
    quoted(location.origin + url),
  ];
  return parts.join(' \\\n  ');
}

export interface Answered {
  status: number;
  statusText: string;
  headers: [string, string][];
  text: string;
  /** Milliseconds from sending to having read it. */
  took: number;
}

/** Longer answers only make the page slow. */
const MOST_TEXT = 200_000;

async function textOf(response: Response): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (!/json|text|xml/.test(type)) {
    const { size } = await response.blob();
    return size === 0 ? '' : `${size} bytes of ${type || 'an unknown type'}`;
  }
  const text = await response.text();
  if (text.length > MOST_TEXT) return `${text.slice(0, MOST_TEXT)}\n… and ${text.length - MOST_TEXT} characters more`;
  if (!type.includes('json') || text === '') return text;
  return JSON.stringify(JSON.parse(text), null, 2);
}

/** What a browser sends; of a form it says the type itself. */
function payload(body: Call['body']): string | FormData | null {
  if (body === null || typeof body === 'string') return body;
  const form = new FormData();
  for (const [name, value] of body) form.append(name, value);
  return form;
}

/** Sends a request as the signed-in person, refusals being answers too. @throws ApiProblem when no answer comes */
export async function send({ method, url, body }: Call): Promise<Answered> {
  const token = method === 'GET' ? null : await csrfToken();
  const started = performance.now();
  const response = await fetch(url, {
    method,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json, */*;q=0.1',
      ...(typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}),
      ...(token === null ? {} : { 'X-CSRF-Token': token }),
    },
    body: payload(body),
  }).catch(() => {
    throw unreachable();
  });
  // The session may have ended, or begun anew in another window.
  if (response.status === 401 || response.status === 422) forgetCsrfToken();
  const text = await textOf(response);
  const { status, statusText } = response;
  return { status, statusText, headers: [...response.headers], text, took: Math.round(performance.now() - started) };
}
