import type { UserOrAnonymous } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { Expression } from '../../core/expressions/expressions.js';
import { administers, containerTable } from '../../core/operations/container.js';
import type { ContainerRef, ContainerType } from '../../core/operations/container.js';
import { can, operation } from '../../core/operations/operation.js';
import { getAtLeastOne } from '../../core/operations/params.js';
import { policy } from '../../core/operations/policy.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import type { Problems } from '../../core/values/errors.js';
import { forContainers, lockContainer } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import {
  declaredProblems,
  getSettingParams,
  initialSettings,
  readDeclaredSettings,
} from '../../tenancy/namespaces/declared-settings.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { GroupPushRule, PUSH_RULES, pushRules } from './push-rule.entity.js';
import type { PushRule } from './push-rule.entity.js';

/** Maintainers of a project, Owners of a group; also for reading. */
const pushRulePolicy = policy({
  read_push_rule: (caller: UserOrAnonymous, container: Container) => administers(caller, container),
  admin_push_rule: (caller: UserOrAnonymous, container: Container) => container.open && administers(caller, container),
});

const params = getSettingParams(pushRules);

/** What was sent, as columns. @throws Invalid */
function readRules(ctx: Context, input: Readonly<Record<string, unknown>>) {
  const problems: Problems = declaredProblems(pushRules, input);
  for (const name of PUSH_RULES.filter((one) => one.endsWith('_regex'))) {
    const expression = Expression.read(String(input[name] ?? ''));
    if (!(expression instanceof Expression)) problems[name] ??= [expression.problem];
  }
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
  return readDeclaredSettings(ctx, pushRules, input).settings;
}

/** @throws NotFound "404 Push Rule Not Found" */
async function findPushRule(ctx: Context, { kind, id }: ContainerRef): Promise<PushRule> {
  const { table, column } = containerTable(kind, 'push_rules');
  const rule = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom(`${table} as r`)
    .select(columns(GroupPushRule, 'r', ['id', ...PUSH_RULES, 'created_at']))
    .where(`r.${column}`, '=', id)
    .executeTakeFirst();
  if (!rule) throw new NotFound('Push Rule');
  return rule;
}

function declarePushRule({ kind, noun, resource }: ContainerType<Container>) {
  const { table, column } = containerTable(kind, 'push_rules');
  const needs = { resource, authentication: 'signed_in_resource', plan: 'premium' } as const;
  const writing = { ...needs, can: can(pushRulePolicy, 'admin_push_rule'), kind: 'write' } as const;
  return {
    get: operation({
      name: `get${noun}PushRule`,
      ...needs,
      can: can(pushRulePolicy, 'read_push_rule'),
      kind: 'read',
      summary: `Read the push rule of a ${kind}`,
      statements: 4,
      run: findPushRule,
    }),

    create: operation({
      name: `create${noun}PushRule`,
      ...writing,
      summary: `Create the push rule of a ${kind}`,
      params,
      async run(ctx, container, input): Promise<PushRule> {
        const row = { ...initialSettings(pushRules), ...readRules(ctx, input), created_at: ctx.clock.now() };
        await lockContainer(ctx, container);
        const inserted = await ctx.em
          .getKysely<RepositoriesDatabase>()
          .insertInto(table)
          .values({ ...row, [column]: container.id } as typeof row & { namespace_id: number })
          .onConflict((conflict) => conflict.column(column).doNothing())
          .returning('id')
          .executeTakeFirst();
        if (!inserted) throw new Invalid([`${noun} push rule exists`], 422);
        const rule = { ...row, id: inserted.id };
        ctx.record({ type: 'push_rule.created', container: container.summary, rule });
        return rule;
      },
    }),

    update: operation({
      name: `update${noun}PushRule`,
      ...writing,
      summary: `Edit the push rule of a ${kind}`,
      example: { deny_delete_tag: true },
      params,
      rules: [getAtLeastOne(...PUSH_RULES)],
      async run(ctx, container, input): Promise<PushRule> {
        const changes = readRules(ctx, input);
        await lockContainer(ctx, container);
        const before = await findPushRule(ctx, container);
        await ctx.em
          .getKysely<RepositoriesDatabase>()
          .updateTable(table)
          .set(changes)
          .where(column, '=', container.id)
          .execute();
        const rule = { ...before, ...changes };
        ctx.record({ type: 'push_rule.updated', container: container.summary, before, rule });
        return rule;
      },
    }),

    remove: operation({
      name: `delete${noun}PushRule`,
      ...writing,
      summary: `Delete the push rule of a ${kind}`,
      async run(ctx, container): Promise<void> {
        await lockContainer(ctx, container);
        const rule = await findPushRule(ctx, container);
        requireUnmodified(ctx, rule);
        await ctx.em.getKysely<RepositoriesDatabase>().deleteFrom(table).where(column, '=', container.id).execute();
        ctx.record({ type: 'push_rule.deleted', container: container.summary, rule });
      },
    }),
  };
}

/** The operations on the push rule of a project or group. */
export const pushRuleOperations = forContainers(declarePushRule);
