import type { Caller } from './callers.js';
import type { Context } from './context.js';

/** What `Authorization: Basic` holds. */
export interface BasicCredential {
  username: string;
  password: string;
}

/**
 * Finds the caller of a credential whose user name and secret belong together, such as a deploy token. Tokens that any
 * user name will do for have a `TokenSource` instead.
 * @returns null where it is none of its
 * @throws Unauthenticated where it is one that is over
 */
export type BasicReader = (ctx: Context, credential: BasicCredential) => Promise<Caller | null>;
