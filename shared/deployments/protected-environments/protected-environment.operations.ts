import type { ContainerType } from '../../core/operations/container.js';
import { NotFound } from '../../core/values/errors.js';
import { text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import { forContainers } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { environmentProtection } from './protect-environment.js';
import { ProtectedEnvironment } from './protected-environment.entity.js';
import { findProtectedEnvironment, findProtectedEnvironments } from './protected-environment.finder.js';
import { protectedEnvironmentPolicy } from './protected-environment.policy.js';
import { entryLoads } from './protected-environment.serializer.js';
import { protectionUpdate } from './update-protected-environment.js';
import { entriesOfProtection } from './write-entries.js';

const params = {
  name: text()
    .describe('Name of the environment, or of the deployment tier for a group.')
    .meta({ examples: ['production'] }),
};

function readingOperations({ kind, noun, resource }: ContainerType<Container>) {
  const readable = {
    resource,
    can: can(protectedEnvironmentPolicy, 'read_protected_environment'),
    authentication: 'resource',
    kind: 'read',
    plan: 'premium',
  } as const;
  return {
    list: operation({
      name: `list${noun}ProtectedEnvironments`,
      ...readable,
      summary: `List the protected environments of a ${kind}`,
      statements: 6,
      run: (_ctx, container) => Promise.resolve(findProtectedEnvironments(container)),
    }),

    get: operation({
      name: `get${noun}ProtectedEnvironment`,
      ...readable,
      summary: `Read a protected environment of a ${kind}`,
      statements: 5,
      params,
      run: (ctx, container, input) => findProtectedEnvironment(ctx, container, input.name),
    }),
  };
}

/** Taking the protection away. Answers what it was. */
function unprotection({ kind, noun, resource }: ContainerType<Container>) {
  return operation({
    name: `unprotect${noun}Environment`,
    summary: kind === 'project' ? 'Unprotect an environment of a project' : 'Unprotect a deployment tier of a group',
    resource,
    can: can(protectedEnvironmentPolicy, 'destroy_protected_environment'),
    authentication: 'resource',
    kind: 'write',
    plan: 'premium',
    params,
    async run(ctx, container, input) {
      const found = await findProtectedEnvironment(ctx, container, input.name);
      requireUnmodified(ctx, found);
      const entries = await entriesOfProtection(ctx, found);
      // They are deleted with it, but still returned in the response.
      entryLoads.deploy_access_levels.put(ctx, found, [...entries.deploy_access_levels]);
      entryLoads.approval_rules.put(ctx, found, [...entries.approval_rules]);
      if ((await ctx.em.nativeDelete(ProtectedEnvironment, { id: found.id })) === 0) throw new NotFound();
      ctx.record({ type: 'protected_environment.removed', container: container.summary, protection: found, entries });
      return found;
    },
  });
}

/** The operations on the protected environments of a project or group (protected-environments.md section 1). */
export const protectedEnvironmentOperations = forContainers((type) => ({
  ...readingOperations(type),
  create: environmentProtection(type),
  update: protectionUpdate(type),
  remove: unprotection(type),
}));
