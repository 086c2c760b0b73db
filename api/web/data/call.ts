import { csrfToken, forgetCsrfToken } from './csrf.js';
import { unreachable } from './problem.js';

/** A request to this service, as the API reference and the inspector send and print it. */
export interface Call {
  method: string;
  /** From this service's root on. */
  url: string;
  /** JSON; with a file in it, the parts of a form. */
  body: string | [name: string, value: string | File][] | null;
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
export function getCurl({ method, url, body }: Call): string {
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

async function getText(response: Response): Promise<string> {
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
  const text = await getText(response);
  const { status, statusText } = response;
  return { status, statusText, headers: [...response.headers], text, took: Math.round(performance.now() - started) };
}
