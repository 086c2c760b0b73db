import { containerColumns } from '../../core/operations/container.js';
import type { ContainerType } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { Conflict, Invalid } from '../../core/values/errors.js';
import { integer, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { lockContainer } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { newEntryParams, requireApprovers, nameProblems } from './entry-params.js';
import type { EnvironmentEntryInput } from './entry-params.js';
import { planEntries } from './plan-entries.js';
import { ProtectedEnvironment } from './protected-environment.entity.js';
import { protectedEnvironmentPolicy } from './protected-environment.policy.js';
import { qualifying } from './qualifying-entries.js';
import { entriesOfProtection, writeEntries } from './write-entries.js';

interface ProtectionAttributes {
  name: string;
  deploy_access_levels: EnvironmentEntryInput[];
  approval_rules?: EnvironmentEntryInput[] | undefined;
}

const DEPRECATED =
  "Parameter 'required_approval_count' is deprecated and shouldn't be used. See the parameter 'approval_rules'.";

const alreadyProtected = ({ kind }: Container, name: string) =>
  new Conflict(
    kind === 'group' ? `Protected environment '${name}' already exists` : `Environment '${name}' is already protected`,
  );

async function isProtected(ctx: Context, { kind, id }: Container, name: string): Promise<boolean> {
  const column = kind === 'project' ? 'project_id' : 'namespace_id';
  return (await ctx.em.count(ProtectedEnvironment, { [column]: id, name })) > 0;
}

/** Stores one without entries. @throws Conflict */
async function insert(ctx: Context, container: Container, name: string): Promise<ProtectedEnvironment> {
  const now = ctx.clock.now();
  const { project_id, namespace_id } = containerColumns(container);
  const row = await ctx.em
    .getKysely<DeploymentsDatabase>()
    .insertInto('protected_environments')
    .values({ project_id, namespace_id, name, required_approval_count: 0, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns(ProtectedEnvironment, 'protected_environments'))
    .executeTakeFirst();
  if (!row) throw alreadyProtected(container, name);
  return row;
}

/** @throws Conflict, Invalid */
async function protect(
  ctx: Context,
  container: Container,
  { name, ...attributes }: ProtectionAttributes,
): Promise<ProtectedEnvironment> {
  await lockContainer(ctx, container);
  if (await isProtected(ctx, container, name)) throw alreadyProtected(container, name);
  const { deploy_access_levels: levels, approval_rules: rules = [] } = attributes;
  const qualifies = await qualifying(ctx, container, [...levels, ...rules]);
  const plans = {
    deploy_access_levels: planEntries('deploy_access_levels', [], levels, qualifies),
    approval_rules: planEntries('approval_rules', [], rules, qualifies),
  };
  const problems = [
    ...nameProblems(container.kind, name),
    ...plans.deploy_access_levels.problems,
    ...plans.approval_rules.problems,
  ];
  if (problems.length > 0) throw new Invalid(problems, 422);
  const found = await insert(ctx, container, name);
  await writeEntries(ctx, found, plans);
  const entries = await entriesOfProtection(ctx, found);
  ctx.record({ type: 'protected_environment.created', container: container.summary, protection: found, entries });
  return found;
}

/**
 * Protects an environment of a project, or a tier of a group: from then on only users matching its entries can deploy
 * there. Entries for ineligible users or groups are silently dropped.
 */
export function environmentProtection({ kind, noun, resource }: ContainerType<Container>) {
  return operation({
    name: `protect${noun}Environment`,
    summary: kind === 'project' ? 'Protect an environment of a project' : 'Protect a deployment tier of a group',
    resource,
    can: can(protectedEnvironmentPolicy, 'create_protected_environment'),
    authentication: 'resource',
    kind: 'write',
    plan: 'premium',
    params: {
      name: text()
        .describe(kind === 'project' ? 'Name of the environment, which need not exist.' : 'Deployment tier to protect.')
        .meta({ examples: ['production'] }),
      ...newEntryParams,
      required_approval_count: optional(integer()).describe(
        'Deprecated: only 0 is accepted. Use `approval_rules` instead.',
      ),
    },
    run(ctx, container, input) {
      requireApprovers(input.approval_rules);
      if ((input.required_approval_count ?? 0) > 0) throw new Invalid(DEPRECATED, 422);
      return protect(ctx, container, input);
    },
  });
}
