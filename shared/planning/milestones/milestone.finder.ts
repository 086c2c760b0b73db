import { containerColumn } from '../../core/container.js';
import type { ContainerRef } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import type { TextList, OrderStep } from '../../core/list.js';
import { byId } from '../../core/list.js';
import { or, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { Container } from '../../tenancy/containers/container.js';
import { visibleGroupsCondition } from '../../tenancy/groups/group.finder.js';
import { planningProjects } from '../planning-rights/planning-rights.js';
import { Milestone } from './milestone.entity.js';
import type { MilestoneRecord } from './milestone.record.js';

/** Which milestones of a project or group are meant besides its own. */
export interface MilestoneReach {
  /** Those of the groups above it: whoever may read it may read these. */
  ancestors?: boolean;
  /** Of a group: those of the groups and projects below it that the caller may read. */
  descendants?: boolean;
}

const selected: Fragment = sql`${textColumns(Milestone, 'm')},
  (select r.path from routes r where r.project_id = m.project_id
   union all select r.path from routes r where r.namespace_id = m.namespace_id) as "full_path"`;

/** Milestones within reach of a project or group, as a condition on `m`. */
function within(ctx: Context, container: Container, { ancestors, descendants }: MilestoneReach): Fragment {
  const ways = [sql`m.${containerColumn(container.kind)} = ${container.id}`];
  if (ancestors) ways.push(sql`m.namespace_id = any(${[...container.namespaceIds]}::bigint[])`);
  if (container.kind === 'group' && descendants)
    ways.push(
      sql`m.namespace_id = any(array(
        select n.id from namespaces n join group_settings gs on gs.namespace_id = n.id
         where n.traversal_ids @> array[${container.id}::bigint] and ${visibleGroupsCondition(ctx)}))`,
      sql`m.project_id = any(array(
        select p.id from projects p join namespaces d on d.id = p.namespace_id
         where d.traversal_ids @> array[${container.id}::bigint] and ${planningProjects(ctx)}))`,
    );
  return or(ways);
}

/** Later than any day that a milestone ends on. */
const OPEN_END = 'infinity';

/** Those that end first come first, and those without an end last. */
const byDueDate: readonly OrderStep<MilestoneRecord>[] = [
  {
    key: 'due_date',
    expression: sql`coalesce(m.due_date, 'infinity'::date)`,
    direction: 'asc',
    type: 'text',
    value: ({ due_date }) => due_date ?? OPEN_END,
  },
  byId('m', 'desc'),
];

/** The milestones within reach of a project or group. */
export function milestonesOf(
  ctx: Context,
  container: Container,
  reach: MilestoneReach,
  where: readonly Fragment[] = [],
): TextList<MilestoneRecord> {
  return {
    select: selected,
    from: sql`milestones m`,
    where: [within(ctx, container, reach), ...where],
    order: byDueDate,
  };
}

/** A milestone of this very project or group. @throws NotFound "404 Not found", also for one of another container */
export async function findMilestoneOf(
  ctx: Context,
  { kind, id: of }: ContainerRef,
  id: number,
): Promise<MilestoneRecord> {
  const milestone = await ctx.queryOne<MilestoneRecord>(sql`
    select ${selected} from milestones m where m.id = ${id} and m.${containerColumn(kind)} = ${of}`);
  if (!milestone) throw new NotFound();
  return milestone;
}

/** Milestones by id, whoever may see them: rights on their project or group are the caller's business. */
export async function milestonesById(ctx: Context, ids: readonly number[]): Promise<Map<number, MilestoneRecord>> {
  if (ids.length === 0) return new Map();
  const found = await ctx.query<MilestoneRecord>(sql`
    select ${selected} from milestones m where m.id = any(${ids}::bigint[])`);
  return new Map(found.map((one) => [one.id, one]));
}
