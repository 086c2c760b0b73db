import { defineEntity, id, instant, p, reference } from '../../core/entity.js';
import type { InferEntity } from '../../core/entity.js';

/** That a user allowed an application some scopes, once. Everything issued for it ends with it. */
export const OauthGrant = defineEntity({
  name: 'OauthGrant',
  tableName: 'oauth_grants',
  properties: {
    id: id(),
    /** Its name in the provider library. No credential. */
    uid: p.string(),
    application_id: reference(),
    user_id: reference(),
    scopes: p.array().columnType('text[]'),
    revoked_at: instant().nullable(),
    created_at: instant(),
  },
});
export type OauthGrant = InferEntity<typeof OauthGrant>;

/** What an application sends with its requests. */
export const OauthAccessToken = defineEntity({
  name: 'OauthAccessToken',
  tableName: 'oauth_access_tokens',
  properties: {
    id: id(),
    digest: p.uint8array(),
    grant_id: reference(),
    user_id: reference(),
    scopes: p.array().columnType('text[]'),
    expires_at: instant(),
    revoked_at: instant().nullable(),
    last_used_at: instant().nullable(),
    created_at: instant(),
  },
});
export type OauthAccessToken = InferEntity<typeof OauthAccessToken>;

/** Authorization codes, refresh tokens, and requests that wait for consent, in the provider library's own words. */
export const OauthRecord = defineEntity({
  name: 'OauthRecord',
  tableName: 'oauth_records',
  properties: {
    id: id(),
    kind: p.string(),
    digest: p.uint8array(),
    grant_id: reference().nullable(),
    payload: p.json(),
    consumed_at: instant().nullable(),
    expires_at: instant(),
    created_at: instant(),
  },
});
export type OauthRecord = InferEntity<typeof OauthRecord>;
