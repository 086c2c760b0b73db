import type { AliasableExpression, Expression } from 'kysely';
import type { Statement } from '../database/driver/statement.js';
import type { Principal, TokenKind, Caller } from './callers.js';
import type { Context } from './context.js';

/**
 * How a request carries a credential (rest-conventions.md section 2): as `PRIVATE-TOKEN` or `private_token`, as the
 * parameter `access_token`, as `Authorization: Bearer`, or as the password of `Authorization: Basic`.
 */
export type Carrier = 'private_token' | 'access_token' | 'bearer' | 'basic';

/** A credential as it was sent. */
export interface Credential {
  token: string;
  carrier: Carrier;
}

/** A token that is a caller of its own, as its source found it. */
interface FoundToken {
  id: number;
  scopes: readonly string[];
  /** What its source selected of it. */
  details: unknown;
}

/** What a source selects of a token. */
export interface TokenColumns {
  id: number;
  /** Null where `callerOf` makes the caller. */
  user_id: number | null;
  scopes: string[];
  revoked: boolean;
  /** The first instant at which it is refused as expired, or null. */
  ends_at: Date | null;
  /** Null where none is kept. */
  last_used_at: Date | null;
  /** What `callerOf` needs, as `jsonb`; null without one. */
  details: unknown;
}

/**
 * A table of tokens that callers are recognised by. One kind of token, one table; the domain that has it names it in
 * its registry, and one statement looks in each that the carrier of a credential may hold (decision 11).
 */
export interface TokenSource {
  kind: TokenKind;
  /** A token in any other carrier is unknown. */
  carriers: readonly Carrier[];
  /** The tokens with a digest, as a query that is built once. */
  withDigest(digest: Expression<Uint8Array>): AliasableExpression<TokenColumns>;
  /** The caller that a token of this kind is. Left out where it is its user. */
  callerOf?(token: FoundToken): Principal;
  /** Writes when a token was last used; left out by tables that don't keep it. */
  noteUse?(use: { id: number; at: Date }): Statement;
}

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
