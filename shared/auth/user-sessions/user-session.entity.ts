import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** A signed-in browser. The cookie holds a secret of which only the digest is stored. */
export const UserSession = defineEntity({
  name: 'UserSession',
  tableName: 'user_sessions',
  properties: {
    id: id(),
    user_id: relation(User),
    digest: p.uint8array(),
    ip_address: p.string().nullable(),
    user_agent: p.string(),
    /** Written once a minute at most; a session that is not used ends (`session_expire_delay`). */
    last_used_at: timestamp(),
    /** When it ends although it is in use. */
    expires_at: timestamp(),
    created_at: timestamp(),
  },
});
export type UserSession = InferEntity<typeof UserSession>;
