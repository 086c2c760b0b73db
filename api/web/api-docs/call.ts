import { unreachable } from '../client/problem.js';
import { csrfToken, forgetCsrfToken } from '../session/csrf.js';
import type { Operation, Parameter } from './description.js';

/** What somebody filled in, by the names of the parameters; the body as text. */
export interface Filled {
  values: Record<string, string>;
  body: string;
}

export interface Call {
  method: string;
  /** From this service's root on. */
  url: string;
  body: string | null;
}

const exampleOf = ({ schema }: Parameter): string => String(schema.examples?.[0] ?? '');

/** What stands in the form at first: what the call needs, and no filter that nobody asked for. */
export function firstFilled({ parameters, body }: Operation): Filled {
  const needed = parameters.filter(({ required }) => required);
  return {
    values: Object.fromEntries(needed.map((parameter) => [parameter.name, exampleOf(parameter)])),
    body: body ? JSON.stringify(body.example, null, 2) : '',
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

function pairsOf({ name, schema }: Parameter, value: string): [string, string][] {
  const isList = [schema.type].flat().includes('array');
  return isList ? value.split(',').map((part) => [name, part.trim()]) : [[name, value]];
}

/** The request that the form stands for. */
export function callOf(base: string, operation: Operation, { values, body }: Filled): Call {
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => segment(values[name] ?? ''));
  const pairs = operation.parameters
    .filter(({ name, in: where }) => where === 'query' && (values[name] ?? '') !== '')
    .flatMap((parameter) => pairsOf(parameter, values[parameter.name] ?? ''));
  const query = new URLSearchParams(pairs).toString();
  return {
    method: operation.method,
    url: `${base}${path}${query === '' ? '' : `?${query}`}`,
    body: operation.body && body.trim() !== '' ? body : null,
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The same request for a command line, where a token takes the place of the session. */
export function curlOf({ method, url, body }: Call): string {
  const parts = [
    'curl',
    ...(method === 'GET' ? [] : [`--request ${method}`]),
    '--header "PRIVATE-TOKEN: $TOKEN"',
    ...(body === null ? [] : ['--header "Content-Type: application/json"', `--data ${quoted(body)}`]),
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

/** Sends a request as the signed-in person, refusals being answers too. @throws ApiProblem when no answer comes */
export async function send({ method, url, body }: Call): Promise<Answered> {
  const token = method === 'GET' ? null : await csrfToken();
  const started = performance.now();
  const response = await fetch(url, {
    method,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json, */*;q=0.1',
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
      ...(token === null ? {} : { 'X-CSRF-Token': token }),
    },
    ...(body === null ? {} : { body }),
  }).catch(() => {
    throw unreachable();
  });
  // The session may have ended, or begun anew in another window.
  if (response.status === 401 || response.status === 422) forgetCsrfToken();
  const text = await textOf(response);
  const { status, statusText } = response;
  return { status, statusText, headers: [...response.headers], text, took: Math.round(performance.now() - started) };
}
