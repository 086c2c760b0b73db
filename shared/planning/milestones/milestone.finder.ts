import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import { containerColumn } from '../../core/operations/container.js';
import type { ContainerKind, ContainerRef } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { anyOf, constant, scalar } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/values/errors.js';
import type { List, OrderStep } from '../../core/database/list.js';
import { byId, narrow } from '../../core/database/list.js';
import type { Container } from '../../tenancy/containers/container.js';
import { anyPlanningProject, anyVisibleBelow } from '../../tenancy/containers/below-group.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { Milestone } from './milestone.entity.js';
import type { MilestoneRecord } from './milestone.entity.js';

/** The milestones to include in addition to a project's or group's own. */
export interface MilestoneReach {
  /** Those of the ancestor groups: readable for callers who can read the project or group. */
  ancestors?: boolean;
  /** For a group: those of its subgroups and projects that the caller can read. */
  descendants?: boolean;
}

/** Milestones `m`, as conditions name them. */
export type OfMilestones = Aliased<PlanningDatabase, { m: 'milestones' }>;

/** Builds conditions on milestones `m`. */
export const onMilestones = expressionBuilder<OfMilestones, 'm'>();

/** The full path of the project or group of milestone `m`. */
function containerPath() {
  const ofProject = onMilestones
    .selectFrom('routes as r')
    .select('r.path')
    .whereRef('r.project_id', '=', 'm.project_id');
  const ofGroup = onMilestones
    .selectFrom('routes as r')
    .select('r.path')
    .whereRef('r.namespace_id', '=', 'm.namespace_id');
  return scalar(ofProject.unionAll(ofGroup));
}

/** Selects milestones `m` as records. */
const selectMilestones = (query: SelectQueryBuilder<OfMilestones, 'm', object>) =>
  query.select([...columns(Milestone, 'm'), containerPath().as('full_path')]);

/** Milestones within reach of a project or group, as a condition on `m`. */
function within(
  ctx: Context,
  { kind, id, namespaceIds }: Container,
  { ancestors, descendants }: MilestoneReach,
): Expression<SqlBool> {
  const ways = [onMilestones(`m.${containerColumn(kind)}`, '=', id)];
  if (ancestors) ways.push(onMilestones('m.namespace_id', '=', anyOf(namespaceIds, 'bigint')));
  if (kind === 'group' && descendants)
    ways.push(
      onMilestones('m.namespace_id', '=', anyVisibleBelow(ctx, id)),
      onMilestones('m.project_id', '=', anyPlanningProject(ctx, id, true)),
    );
  return onMilestones.or(ways);
}

/** Later than any day that a milestone ends on. */
const OPEN_END = 'infinity';

/** Those that end first come first, and those without an end last. */
const byDueDate: readonly OrderStep<MilestoneRecord>[] = [
  {
    key: 'due_date',
    expression: onMilestones.fn.coalesce('m.due_date', onMilestones.cast<string>(constant(OPEN_END), 'date')),
    direction: 'asc',
    type: 'text',
    value: ({ due_date }) => due_date ?? OPEN_END,
  },
  byId('m', 'desc'),
];

/** The milestones within reach of a project or group. */
export function findMilestones(
  ctx: Context,
  container: Container,
  reach: MilestoneReach,
  where: readonly Expression<SqlBool>[] = [],
): List<MilestoneRecord> {
  const list: List<MilestoneRecord> = {
    matching: expressionBuilder<OfMilestones>().selectFrom('milestones as m'),
    select: selectMilestones,
    order: byDueDate,
  };
  return narrow(list, [within(ctx, container, reach), ...where]);
}

const getLoad = (kind: ContainerKind) =>
  prepareQuery<OfMilestones, { id: number; container_id: number }, MilestoneRecord>((db, { id, container_id }) =>
    selectMilestones(db.selectFrom('milestones as m'))
      .where('m.id', '=', id)
      .where(`m.${containerColumn(kind)}`, '=', container_id),
  );
const load = { project: getLoad('project'), group: getLoad('group') };

/** A milestone of this very project or group. @throws NotFound "404 Not found", also for one of another container */
export async function findMilestoneOf(
  ctx: Context,
  { kind, id: of }: ContainerRef,
  id: number,
): Promise<MilestoneRecord> {
  const [milestone] = await load[kind](ctx, { id, container_id: of });
  if (!milestone) throw new NotFound();
  return milestone;
}

const loadById = prepareQuery<OfMilestones, { ids: readonly number[] }, MilestoneRecord>((db, { ids }) =>
  selectMilestones(db.selectFrom('milestones as m')).where('m.id', '=', anyOf(ids, 'bigint')),
);

/** Milestones by id, without a permission check: calling code checks access to their project or group. */
export async function milestonesById(ctx: Context, ids: readonly number[]): Promise<Map<number, MilestoneRecord>> {
  if (ids.length === 0) return new Map();
  const found = await loadById(ctx, { ids });
  return new Map(found.map((one) => [one.id, one]));
}
