import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { Expression } from '../../core/expressions/expressions.js';
import { containerTable } from '../../core/operations/container.js';
import type { ContainerRef } from '../../core/operations/container.js';
import { boolean, clearableText, optional, wholeNumber } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { forContainers, lockContainer } from '../../tenancy/containers/container.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { GroupPushRule } from './push-rule.entity.js';
import type { PushRule } from './push-rule.entity.js';
import { pushRulePolicy } from './push-rule.policy.js';

const RULES = [
  'commit_message_regex',
  'branch_name_regex',
  'deny_delete_tag',
  'member_check',
  'max_file_size',
] as const;

const params = {
  commit_message_regex: clearableText().describe('Messages of commits match it, in the syntax of RE2.'),
  branch_name_regex: clearableText().describe('Names of branches match it, in the syntax of RE2.'),
  deny_delete_tag: optional(boolean()).describe('Whether git may delete no tag.'),
  member_check: optional(boolean()).describe('Whether the author of each commit has an account.'),
  max_file_size: optional(wholeNumber(0)).describe('The largest file, in MB; 0 for any size.'),
};

type Changes = { readonly [Name in (typeof RULES)[number]]?: PushRule[Name] | undefined };

async function findPushRule(ctx: Context, { kind, id }: ContainerRef): Promise<PushRule | undefined> {
  const { table, column } = containerTable(kind, 'push_rules');
  return ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom(`${table} as r`)
    .select(columns(GroupPushRule, 'r', ['id', ...RULES, 'created_at']))
    .where(`r.${column}`, '=', id)
    .executeTakeFirst();
}

/** @throws Invalid */
function requireExpressions(changes: Changes): void {
  for (const name of ['commit_message_regex', 'branch_name_regex'] as const) {
    const read = Expression.read(changes[name] ?? '');
    if (!(read instanceof Expression)) throw new Invalid({ [name]: [read.problem] });
  }
}

/** What a container's rule is before its first change, which makes it. */
const initialRule = (ctx: Context): PushRule => ({
  id: 0,
  commit_message_regex: null,
  branch_name_regex: null,
  deny_delete_tag: false,
  member_check: false,
  max_file_size: 0,
  created_at: ctx.clock.now(),
});

/** A rule with changes; what is left out stays. */
function changed(before: PushRule, changes: Changes): Omit<PushRule, 'id'> {
  const {
    commit_message_regex = before.commit_message_regex,
    branch_name_regex = before.branch_name_regex,
    deny_delete_tag = before.deny_delete_tag,
    member_check = before.member_check,
    max_file_size = before.max_file_size,
  } = changes;
  const { created_at } = before;
  return { commit_message_regex, branch_name_regex, deny_delete_tag, member_check, max_file_size, created_at };
}

async function writePushRule(
  ctx: Context,
  { kind, id }: ContainerRef,
  values: Omit<PushRule, 'id'>,
): Promise<PushRule> {
  const { table, column } = containerTable(kind, 'push_rules');
  const written = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .insertInto(table)
    .values({ ...values, [column]: id } as typeof values & { namespace_id: number })
    .onConflict((conflict) => conflict.column(column).doUpdateSet(values))
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...values, id: written.id };
}

/** The push rule of a project or group. */
export const pushRuleOperations = forContainers(({ kind, noun, subject }) => ({
  get: operation({
    name: `get${noun}PushRule`,
    summary: `Read the push rule of a ${kind}`,
    subject,
    can: can(pushRulePolicy, 'read_push_rule'),
    kind: 'read',
    statements: 4,
    async run(ctx, container): Promise<PushRule> {
      const rule = await findPushRule(ctx, container);
      if (!rule) throw new NotFound('Push Rule');
      return rule;
    },
  }),

  update: operation({
    name: `update${noun}PushRule`,
    summary: `Change the push rule of a ${kind}`,
    example: { deny_delete_tag: true },
    subject,
    can: can(pushRulePolicy, 'change_push_rule'),
    kind: 'write',
    params,
    async run(ctx, container, changes): Promise<PushRule> {
      requireExpressions(changes);
      await lockContainer(ctx, container);
      const before = (await findPushRule(ctx, container)) ?? initialRule(ctx);
      const after = await writePushRule(ctx, container, changed(before, changes));
      ctx.record({ type: 'push_rule.updated', container: container.named, before, after });
      return after;
    },
  }),
}));
