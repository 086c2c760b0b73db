import { userIdOf } from '../../core/callers.js';
import { containerColumn } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import type { TextList, OrderStep } from '../../core/list.js';
import { byId, readAll } from '../../core/list.js';
import { and, likeLiteral, or, raw, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { Container } from '../../tenancy/containers/container.js';
import { visibleGroupsCondition } from '../../tenancy/groups/group.finder.js';
import { planningProjects } from '../planning-rights/planning-rights.js';
import { Label } from './label.entity.js';
import type { LabelRecord } from './label.record.js';

/** Which labels of a project or group are meant besides its own. */
export interface LabelReach {
  /** Those of the groups above it: whoever may read it may read these. */
  ancestors: boolean;
  /** Of a group: those of the groups below it that the caller may read. */
  descendants?: boolean;
  /** Of a group: also those of its projects, and with `descendants` of the projects below it. */
  projects?: boolean;
}

/** Labels within reach of a project or group, as a condition on `l`. */
function within(ctx: Context, container: Container, { ancestors, descendants, projects }: LabelReach): Fragment {
  const ways = [sql`l.${containerColumn(container.kind)} = ${container.id}`];
  if (ancestors) ways.push(sql`l.namespace_id = any(${[...container.namespaceIds]}::bigint[])`);
  if (container.kind === 'group' && descendants)
    ways.push(sql`l.namespace_id = any(array(
      select n.id from namespaces n join group_settings gs on gs.namespace_id = n.id
       where n.traversal_ids @> array[${container.id}::bigint] and ${visibleGroupsCondition(ctx)}))`);
  if (container.kind === 'group' && projects)
    ways.push(sql`l.project_id = any(array(
      select p.id from projects p
       where ${belowGroup(container.id, descendants ?? false)} and ${planningProjects(ctx)}))`);
  return or(ways);
}

/** Projects right in a group, or anywhere below it, as a condition on `p`. */
const belowGroup = (groupId: number, descendants: boolean): Fragment =>
  descendants
    ? sql`p.namespace_id = any(array(
        select d.id from namespaces d where d.traversal_ids @> array[${groupId}::bigint]))`
    : sql`p.namespace_id = ${groupId}`;

/** What a label record selects: with its priority in `project`, a condition's value, and the caller's subscription. */
const selectedFor = (ctx: Context, projectId: number | null): Fragment => sql`${textColumns(Label, 'l')},
  ${
    projectId === null
      ? sql`null::integer`
      : sql`(select lp.priority from label_priorities lp where lp.project_id = ${projectId} and lp.label_id = l.id)`
  } as "priority",
  exists (select 1 from label_subscriptions ls
           where ls.label_id = l.id and ls.user_id = ${userIdOf(ctx.caller)}) as "subscribed"`;

const byTitle: readonly OrderStep<LabelRecord>[] = [
  { key: 'title', expression: raw('l.title'), direction: 'asc', type: 'text', value: (label) => label.title },
  byId('l', 'asc'),
];

/** Labels with these words in title or description, as a condition on `l`. */
export function labelsLike(search: string): Fragment {
  const pattern = `%${likeLiteral(search)}%`;
  return sql`l.title ilike ${pattern} or l.description ilike ${pattern}`;
}

/** The labels within reach of a project or group, by title. */
export function labelsOf(
  ctx: Context,
  container: Container,
  reach: LabelReach,
  where: readonly Fragment[] = [],
): TextList<LabelRecord> {
  return {
    select: selectedFor(ctx, container.kind === 'project' ? container.id : null),
    from: sql`labels l`,
    where: [within(ctx, container, reach), ...where],
    order: byTitle,
  };
}

/** The label of that id or title, as a condition on `l`. */
const named = (reference: string): Fragment =>
  /^\d{1,15}$/.test(reference)
    ? sql`l.id = ${Number(reference)} or l.title = ${reference}`
    : sql`l.title = ${reference}`;

/** Of several with one title: the project's or group's own, then the nearest group's. */
function nearest(found: readonly LabelRecord[], { namespaceIds }: Container): LabelRecord | undefined {
  const distance = ({ project_id, namespace_id }: LabelRecord) =>
    project_id === null ? namespaceIds.length - namespaceIds.indexOf(namespace_id as number) : 0;
  return found.toSorted((a, b) => distance(a) - distance(b))[0];
}

/**
 * The label of a project or group that an id or a title names; digits are an id first.
 * @param reach also labels of the groups above, where it says so
 * @throws NotFound "404 Label Not Found"
 */
export async function findLabel(
  ctx: Context,
  container: Container,
  reference: string,
  reach: LabelReach,
): Promise<LabelRecord> {
  const found = await readAll(ctx, labelsOf(ctx, container, reach, [named(reference)]));
  const label = found.find(({ id }) => String(id) === reference) ?? nearest(found, container);
  if (!label) throw new NotFound('Label');
  return label;
}

/** The label of that very title in a project, or above it; null for none. */
export async function findTitledLabel(ctx: Context, container: Container, title: string): Promise<LabelRecord | null> {
  const found = await readAll(ctx, labelsOf(ctx, container, { ancestors: true }, [sql`l.title = ${title}`]));
  return nearest(found, container) ?? null;
}

/** Whether a title is in use in a project or group, or above it, by another label. */
export async function isTitleTaken(ctx: Context, container: Container, title: string, except = 0): Promise<boolean> {
  const where = and([within(ctx, container, { ancestors: true }), sql`l.title = ${title}`, sql`l.id <> ${except}`]);
  return (await ctx.queryOne(sql`select 1 as found from labels l where ${where} limit 1`)) !== null;
}
