import type { GraphiQL } from 'graphiql';
import type { ComponentProps } from 'react';
import { csrfToken, forgetCsrfToken } from '../../../data/csrf.js';

type Fetcher = ComponentProps<typeof GraphiQL>['fetcher'];

/** Details of a response in addition to its body. */
export interface ResponseSummary {
  /** The status line; null where there was no answer. */
  status: string | null;
  ms: number;
}

/** The name of the query with which the editor reads the schema: it is there to be fetched packed, the same for everybody. */
const INTROSPECTION = 'IntrospectionQuery';
const SCHEMA = '/-/api-docs/graphql.json';

const UNAUTHENTICATED = 401;
const UNPROCESSABLE = 422;

const problem = (message: string) => ({ errors: [{ message }] });

/** Names and values of headers as the editor has them. @throws TypeError for a name or value that no header may have */
function getHeaders(written: Record<string, unknown> | undefined, token: string | null): Headers {
  const headers = new Headers({ Accept: 'application/json', 'Content-Type': 'application/json' });
  if (token !== null) headers.set('X-CSRF-Token', token);
  for (const [name, value] of Object.entries(written ?? {})) headers.set(name, String(value));
  return headers;
}

/**
 * Every response is displayed as JSON, whatever its status: plain text, such as that of a throttled request, becomes an
 * error's message.
 */
function readBody(response: Response, text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    if (body !== null && typeof body === 'object') return body as Record<string, unknown>;
  } catch {
    // Not JSON: handled as text below.
  }
  return problem(text.trim() || `${response.status} ${response.statusText}`.trim());
}

async function fetched(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(path);
  return readBody(response, await response.text());
}

/**
 * Sends the editor's contents to `/api/graphql` as the signed-in user, with the session's CSRF token, or as the user
 * that a header identifies.
 * @param onResponse called with each response except that of the schema
 * @param onSessionEnd called when the session or its token is no longer valid
 */
export function sender(onResponse: (summary: ResponseSummary) => void, onSessionEnd: () => void): Fetcher {
  return async ({ query, variables, operationName }, options) => {
    if (operationName === INTROSPECTION) return fetched(SCHEMA);
    const began = performance.now();
    const report = (status: string | null) => onResponse({ status, ms: Math.round(performance.now() - began) });
    const token = await csrfToken().catch(() => null);
    let headers: Headers;
    try {
      headers = getHeaders(options?.headers, token);
    } catch (error) {
      return problem(`Request not sent. Request headers: ${(error as Error).message}`);
    }
    try {
      const body = JSON.stringify({ query, variables, ...(operationName ? { operationName } : {}) });
      const response = await fetch('/api/graphql', { method: 'POST', credentials: 'same-origin', headers, body });
      const text = await response.text();
      report(`${response.status} ${response.statusText}`.trim());
      if (response.status === UNAUTHENTICATED || response.status === UNPROCESSABLE) {
        forgetCsrfToken();
        onSessionEnd();
      }
      return readBody(response, text);
    } catch {
      report(null);
      return problem("Can't reach the server. Check your connection and try again.");
    }
  };
}
