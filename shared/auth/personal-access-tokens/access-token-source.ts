import { sql } from '../../core/sql.js';
import type { TokenSource } from './token-source.js';

/** Personal, impersonation, project and group access tokens. They end when the day that they name begins, UTC. */
export const accessTokens: TokenSource = {
  kind: 'access',
  withDigest: (digest) => sql`
    select a.id, a.user_id, a.scopes, a.revoked, a.expires_on::timestamp at time zone 'UTC', a.last_used_at
      from personal_access_tokens a where a.digest = ${digest}`,
  noteUse: (id, at) => sql`update personal_access_tokens set last_used_at = ${at} where id = ${id}`,
};
