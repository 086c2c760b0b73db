import { load } from '../../core/loads.js';
import type { Load } from '../../core/loads.js';
import { columns, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import { Label } from '../labels/label.entity.js';
import { labelSummary } from '../labels/label-summary.shape.js';
import { milestonesById } from '../milestones/milestone.finder.js';
import type { IssuableType, LabelledType } from './issuable-type.js';

interface Numbered {
  readonly id: number;
}

function grouped<K, V>(rows: readonly V[], keys: readonly K[], key: (row: V) => K): Map<K, V[]> {
  const map = new Map<K, V[]>(keys.map((one) => [one, []]));
  for (const row of rows) map.get(key(row))?.push(row);
  return map;
}

/** The labels of each, by title (issue-links.md section 2). */
export function labelsOfIssuables({ labels, column }: LabelledType) {
  return load(
    (record: Readonly<Numbered>) => record.id,
    async (ctx, records): Promise<Map<number, Label[]>> => {
      const ids = records.map(({ id }) => id);
      const rows = await ctx.query<Label & { issuable_id: number }>(sql`
        select x.${column} as "issuable_id", ${columns(Label, 'l')} from ${labels} x join labels l on l.id = x.label_id
         where x.${column} = any(${ids}::bigint[]) order by l.title, l.id`);
      return grouped(rows, ids, (row) => row.issuable_id);
    },
  );
}

/** Who is to work on each, in the order in which their accounts were made. */
export function assigneesOfIssuables({ assignees, column }: IssuableType) {
  return load(
    (record: Readonly<Numbered>) => record.id,
    async (ctx, records): Promise<Map<number, UserSummary[]>> => {
      const ids = records.map(({ id }) => id);
      const rows = await ctx.query<UserSummary & { issuable_id: number }>(sql`
        select x.${column} as "issuable_id", ${userSummaryColumns('u')} from ${assignees} x
          join users u on u.id = x.user_id where x.${column} = any(${ids}::bigint[]) order by u.id`);
      return grouped(rows, ids, (row) => row.issuable_id);
    },
  );
}

/** The milestone of each that has one. */
export const milestonesOfIssuables = load(
  (record: Readonly<Numbered & { milestone_id?: number | null | undefined }>) => record.milestone_id ?? 0,
  (ctx, records) => milestonesById(ctx, [...new Set(records.flatMap(({ milestone_id: id }) => (id ? [id] : [])))]),
);

/** Labels with what they show as records. */
export const labelsInFull = <T extends object>(labels: Load<T, Label[]>): Load<T> => ({
  of: labels.of,
  put: () => undefined,
  async fill(ctx, records) {
    await labels.fill(ctx, records);
    await labelSummary.load(
      ctx,
      records.flatMap((record) => labels.of(record, ctx) ?? []),
    );
  },
});

/** Whether a user is told of what happens to record `i`: as asked for, else as author or assignee. */
export const isSubscribedTo = ({ subscriptions, assignees, column }: IssuableType, userId: number): Sql => sql`coalesce(
  (select s.subscribed from ${subscriptions} s where s.${column} = i.id and s.user_id = ${userId}),
  i.author_id is not distinct from ${userId}
    or exists (select 1 from ${assignees} own where own.${column} = i.id and own.user_id = ${userId}))`;

/** Whether the caller is told of what happens to each. */
export function subscriptionsToIssuables(type: IssuableType) {
  return load(
    (record: Readonly<Numbered>) => record.id,
    async (ctx, records): Promise<Map<number, boolean>> => {
      if (ctx.caller.anonymous) return new Map();
      const rows = await ctx.query<{ id: number; subscribed: boolean }>(sql`
        select i.id as "id", ${isSubscribedTo(type, ctx.caller.id)} as "subscribed"
          from ${type.table} i where i.id = any(${records.map((record) => record.id)}::bigint[])`);
      return new Map(rows.map((row) => [row.id, row.subscribed]));
    },
  );
}
