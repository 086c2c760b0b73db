import { sql } from '../../core/sql.js';
import type { TokenSource } from '../../core/token-source.js';

declare module '../../core/callers.js' {
  interface TokenKinds {
    access: true;
  }
}

/** Personal, impersonation, project and group access tokens. They end when the day that they name begins, UTC. */
export const accessTokens: TokenSource = {
  kind: 'access',
  carriers: ['private_token', 'bearer', 'basic'],
  withDigest: (digest) => sql`
    select a.id, a.user_id, a.scopes, a.revoked, a.expires_on::timestamp at time zone 'UTC', a.last_used_at,
           null::jsonb
      from personal_access_tokens a where a.digest = ${digest}`,
  // Plain SQL: outside of a transaction it is one statement and one round trip.
  noteUse: (id, at) => sql`update personal_access_tokens set last_used_at = ${at} where id = ${id}`,
};
