import { defineEntity, id, instant, p, reference } from '../core/entity.js';
import type { InferEntity } from '../core/entity.js';

/** A user's credential for the API. Only its digest is stored. */
export const PersonalAccessToken = defineEntity({
  name: 'PersonalAccessToken',
  tableName: 'personal_access_tokens',
  properties: {
    id: id(),
    user_id: reference(),
    name: p.string(),
    description: p.string().nullable(),
    digest: p.uint8array(),
    scopes: p.array().columnType('text[]'),
    /** Set for tokens that an administrator made for somebody. */
    impersonation: p.boolean(),
    revoked: p.boolean(),
    expires_on: p.string().columnType('date').nullable(),
    last_used_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  },
});
export type PersonalAccessToken = InferEntity<typeof PersonalAccessToken>;
