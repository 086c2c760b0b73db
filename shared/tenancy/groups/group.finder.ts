import { aboutNamespace } from '../../core/job-context.js';
import type { GroupRecord } from './group.record.js';
import type { Caller } from '../../core/callers.js';
import { userIdOf } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { text } from '../../core/fields.js';
import { readAll } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { and, or, raw, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { aboveMembership, memberOfGroup, namespaceAccess, today } from '../access/access.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { GroupSettings } from './group-settings.entity.js';
import { groupPolicy } from './group.policy.js';

const tables: Fragment = sql`namespaces n
  join group_settings gs on gs.namespace_id = n.id
  join routes r on r.namespace_id = n.id`;

function selected(ctx: Context<Caller>): Fragment {
  return sql`${textColumns(Namespace, 'n')}, ${textColumns(GroupSettings, 'gs', 'settings.')},
    r.path as "full_path", r.name as "full_name",
    ${namespaceAccess(userIdOf(ctx.caller), today(ctx))} as "access", ${aboveMembership(userIdOf(ctx.caller), today(ctx))} as "below"`;
}

/**
 * The group that an id or full path names, if the caller may read it.
 * @param reference digits are an id; anything else is a full path, whatever its case
 * @throws NotFound "404 Group Not Found", also for what is invisible and for people's namespaces
 */
export async function findGroup(ctx: Context<Caller>, reference: string | number): Promise<GroupRecord> {
  const condition = groupCondition(reference);
  if (!condition) throw new NotFound('Group');
  return readGroup(ctx, condition);
}

/** The group of that id or full path, as a condition on `n` and its route `r`; null for what can be neither. */
export function groupCondition(reference: string | number): Fragment | null {
  const given = String(reference);
  if (!/^\d+$/.test(given)) return sql`lower(r.path) = lower(${given})`;
  // Longer numbers are beyond any id and would not fit the column.
  return given.length > 15 ? null : sql`n.id = ${Number(given)}`;
}

/** The group of a full path, digits included, if the caller may read it. @throws NotFound "404 Group Not Found" */
export const findGroupByPath = (ctx: Context<Caller>, fullPath: string): Promise<GroupRecord> =>
  readGroup(ctx, sql`lower(r.path) = lower(${fullPath})`);

async function readGroup(ctx: Context<Caller>, condition: Fragment): Promise<GroupRecord> {
  const group = await ctx.queryOne<GroupRecord>(
    sql`select ${selected(ctx)} from ${tables} where ${condition} and n.kind = 'group'`,
  );
  if (!group || !groupPolicy.read_group(ctx.caller, group)) throw new NotFound('Group').hiding(group !== null);
  return group;
}

/** Many groups by id, those that the caller may read. */
export async function groupsById(ctx: Context, ids: readonly number[]): Promise<Map<number, GroupRecord>> {
  const found = await readAll(ctx, visibleGroups(ctx, [sql`n.id = any(${ids}::bigint[])`]));
  return new Map(found.map((one) => [one.id, one]));
}

/** The subject of every `/groups/:id/…` operation. */
export const group: Subject<GroupRecord, Caller> = {
  noun: 'Group',
  params: {
    id: text()
      .describe('Id, or URL-encoded full path, of the group.')
      .meta({ examples: ['engineering'] }),
  },
  find: (ctx, input: { id: string }) => findGroup(ctx, input.id),
  about: aboutNamespace,
};

/** Groups that the caller belongs to: joined, below or above one that is joined, or above a joined project. */
export function ownGroupsCondition(ctx: Context): Fragment {
  const { caller } = ctx;
  if (caller.anonymous) return sql`false`;
  return or([memberOfGroup(caller.id, today(ctx)), aboveMembership(caller.id, today(ctx))]);
}

/** Groups that are there, and open to the caller or theirs by one of these conditions. */
function reachable(ctx: Context, own: (userId: number, day: string) => Fragment): Fragment {
  const { caller } = ctx;
  const there = [sql`n.kind = 'group'`, sql`gs.removal_started_at is null`];
  if (caller.admin) return and(there);
  if (caller.anonymous) return and([...there, sql`n.visibility = 'public'`]);
  const open = caller.user?.external ? sql`n.visibility = 'public'` : sql`n.visibility in ('public', 'internal')`;
  return and([...there, or([open, own(caller.id, today(ctx))])]);
}

/** Groups that the caller may read: the same rule as `read_group`, as a condition on `n` and its settings `gs`. */
export function visibleGroupsCondition(ctx: Context): Fragment {
  return reachable(ctx, () => ownGroupsCondition(ctx));
}

/** Groups whose members the caller may know: as `read_group_member` of those that they may read, on `n` and `gs`. */
export function knownMembersCondition(ctx: Context): Fragment {
  return reachable(ctx, memberOfGroup);
}

/** Groups that the caller may read, by name; filters are added to `where`. */
export function visibleGroups(ctx: Context, where: readonly Fragment[] = []): TextList<GroupRecord> {
  return {
    select: selected(ctx),
    from: tables,
    where: [visibleGroupsCondition(ctx), ...where],
    order: [
      { key: 'name', expression: raw('n.name'), direction: 'asc', type: 'text', value: (one) => one.name },
      { key: 'id', expression: raw('n.id'), direction: 'asc', type: 'integer', value: (one) => one.id },
    ],
  };
}
