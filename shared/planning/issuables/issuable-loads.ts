import { expressionBuilder } from 'kysely';
import type { AliasableExpression, Expression } from 'kysely';
import { columns } from '../../core/database/columns.js';
import { anyOf, scalar } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { load } from '../../core/context/loads.js';
import type { Load } from '../../core/context/loads.js';
import { User } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { Label } from '../labels/label.entity.js';
import { labelSummary } from '../labels/label-summary.serializer.js';
import { milestonesById } from '../milestones/milestone.finder.js';
import type { PlanningDatabase } from '../planning.entities.js';
import type { Context } from '../../core/context/context.js';
import { projectsOfIds } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { hasAssignee } from './issuable-filters.js';
import type { IssuableType, LabelledType } from './issuable-type.js';

interface Numbered {
  readonly id: number;
}

interface Ids {
  readonly ids: readonly number[];
}

/** Of which record a row is. */
interface Owned {
  readonly issuable_id: number;
}

const getId = ({ id }: Numbered) => id;

function grouped<K, V>(rows: readonly V[], keys: readonly K[], key: (row: V) => K): Map<K, V[]> {
  const map = new Map<K, V[]>(keys.map((one) => [one, []]));
  for (const row of rows) map.get(key(row))?.push(row);
  return map;
}

/** The labels of each, by title (issue-links.md section 2). */
export function labelsOfIssuables({ tables }: LabelledType) {
  const find = prepareQuery<PlanningDatabase, Ids, Label & Owned>((db, { ids }) =>
    db
      .selectFrom(`${tables.labels} as x`)
      .innerJoin('labels as l', 'l.id', 'x.label_id')
      .select([`x.${tables.record_id} as issuable_id`, ...columns(Label, 'l')])
      .where(`x.${tables.record_id}`, '=', anyOf(ids, 'bigint'))
      .orderBy('l.title')
      .orderBy('l.id'),
  );
  return load(getId, async (ctx, records): Promise<Map<number, Label[]>> => {
    const ids = records.map(getId);
    return grouped(await find(ctx, { ids }), ids, (row) => row.issuable_id);
  });
}

/** The assignees of each record, ordered by creation of their accounts. */
export function assigneesOfIssuables({ tables }: IssuableType) {
  const find = prepareQuery<PlanningDatabase, Ids, UserSummary & Owned>((db, { ids }) =>
    db
      .selectFrom(`${tables.assignees} as x`)
      .innerJoin('users as u', 'u.id', 'x.user_id')
      .select([`x.${tables.record_id} as issuable_id`, ...columns(User, 'u', USER_SUMMARY)])
      .where(`x.${tables.record_id}`, '=', anyOf(ids, 'bigint'))
      .orderBy('u.id'),
  );
  return load(getId, async (ctx, records): Promise<Map<number, UserSummary[]>> => {
    const ids = records.map(getId);
    return grouped(await find(ctx, { ids }), ids, (row) => row.issuable_id);
  });
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

/** Whether a user is notified of what happens to record `i`: as they chose, else as author or assignee. */
export function isSubscribedTo(type: IssuableType, userId: number | Expression<number>): AliasableExpression<boolean> {
  const { tables } = type;
  const eb = expressionBuilder<Aliased<PlanningDatabase, { i: 'issues' }>, 'i'>();
  const chosen = eb
    .selectFrom(`${tables.subscriptions} as s`)
    .select('s.subscribed')
    .whereRef(`s.${tables.record_id}`, '=', 'i.id')
    .where('s.user_id', '=', userId);
  const takesPart = eb.or([eb('i.author_id', 'is not distinct from', userId), hasAssignee(type, userId)]);
  return eb.fn.coalesce(scalar(chosen), takesPart as Expression<boolean>);
}

/** Whether the caller is subscribed to each record. */
export function subscriptionsToIssuables(type: IssuableType) {
  const find = prepareQuery<PlanningDatabase, Ids & { userId: number }, { id: number; subscribed: boolean }>(
    (db, { ids, userId }) =>
      db
        .selectFrom(`${type.tables.records} as i`)
        .select(['i.id', isSubscribedTo(type, userId).as('subscribed')])
        .where('i.id', '=', anyOf(ids, 'bigint')),
  );
  return load(getId, async (ctx, records): Promise<Map<number, boolean>> => {
    if (ctx.caller.anonymous) return new Map();
    const rows = await find(ctx, { ids: records.map(getId), userId: ctx.caller.id });
    return new Map(rows.map((row) => [row.id, row.subscribed]));
  });
}

interface InProject {
  readonly project_id: number;
}

/** The projects of issues and merge requests that the caller may read. */
export async function projectsOfIssuables<T extends InProject>(
  ctx: Context,
  records: readonly T[],
): Promise<Map<T, ProjectRecord>> {
  const ids = [...new Set(records.map(({ project_id }) => project_id))];
  const rows = await projectsOfIds(ctx, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    records.flatMap((record): [T, ProjectRecord][] => {
      const project = byId.get(record.project_id);
      return project ? [[record, project]] : [];
    }),
  );
}
