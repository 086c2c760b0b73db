import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** A program that people may let act for them, after an administrator, or a person for themself, registered it. */
export const OauthApplication = defineEntity({
  name: 'OauthApplication',
  tableName: 'oauth_applications',
  properties: {
    id: id(),
    /** Its owner; null for an application of the instance. */
    owner_id: relation(User).nullable(),
    /** Its public name in OAuth requests, `client_id`. */
    uid: p.string(),
    name: p.string(),
    /** Where browsers may be sent with a code: exactly these. */
    redirect_uris: p.array().columnType('text[]'),
    scopes: p.array().columnType('text[]'),
    /** Whether it can keep a secret; who cannot must prove itself by PKCE. */
    confidential: p.boolean(),
    secret_digest: p.uint8array().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type OauthApplication = InferEntity<typeof OauthApplication>;
