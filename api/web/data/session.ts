import { queryOptions, useQuery } from '@tanstack/react-query';
import { getProblem, unreachable } from './problem.js';
import { remembered } from './remembered.js';
import { noteService } from '../ui/new-version.js';
import { compareClocks } from '../ui/now.js';
import { csrfFrom, csrfToken, forgetCsrfToken, keepCsrfToken } from './csrf.js';

/** The signed-in user, as returned by `GET /-/session`. */
export interface Person {
  id: number;
  username: string;
  name: string;
  is_admin: boolean;
  /** Sees what administrators see of the instance's work, and changes nothing. */
  is_auditor: boolean;
}

/** What runs here. */
export interface Service {
  name: string;
  version: string;
  revision: string;
}

/** A token of the person that works, and ends within a week. */
export interface EndingToken {
  id: number;
  name: string;
  /** A day. */
  expires_at: string;
}

/** A session of a user who is signed in, or was until the session expired. */
interface SignedInSession {
  user: Person;
  csrf_token: string;
  service: Service;
  ending_tokens: EndingToken[];
  /** The session has expired: all requests are refused until the user signs in again. */
  expired?: true;
}

/** Without a user there is nothing to protect, and no token. */
type Session = SignedInSession | { user: null; csrf_token: null };

/** Sends JSON to the pages' own endpoints, which are no part of the API. @throws ApiProblem */
export const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
  (await askWithRequestId<T>(method, path, body)).answer;

/** Like `ask`, with the id of the request. */
export async function askWithRequestId<T>(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ answer: T; requestId: string | null }> {
  const token = method === 'GET' ? null : await csrfToken();
  const request = new Request(path, {
    method,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === null ? {} : { 'X-CSRF-Token': token }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // Who signs in is no call of the API.
  const response = await (path === '/api/graphql' ? remembered : fetch)(request).catch(() => {
    throw unreachable();
  });
  const text = await response.text();
  const answered: unknown =
    response.headers.get('content-type')?.includes('json') && text !== '' ? JSON.parse(text) : null;
  if (!response.ok) throw getProblem(response, answered);
  return { answer: answered as T, requestId: response.headers.get('x-request-id') };
}

let asking: Promise<Session> | null = null;

/** Deduplicates concurrent requests for the session: by a page, and by the first call that needs the CSRF token. */
function askSession(): Promise<Session> {
  asking ??= askSessionOnce().finally(() => {
    asking = null;
  });
  return asking;
}

async function askSessionOnce(): Promise<Session> {
  const sentAt = Date.now();
  const { now, ...session } = await ask<Session & { now: string }>('GET', '/-/session');
  compareClocks(now, sentAt);
  if (session.csrf_token === null) forgetCsrfToken();
  else keepCsrfToken(session.csrf_token);
  return session;
}

/** The session of the page's user, until they sign out here. */
let lastSession: SignedInSession | null = null;

/** If the session expires while a page is open, the page remains the user's, so that unsaved input is not lost. */
async function loadSession(): Promise<Session> {
  const session = await askSession();
  if (session.user === null) return lastSession ? { ...lastSession, expired: true } : session;
  const { name, version, revision } = session.service;
  noteService(`${name} ${version} ${revision}`);
  lastSession = session;
  return session;
}

csrfFrom(async () => (await askSession()).csrf_token);

export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: loadSession, staleTime: 60_000 });

export const useSession = () => useQuery(sessionQuery);

/** The session after a sign-in or sign-out on this page: fetched again, and not displayed yet. */
export function sessionFromNow(): Promise<Session> {
  asking = null;
  return loadSession();
}

interface Entered {
  csrf_token: string;
}

/** @returns the address to continue at: the requested one if it is a path of this service, otherwise home */
export async function signIn(login: string, password: string, redirectTo: string | null): Promise<string> {
  const answer = await ask<Entered & { redirect_to: string }>('POST', '/users/sign_in', {
    login,
    password,
    ...(redirectTo === null ? {} : { redirect_to: redirectTo }),
  });
  keepCsrfToken(answer.csrf_token);
  return answer.redirect_to;
}

/** Revokes all other sessions of the user, and renews this one. */
export async function changePassword(current: string, newPassword: string): Promise<void> {
  const answer = await ask<Entered>('PUT', '/-/session/password', { current_password: current, password: newPassword });
  keepCsrfToken(answer.csrf_token);
}

export async function signOut(): Promise<void> {
  await ask('DELETE', '/users/sign_out');
  lastSession = null;
  forgetCsrfToken();
}
