import { defineEntity, p, relation, timestamp } from '../../core/database/entity.js';
import { PersonalAccessToken } from '../personal-access-tokens/personal-access-token.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/**
 * The first administrator's password and token, encrypted so that they can be shown again until one of them is used or
 * a day has passed.
 */
export const StoredCredentials = defineEntity({
  name: 'StoredCredentials',
  tableName: 'instance_initial_credentials',
  properties: {
    only_one: p.boolean().primary().default(true),
    user_id: relation(User),
    token_id: relation(PersonalAccessToken).nullable(),
    password_made: p.boolean(),
    sealed_password: p.uint8array().nullable(),
    sealed_token: p.uint8array().nullable(),
    created_at: timestamp(),
  },
});
