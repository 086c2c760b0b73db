/*
 * The token that proves that a change comes from these pages. It lives in memory: it is bound to the session, and the
 * service gives it to whoever holds that.
 */

let current: Promise<string | null> | null = null;
let load: () => Promise<string | null> = () => Promise.reject(new Error('No session was loaded.'));

/** Says how the token is got when it is first needed, or needed anew. */
export function csrfFrom(source: () => Promise<string | null>): void {
  load = source;
}

/** Remembers the token that an answer brought along. */
export function keepCsrfToken(token: string): void {
  current = Promise.resolve(token);
}

export function forgetCsrfToken(): void {
  current = null;
}

/** The token, or null when nobody is signed in. */
export function csrfToken(): Promise<string | null> {
  current ??= load().catch((error: unknown) => {
    current = null;
    throw error;
  });
  return current;
}
