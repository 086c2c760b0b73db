import type { Expression, SqlBool } from 'kysely';
import { containerColumns } from '../../core/operations/container.js';
import type { ContainerType } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { boolean, integer, optional } from '../../core/operations/fields.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import { forContainers } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { deployTokenCreation } from './create-deploy-token.js';
import { DeployToken } from './deploy-token.entity.js';
import type { DeployTokenRecord } from './deploy-token.entity.js';
import { activeTokens } from './deploy-token-state.js';
import { deployTokens, findDeployTokenOf, isTokenOfContainer } from './deploy-token.finder.js';
import { deployTokenPolicy } from './deploy-token.policy.js';

const tokenParam = { token_id: integer().describe('ID of the token.') };
const filterParams = {
  active: optional(boolean()).describe(
    'If `true`, returns only tokens that are neither revoked nor expired; otherwise, returns all tokens.',
  ),
};

const filters = (ctx: Context, { active }: { active?: boolean | undefined }): Expression<SqlBool>[] =>
  active ? [activeTokens(ctx.clock.now())] : [];

/** List all deploy tokens of the instance, regardless of their project or group. */
export const listDeployTokens = operation({
  name: 'listDeployTokens',
  summary: 'List all deploy tokens',
  resource: instance,
  authentication: 'administrator',
  kind: 'read',
  offerings: ['self-managed', 'dedicated'],
  statements: 3,
  params: filterParams,
  run: (ctx, _instance, input) => Promise.resolve(deployTokens(filters(ctx, input))),
});

/** Revoking a token that is already revoked changes nothing and records no event. */
async function revoke(ctx: Context, container: Container, id: number): Promise<DeployTokenRecord> {
  const changed = await ctx.em.nativeUpdate(
    DeployToken,
    { id, ...containerColumns(container), revoked: false },
    { revoked: true, updated_at: ctx.clock.now() },
  );
  const token = await findDeployTokenOf(ctx, container, id);
  if (changed > 0) ctx.record({ type: 'deploy_token.revoked', container: container.summary, token });
  return token;
}

/** The row goes; of two at once one finds nothing any more. */
async function remove(ctx: Context, container: Container, id: number): Promise<void> {
  const token = await findDeployTokenOf(ctx, container, id);
  requireUnmodified(ctx, token);
  if ((await ctx.em.nativeDelete(DeployToken, { id })) === 0) throw new NotFound();
  ctx.record({ type: 'deploy_token.deleted', container: container.summary, token });
}

/** Listing and reading: Maintainers. No sign-in comes first (rest-conventions.md section 3.4). */
function readingOperations({ kind, noun, resource }: ContainerType<Container>) {
  const readable = {
    resource,
    can: can(deployTokenPolicy, 'read_deploy_token'),
    authentication: 'open',
    kind: 'read',
  } as const;
  return {
    list: operation({
      name: `list${noun}DeployTokens`,
      ...readable,
      summary: `List the deploy tokens of a ${kind}`,
      statements: 4,
      params: filterParams,
      run: (ctx, container, input) =>
        Promise.resolve(deployTokens([isTokenOfContainer(container), ...filters(ctx, input)])),
    }),

    get: operation({
      name: `get${noun}DeployToken`,
      ...readable,
      summary: `Read a deploy token of a ${kind}`,
      statements: 3,
      params: tokenParam,
      run: (ctx, container, input) => findDeployTokenOf(ctx, container, input.token_id),
    }),
  };
}

/** Ending a token: Maintainers of the project, Owners of the group. */
function endingOperations({ kind, noun, resource }: ContainerType<Container>) {
  const endable = {
    resource,
    can: can(deployTokenPolicy, 'destroy_deploy_token'),
    authentication: 'open',
    kind: 'write',
    params: tokenParam,
  } as const;
  return {
    /** Refused from now on, and still listed; nothing takes it back. */
    revoke: operation({
      name: `revoke${noun}DeployToken`,
      ...endable,
      summary: `Revoke a deploy token of a ${kind}`,
      run: (ctx, container, input) => revoke(ctx, container, input.token_id),
    }),

    /** Refused from now on, and gone. */
    remove: operation({
      name: `delete${noun}DeployToken`,
      ...endable,
      summary: `Delete a deploy token of a ${kind}`,
      run: (ctx, container, input) => remove(ctx, container, input.token_id),
    }),
  };
}

/** The operations on the deploy tokens of a project or group. A token is never edited (deploy-tokens.md section 1). */
export const deployTokenOperations = forContainers((type) => ({
  ...readingOperations(type),
  create: deployTokenCreation(type),
  ...endingOperations(type),
}));
