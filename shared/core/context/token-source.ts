import type { AliasableExpression, Expression } from 'kysely';
import type { Statement } from '../database/driver/statement.js';
import type { Principal, TokenKind, Caller } from './callers.js';
import type { Context } from './context.js';

/**
 * How a request carries a credential (rest-conventions.md section 2): as `PRIVATE-TOKEN` or `private_token`, as the
 * parameter `access_token`, as `Authorization: Bearer`, or as the password of `Authorization: Basic`.
 */
export type Carrier = 'private_token' | 'access_token' | 'bearer' | 'basic';

/** A credential as the client sent it. */
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

/** The columns of a token that a source selects. */
export interface TokenColumns {
  id: number;
  /** Null where `callerOf` makes the caller. */
  user_id: number | null;
  scopes: string[];
  revoked: boolean;
  /** The first instant at which it is refused as expired, or null. */
  ends_at: Date | null;
  /** Null if the last use is not recorded. */
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
  /** The caller that a token of this kind represents. Left out if the caller is the token's user. */
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
 * Finds the caller of a credential whose user name and secret belong together, such as a deploy token. Tokens that
 * accept any user name have a `TokenSource` instead.
 * @returns null if the credential is not of its kind
 * @throws Unauthenticated if the credential has expired or been revoked
 */
export type BasicReader = (ctx: Context, credential: BasicCredential) => Promise<Caller | null>;
