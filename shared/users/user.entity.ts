import { defineEntity, id, instant, p } from '../core/entity.js';
import type { InferEntity } from '../core/entity.js';

/** A person, or a bot that a project or group access token acts as. */
export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: id(),
    username: p.string(),
    name: p.string(),
    email: p.string(),
    public_email: p.string().nullable(),
    password_digest: p.string().nullable(),
    /** `active`, `blocked`, `banned`, `deactivated`, `blocked_pending_approval`. */
    state: p.string(),
    admin: p.boolean(),
    external: p.boolean(),
    bot: p.boolean(),
    created_at: instant(),
    updated_at: instant(),
  },
});
export type User = InferEntity<typeof User>;
