import type { Principal, TokenKind } from './callers.js';
import type { Sql } from './sql.js';

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
  facts: unknown;
}

/**
 * A table of tokens that callers are recognised by. One kind of token, one table; the domain that has it names it in
 * its registry, and one statement looks in each that the carrier of a credential may hold (decision 11).
 */
export interface TokenSource {
  kind: TokenKind;
  /** A token in any other carrier is unknown. */
  carriers: readonly Carrier[];
  /**
   * The tokens with a digest: `select` of exactly these columns, in this order and under any names:
   * `id bigint`, `user_id bigint` (null where {@link callerOf} makes the caller), `scopes text[]`, `revoked boolean`,
   * `ends_at timestamptz` (the first instant at which it is refused as expired, or null), `last_used_at timestamptz`
   * (null where none is kept), `facts jsonb` (what `callerOf` needs; null without one).
   */
  withDigest(digest: Buffer): Sql;
  /** The caller that a token of this kind is. Left out where it is its user. */
  callerOf?(token: FoundToken): Principal;
  /** Writes when a token was last used; left out by tables that don't keep it. */
  noteUse?(id: number, at: Date): Sql;
}
