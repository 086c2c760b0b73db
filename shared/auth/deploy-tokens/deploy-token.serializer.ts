import { out, serializer } from '../../core/operations/serializer.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { isExpired, getUsername } from './deploy-token-state.js';
import type { DeployTokenRecord } from './deploy-token.entity.js';

/** A token without the token itself (deploy-tokens.md section 1); the last three fields are supersets. */
export const deployTokenSerializer = serializer<DeployTokenRecord>('DeployToken', {
  id: out.integer((token) => token.id),
  name: out.text((token) => token.name),
  username: out.text((token, ctx) => getUsername(token, ctx.settings), {
    description: 'Username to use with the token in Basic authentication.',
  }),
  expires_at: out.nullableInstant((token) => token.expires_at ?? null),
  scopes: out.texts((token) => token.scopes),
  revoked: out.boolean((token) => token.revoked),
  expired: out.boolean((token, ctx) => isExpired(token, ctx.clock.now())),
  created_at: out.instant((token) => token.created_at),
  last_used_at: out.nullableInstant((token) => token.last_used_at ?? null, {
    description: 'Timestamp of when the token was last used, to the minute.',
  }),
  created_by: out.nullableRecord(userSummary, (token) => token.created_by),
});

export type PlainDeployToken = DeployTokenRecord & { plain: string };

/** The only answer that holds the token itself: the one to its creation. */
export const newDeployToken = serializer<PlainDeployToken>('NewDeployToken', {
  ...deployTokenSerializer.fields,
  token: out.text((token) => token.plain, {
    description: 'Value of the token. Returned only once, when the token is created.',
    secret: true,
  }),
});
