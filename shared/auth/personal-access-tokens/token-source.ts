import type { TokenKind } from '../../core/context.js';
import type { Sql } from '../../core/sql.js';

/**
 * A table of tokens that callers are recognised by. One kind of token, one table: personal, impersonation, project and
 * group access tokens are `access`; those that applications get by OAuth are `oauth`. `shared/auth/token-sources.ts` lists
 * them all, and one statement looks in each that the carrier of a credential may hold.
 */
export interface TokenSource {
  kind: TokenKind;
  /**
   * The tokens with a digest: `select` of exactly these columns, in this order and under any names:
   * `id bigint`, `user_id bigint`, `scopes text[]`, `revoked boolean`, `ends_at timestamptz` (the first instant at
   * which it is refused as expired, or null), `last_used_at timestamptz` (null where none is kept).
   */
  withDigest(digest: Buffer): Sql;
  /** Writes when a token was last used; left out by tables that don't keep it. */
  noteUse?(id: number, at: Date): Sql;
}
