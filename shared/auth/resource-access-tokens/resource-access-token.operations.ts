import { containerOfRow } from '../../core/operations/container.js';
import type { ContainerRef, ContainerType, FoundContainer } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { NotAllowed, Unauthenticated } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import { forContainers } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { recordRevoked } from '../personal-access-tokens/record-tokens.js';
import type { PersonalAccessToken } from '../personal-access-tokens/personal-access-token.entity.js';
import {
  tokenConditions,
  tokenFilterParams,
  tokenOrder,
} from '../personal-access-tokens/personal-access-token.filters.js';
import { onTokens, ownToken } from '../personal-access-tokens/personal-access-token.finder.js';
import { dismissBots, revokeTokens } from '../personal-access-tokens/revoke-tokens.js';
import { rotateParams, rotateToken } from '../personal-access-tokens/rotate-token.js';
import { requireAccessLevelFor } from '../personal-access-tokens/token-rights.js';
import { resourceAccessTokenCreation } from './create-resource-access-token.js';
import { findResourceAccessToken, resourceAccessTokens } from './resource-access-token.finder.js';
import { resourceAccessTokenPolicy } from './resource-access-token.policy.js';

const tokenParam = { token_id: integer().describe('ID of the token.') };
const unauthenticated = () => new Unauthenticated();

/** One that is revoked already stays so, without an error. */
async function revoke(ctx: Context, container: FoundContainer, tokenId: number): Promise<void> {
  const token = await findResourceAccessToken(ctx, container, tokenId);
  requireAccessLevelFor(ctx, token, container.access, 'revoke');
  requireUnmodified(ctx, token);
  const revoked = await revokeTokens(ctx, onTokens('t.id', '=', token.id));
  await dismissBots(ctx, revoked);
  await recordRevoked(ctx, revoked);
}

/** The token of the request, if it belongs to this container. @throws Unauthenticated, NotAllowed */
async function getOwnToken(ctx: Context, container: ContainerRef): Promise<PersonalAccessToken> {
  const token = await ownToken.find(ctx, {});
  const of = containerOfRow(token);
  if (of?.kind !== container.kind || of.id !== container.id) throw new NotAllowed('405 Method Not Allowed');
  // With the level that its bot has by now.
  return findResourceAccessToken(ctx, container, token.id);
}

/** Reading tokens. Without the right to, they are 401. */
function readingOperations(type: ContainerType<Container>) {
  const { kind: of, noun, resource } = type;
  const readable = {
    resource,
    can: can(resourceAccessTokenPolicy, 'read_resource_access_token'),
    denial: unauthenticated,
    kind: 'read',
  } as const;
  return {
    /** List the tokens, including expired and revoked ones. */
    list: operation({
      name: `list${noun}AccessTokens`,
      ...readable,
      summary: `List the access tokens of a ${of}`,
      statements: 4,
      params: tokenFilterParams,
      run: (ctx, container, input) =>
        Promise.resolve({
          ...resourceAccessTokens(container, tokenConditions(ctx, input)),
          order: tokenOrder(input.sort),
        }),
    }),

    /** Read one token, without the token itself. */
    get: operation({
      name: `get${noun}AccessToken`,
      ...readable,
      summary: `Read an access token of a ${of}`,
      statements: 3,
      params: tokenParam,
      run: (ctx, container, input) => findResourceAccessToken(ctx, container, input.token_id),
    }),
  };
}

/** Ending and renewing tokens. */
function changingOperations(type: ContainerType<Container>) {
  const { kind: of, noun, resource } = type;
  const manageable = {
    resource,
    can: can(resourceAccessTokenPolicy, 'manage_resource_access_token'),
    denial: unauthenticated,
    kind: 'write',
  } as const;
  return {
    create: resourceAccessTokenCreation(type),

    /** Revoke a token: it is refused from the next request on, and its bot has no role any more. */
    revoke: operation({
      name: `revoke${noun}AccessToken`,
      ...manageable,
      summary: `Revoke an access token of a ${of}`,
      params: tokenParam,
      run: (ctx, container, input) => revoke(ctx, container, input.token_id),
    }),

    /** Rotate a token: revokes it and creates its successor with the same bot, which only this response shows. */
    rotate: operation({
      name: `rotate${noun}AccessToken`,
      ...manageable,
      summary: `Rotate an access token of a ${of}`,
      rotates: true,
      params: { ...tokenParam, ...rotateParams },
      run: async (ctx, container, input) =>
        rotateToken(
          ctx,
          await findResourceAccessToken(ctx, container, input.token_id),
          input.expires_at,
          container.access,
        ),
    }),

    /** Rotate the token that the request is sent with: a scope of its own suffices, whatever its role. */
    rotateOwn: operation({
      name: `rotateOwn${noun}AccessToken`,
      resource,
      summary: `Rotate the ${of} access token in use`,
      kind: 'write',
      scopes: ['api', 'self_rotate'],
      rotates: true,
      params: rotateParams,
      run: async (ctx, container, input) => rotateToken(ctx, await getOwnToken(ctx, container), input.expires_at),
    }),
  };
}

/** The operations on the access tokens of a project or group. */
export const resourceAccessTokenOperations = forContainers((type) => ({
  ...readingOperations(type),
  ...changingOperations(type),
}));
