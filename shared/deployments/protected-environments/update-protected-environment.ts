import type { ContainerType } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { integer, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { lockContainer } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { entryChangeParams, requireApprovers, countProblems } from './entry-params.js';
import type { EnvironmentEntryInput } from './entry-params.js';
import { planEntries } from './plan-entries.js';
import { ProtectedEnvironment } from './protected-environment.entity.js';
import { findProtectedEnvironment } from './protected-environment.finder.js';
import { protectedEnvironmentPolicy } from './protected-environment.policy.js';
import { qualifying } from './qualifying-entries.js';
import { ENTRY_KINDS, entriesOfProtection, writeEntries } from './write-entries.js';
import type { EntriesByKind } from './write-entries.js';

interface ProtectionChanges {
  deploy_access_levels?: EnvironmentEntryInput[] | undefined;
  approval_rules?: EnvironmentEntryInput[] | undefined;
  required_approval_count?: number | undefined;
}

/** Plans the changes to the entries of the kinds in the request. @throws NotFound, Invalid */
async function plansFor(ctx: Context, container: Container, before: EntriesByKind, changes: ProtectionChanges) {
  const kinds = ENTRY_KINDS.filter((kind) => changes[kind] !== undefined);
  const qualifies = await qualifying(
    ctx,
    container,
    kinds.flatMap((kind) => changes[kind] ?? []),
  );
  const plans = kinds.map((kind) => [kind, planEntries(kind, before[kind], changes[kind] ?? [], qualifies)] as const);
  const problems = [
    ...plans.flatMap(([, plan]) => plan.problems),
    ...(changes.required_approval_count === undefined ? [] : countProblems(changes.required_approval_count)),
  ];
  if (problems.length > 0) throw new Invalid(problems, 422);
  return Object.fromEntries(plans);
}

/** @throws NotFound, Invalid */
async function update(
  ctx: Context,
  container: Container,
  name: string,
  changes: ProtectionChanges,
): Promise<ProtectedEnvironment> {
  await lockContainer(ctx, container);
  const found = await findProtectedEnvironment(ctx, container, name);
  const before = await entriesOfProtection(ctx, found);
  await writeEntries(ctx, found, await plansFor(ctx, container, before, changes));
  const edited = {
    required_approval_count: changes.required_approval_count ?? found.required_approval_count,
    updated_at: ctx.clock.now(),
  };
  await ctx.em.nativeUpdate(ProtectedEnvironment, { id: found.id }, edited);
  const after = { ...found, ...edited };
  ctx.record({
    type: 'protected_environment.updated',
    container: container.summary,
    before: { protection: found, entries: before },
    after: { protection: after, entries: await entriesOfProtection(ctx, found) },
  });
  return after;
}

/**
 * Changes who may deploy and who has to approve, atomically: any error rejects the whole request. Unlisted entries
 * stay.
 */
export function protectionUpdate({ kind, noun, resource }: ContainerType<Container>) {
  return operation({
    name: `update${noun}ProtectedEnvironment`,
    summary: `Change a protected environment of a ${kind}`,
    example: { deploy_access_levels: [{ access_level: 30 }] },
    resource,
    can: can(protectedEnvironmentPolicy, 'update_protected_environment'),
    authentication: 'resource',
    kind: 'write',
    plan: 'premium',
    statements: 24,
    params: {
      name: text()
        .describe(kind === 'project' ? 'Name of the environment.' : 'The deployment tier.')
        .meta({ examples: ['production'] }),
      ...entryChangeParams,
      required_approval_count: optional(integer()).describe(
        'Number of approvals, 0 to 5, that a deployment requires if no approval rules exist.',
      ),
    },
    run(ctx, container, input) {
      requireApprovers(input.approval_rules);
      return update(ctx, container, input.name, input);
    },
  });
}
