/*
 * The CSRF token, which proves that a change comes from these pages. It is held in memory: it is bound to the session,
 * and the service returns it to the session's holder.
 */

let current: Promise<string | null> | null = null;
let load: () => Promise<string | null> = () => Promise.reject(new Error('No session was loaded.'));

/** Sets the function that fetches the token when it is first needed, or needed again. */
export function csrfFrom(source: () => Promise<string | null>): void {
  load = source;
}

/** Stores the token of a response. */
export function keepCsrfToken(token: string): void {
  current = Promise.resolve(token);
}

export function forgetCsrfToken(): void {
  current = null;
}

/** The token, or null without a signed-in user. */
export function csrfToken(): Promise<string | null> {
  current ??= load().catch((error: unknown) => {
    current = null;
    throw error;
  });
  return current;
}
