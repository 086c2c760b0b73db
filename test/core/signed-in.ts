import { getCsrfToken } from '../../shared/auth/user-sessions/session-secrets.js';
import { startSession } from '../../shared/auth/user-sessions/start-session.js';
import type { NewUser } from '../../shared/tenancy/users/create-user.js';
import type { TestApp } from './app.js';
import type { BuiltUser } from './builders.js';
import { Client } from './client.js';
import type { Answer } from './client.js';

export const PASSWORD = 'correct horse 42 battery';
let digest: Promise<string> | undefined;

/** A user who can sign in with {@link PASSWORD}. */
export async function userWithPassword(app: TestApp, attributes: Partial<NewUser> = {}): Promise<BuiltUser> {
  digest ??= app.services.passwords.hash(PASSWORD);
  return app.build.user({ password_digest: await digest, ...attributes });
}

/** The session cookie that a response sets, without its attributes; null if it sets none. */
export function getCookie(answer: Answer): string | null {
  const set = answer.headers.getSetCookie().find((line) => line.startsWith('_service_session='));
  return set?.split(';')[0] ?? null;
}

/** A browser with a signed-in user. */
export interface SignedIn {
  cookie: string;
  csrf: string;
  /** Requests with the cookie alone, as another site can cause them. */
  cookieOnly: Client;
  /** Requests as our own pages send them. */
  client: Client;
}

/** The browser of a response that contains a session. */
export function signedInBy(app: TestApp, answer: Answer): SignedIn {
  return browserWith(app, getCookie(answer) ?? '', String(answer.body.csrf_token));
}

function browserWith(app: TestApp, cookie: string, csrf: string): SignedIn {
  const cookieOnly = new Client(app.url, { Cookie: cookie });
  return { cookie, csrf, cookieOnly, client: cookieOnly.with({ 'X-CSRF-Token': csrf }) };
}

export const postJson = (client: Client, path: string, body: object): Promise<Answer> =>
  client.raw('POST', path, JSON.stringify(body), 'application/json');

/** Signs a user in with a password, as a page does: it takes as long as hashing does. */
export async function signInWith(app: TestApp, user: { username: string }, password = PASSWORD): Promise<SignedIn> {
  const answer = await postJson(app.anonymous, '/users/sign_in', { login: user.username, password });
  if (answer.status !== 200) throw new Error(`${user.username} could not sign in: ${answer.status} ${answer.text}`);
  return signedInBy(app, answer);
}

/** Creates a browser with a session for a user, without a password. */
export async function signIn(app: TestApp, user: { id: number }): Promise<SignedIn> {
  const ctx = app.context();
  const secret = await ctx.transaction(() => startSession(ctx, user.id, { userAgent: 'test', previous: null }));
  return browserWith(app, `_service_session=${secret}`, getCsrfToken(app.services.keys, secret));
}
