import { sql } from '../../core/sql.js';
import type { TokenSource } from '../../core/token-source.js';

declare module '../../core/callers.js' {
  interface TokenKinds {
    oauth: true;
  }
}

/** Access tokens of applications: two hours at most, and no longer than what they were issued for. */
export const oauthTokens: TokenSource = {
  kind: 'oauth',
  carriers: ['access_token', 'bearer', 'basic'],
  withDigest: (digest) => sql`
    select o.id, o.user_id, o.scopes, o.revoked_at is not null, o.expires_at, o.last_used_at, null::jsonb
      from oauth_access_tokens o where o.digest = ${digest}`,
  // Plain SQL: outside of a transaction it is one statement and one round trip.
  noteUse: (id, at) => sql`update oauth_access_tokens set last_used_at = ${at} where id = ${id}`,
};
