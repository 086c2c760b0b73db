import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { OauthApplication } from './oauth-application.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** That a user allowed an application some scopes, once. Everything issued for it ends with it. */
export const OauthGrant = defineEntity({
  name: 'OauthGrant',
  tableName: 'oauth_grants',
  properties: {
    id: id(),
    /** Its name in the provider library. No credential. */
    uid: p.string(),
    application_id: relation(OauthApplication),
    user_id: relation(User),
    scopes: p.array().columnType('text[]'),
    revoked_at: timestamp().nullable(),
    created_at: timestamp(),
  },
});
export type OauthGrant = InferEntity<typeof OauthGrant>;

/** The access token that an application sends with its requests. */
export const OauthAccessToken = defineEntity({
  name: 'OauthAccessToken',
  tableName: 'oauth_access_tokens',
  properties: {
    id: id(),
    digest: p.uint8array(),
    grant_id: relation(OauthGrant),
    user_id: relation(User),
    scopes: p.array().columnType('text[]'),
    expires_at: timestamp(),
    revoked_at: timestamp().nullable(),
    last_used_at: timestamp().nullable(),
    created_at: timestamp(),
  },
});
export type OauthAccessToken = InferEntity<typeof OauthAccessToken>;

/** Authorization codes, refresh tokens, and requests pending consent, in the provider library's own format. */
export const OauthRecord = defineEntity({
  name: 'OauthRecord',
  tableName: 'oauth_records',
  properties: {
    id: id(),
    kind: p.string(),
    digest: p.uint8array(),
    grant_id: relation(OauthGrant).nullable(),
    payload: p.json(),
    consumed_at: timestamp().nullable(),
    expires_at: timestamp(),
    created_at: timestamp(),
  },
});
export type OauthRecord = InferEntity<typeof OauthRecord>;
