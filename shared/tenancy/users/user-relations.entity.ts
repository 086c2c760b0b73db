import { onUniqueViolation } from '../../core/values/database-errors.js';
import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Invalid } from '../../core/values/errors.js';
import { User } from './user.entity.js';

/** A user's identity at an external provider. */
export const UserIdentity = defineEntity({
  name: 'UserIdentity',
  tableName: 'user_identities',
  properties: {
    id: id(),
    user_id: relation(User),
    provider: p.string(),
    extern_uid: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type UserIdentity = InferEntity<typeof UserIdentity>;

onUniqueViolation('user_identities_uid', () => new Invalid({ 'identities.extern_uid': ['has already been taken'] }));

/** A user's status; no row means no status. */
export const UserStatus = defineEntity({
  name: 'UserStatus',
  tableName: 'user_statuses',
  properties: {
    id: id(),
    user_id: relation(User),
    emoji: p.string(),
    message: p.string(),
    /** `not_set` or `busy`. */
    availability: p.string(),
    /** From this instant on it is over. */
    clear_at: timestamp().nullable(),
  },
});
export type UserStatus = InferEntity<typeof UserStatus>;

/** That one user follows another. */
export const UserFollow = defineEntity({
  name: 'UserFollow',
  tableName: 'user_follows',
  properties: {
    id: id(),
    follower_id: relation(User),
    followee_id: relation(User),
    created_at: timestamp(),
  },
});
export type UserFollow = InferEntity<typeof UserFollow>;

/** The user who takes over the contributions of removed users. */
export const InstanceGhost = defineEntity({
  name: 'InstanceGhost',
  tableName: 'instance_ghost',
  properties: {
    only_one: p.boolean().primary().default(true),
    user_id: relation(User),
  },
});
