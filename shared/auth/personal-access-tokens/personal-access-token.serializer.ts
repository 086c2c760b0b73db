import { out, serializer } from '../../core/operations/serializer.js';
import { today } from '../../tenancy/namespaces/access.js';
import type { PersonalAccessToken } from './personal-access-token.entity.js';

/** A token without the token itself (core-resources.md section 2, "Record"). */
export const personalAccessTokenSerializer = serializer<PersonalAccessToken>('PersonalAccessToken', {
  id: out.integer((token) => token.id),
  name: out.text((token) => token.name),
  description: out.nullableText((token) => token.description),
  revoked: out.boolean((token) => token.revoked),
  created_at: out.instant((token) => token.created_at),
  scopes: out.texts((token) => token.scopes),
  user_id: out.integer((token) => token.user_id),
  last_used_at: out.nullableInstant((token) => token.last_used_at),
  active: out.boolean(
    (token, ctx) => !token.revoked && (typeof token.expires_on !== 'string' || token.expires_on > today(ctx)),
  ),
  expires_at: out.nullableDay((token) => token.expires_on ?? null),
});

export type PlainToken = PersonalAccessToken & { plain: string };

/** The only answer that holds the token itself: the one to its creation. */
export const newPersonalAccessToken = serializer<PlainToken>('NewPersonalAccessToken', {
  ...personalAccessTokenSerializer.fields,
  token: out.text((token) => token.plain, { description: 'Value of the token. Returned only once.', secret: true }),
});
