import { randomBytes } from 'node:crypto';
import type { Site } from './site.js';

/** Signs users in, as a browser does. @returns the value of each session's cookie */
export async function addSessions(site: Site, userIds: readonly number[]): Promise<string[]> {
  const secrets = userIds.map(() => randomBytes(32).toString('base64url'));
  await site.db.query(
    `insert into user_sessions (user_id, digest, user_agent, last_used_at, expires_at, created_at)
     select user_id, digest, 'bench', now(), now() + interval '1 day', now()
       from unnest($1::bigint[], $2::bytea[]) as person (user_id, digest)`,
    [userIds, secrets.map((secret) => site.keys.digest(secret))],
  );
  return secrets;
}
