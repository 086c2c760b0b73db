import { containerColumns } from '../../core/operations/container.js';
import type { ContainerType } from '../../core/operations/container.js';
import { getUserId } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { can, operation } from '../../core/operations/operation.js';
import { generateToken } from '../../core/values/secrets.js';
import { lockContainer } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { DeployToken } from './deploy-token.entity.js';
import type { DeployTokenRecord } from './deploy-token.entity.js';
import { findDeployTokenOf } from './deploy-token.finder.js';
import { deployTokenPolicy } from './deploy-token.policy.js';
import { inFixedOrder, newDeployTokenParams, requireValues } from './deploy-token-values.js';
import type { PlainDeployToken } from './deploy-token.serializer.js';

interface NewDeployToken {
  name: string;
  scopes: readonly string[];
  expires_at?: Date | null | undefined;
  username?: string | undefined;
}

/** Stores a token's digest and answers the token itself, which nothing can show again. */
async function insertDeployToken(
  ctx: Context,
  container: Container,
  attributes: NewDeployToken,
): Promise<{ token: DeployTokenRecord; plain: string }> {
  const now = ctx.clock.now();
  const plain = generateToken(ctx.settings.deploy_token_prefix);
  const id = await ctx.em.insert(DeployToken, {
    ...containerColumns(container),
    name: attributes.name,
    username: attributes.username ?? null,
    digest: ctx.services.keys.digest(plain),
    scopes: inFixedOrder(attributes.scopes),
    revoked: false,
    expires_at: attributes.expires_at ?? null,
    last_used_at: null,
    created_by_id: getUserId(ctx.caller) || null,
    created_at: now,
    updated_at: now,
  });
  return { token: await findDeployTokenOf(ctx, container, id), plain };
}

/** Creating a deploy token of a project or group. */
export function deployTokenCreation({ kind, noun, resource }: ContainerType<Container>) {
  return operation({
    name: `create${noun}DeployToken`,
    summary: `Create a deploy token of a ${kind}`,
    resource,
    can: can(deployTokenPolicy, 'create_deploy_token'),
    authentication: 'open',
    kind: 'write',
    params: newDeployTokenParams(kind),
    async run(ctx, container, input): Promise<PlainDeployToken> {
      requireValues(input);
      await lockContainer(ctx, container);
      const { token, plain } = await insertDeployToken(ctx, container, input);
      ctx.record({ type: 'deploy_token.created', container: container.summary, token });
      return { ...token, plain };
    },
  });
}
