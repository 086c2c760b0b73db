import { expressionBuilder } from 'kysely';
import type { AliasableExpression, Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import { getUserId } from '../../core/context/callers.js';
import { containerColumn } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { anyOf, constant, likeLiteral, scalar } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/values/errors.js';
import type { List, OrderStep } from '../../core/database/list.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { Container } from '../../tenancy/containers/container.js';
import { anyPlanningProject, anyVisibleBelow } from '../../tenancy/containers/below-group.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { Label } from './label.entity.js';
import type { LabelRecord } from './label.entity.js';

/** The labels to include in addition to a project's or group's own. */
export interface LabelReach {
  /** Those of the ancestor groups: readable for callers who can read the project or group. */
  ancestors: boolean;
  /** For a group: those of its subgroups that the caller can read. */
  descendants?: boolean;
  /** For a group: also those of its projects, and with `descendants` those of the projects of its subgroups. */
  projects?: boolean;
}

type OfLabels = Aliased<PlanningDatabase, { l: 'labels' }>;

/** Builds conditions on labels `l`. */
export const onLabels = expressionBuilder<OfLabels, 'l'>();

/** Labels within reach of a project or group, as a condition on `l`. */
function within(
  ctx: Context,
  container: Container,
  { ancestors, descendants = false, projects = false }: LabelReach,
): Expression<SqlBool> {
  const { kind, id, namespaceIds } = container;
  const ways = [onLabels(`l.${containerColumn(kind)}`, '=', id)];
  if (ancestors) ways.push(onLabels('l.namespace_id', '=', anyOf(namespaceIds, 'bigint')));
  if (kind === 'group' && descendants) ways.push(onLabels('l.namespace_id', '=', anyVisibleBelow(ctx, id)));
  if (kind === 'group' && projects) ways.push(onLabels('l.project_id', '=', anyPlanningProject(ctx, id, descendants)));
  return onLabels.or(ways);
}

/** The priority of label `l` in a project. */
const priorityIn = (projectId: number): AliasableExpression<number | null> =>
  scalar(
    onLabels
      .selectFrom('label_priorities as lp')
      .select('lp.priority')
      .where('lp.project_id', '=', projectId)
      .whereRef('lp.label_id', '=', 'l.id'),
  );

/** Selects labels `l` with their priority in a project, if one is meant, and the caller's subscription. */
const selectFor = (ctx: Context, projectId: number | null) => (query: SelectQueryBuilder<OfLabels, 'l', object>) =>
  query.select((eb) => {
    const subscription = eb
      .selectFrom('label_subscriptions as ls')
      .select(eb.lit(1).as('one'))
      .whereRef('ls.label_id', '=', 'l.id')
      .where('ls.user_id', '=', getUserId(ctx.caller));
    const priority = projectId === null ? eb.cast<number | null>(eb.lit(null), 'integer') : priorityIn(projectId);
    return [...columns(Label, 'l'), priority.as('priority'), eb.exists(subscription).as('subscribed')];
  });

const byTitle: readonly OrderStep<LabelRecord>[] = [
  { key: 'title', expression: onLabels.ref('l.title'), direction: 'asc', type: 'text', value: (label) => label.title },
  byId('l', 'asc'),
];

/** Labels that contain this text in title or description, as a condition on `l`. */
export function labelsLike(search: string): Expression<SqlBool> {
  const pattern = `%${likeLiteral(search)}%`;
  return onLabels.or([onLabels('l.title', 'ilike', pattern), onLabels('l.description', 'ilike', pattern)]);
}

/** The labels within reach of a project or group, by title. */
export function findLabels(
  ctx: Context,
  container: Container,
  reach: LabelReach,
  where: readonly Expression<SqlBool>[] = [],
): List<LabelRecord> {
  const list: List<LabelRecord> = {
    matching: expressionBuilder<OfLabels>().selectFrom('labels as l'),
    select: selectFor(ctx, container.kind === 'project' ? container.id : null),
    order: byTitle,
  };
  return narrow(list, [within(ctx, container, reach), ...where]);
}

const isTitled = (title: string) => onLabels('l.title', '=', title);

/** The label of that id or title, as a condition on `l`. */
const matchesReference = (reference: string): Expression<SqlBool> =>
  /^\d{1,15}$/.test(reference)
    ? onLabels.or([onLabels('l.id', '=', Number(reference)), isTitled(reference)])
    : isTitled(reference);

/** Of several with one title: the project's or group's own, then the nearest group's. */
function nearest(found: readonly LabelRecord[], { namespaceIds }: Container): LabelRecord | undefined {
  const distance = ({ project_id, namespace_id }: LabelRecord) =>
    project_id === null ? namespaceIds.length - namespaceIds.indexOf(namespace_id as number) : 0;
  return found.toSorted((a, b) => distance(a) - distance(b))[0];
}

/**
 * The label of a project or group with an id or title; digits are first interpreted as an id.
 * @param reach whether labels of the ancestor groups are included
 * @throws NotFound "404 Label Not Found"
 */
export async function findLabel(
  ctx: Context,
  container: Container,
  reference: string,
  reach: LabelReach,
): Promise<LabelRecord> {
  const found = await readAll(ctx, findLabels(ctx, container, reach, [matchesReference(reference)]));
  const label = found.find(({ id }) => String(id) === reference) ?? nearest(found, container);
  if (!label) throw new NotFound('Label');
  return label;
}

/** The label of that very title in a project, or above it; null for none. */
export async function findTitledLabel(ctx: Context, container: Container, title: string): Promise<LabelRecord | null> {
  const found = await readAll(ctx, findLabels(ctx, container, { ancestors: true }, [isTitled(title)]));
  return nearest(found, container) ?? null;
}

/** Whether a title is in use in a project or group, or above it, by another label. */
export async function isTitleTaken(ctx: Context, container: Container, title: string, except = 0): Promise<boolean> {
  const other = await ctx.em
    .getKysely<OfLabels>()
    .selectFrom('labels as l')
    .select('l.id')
    .where(within(ctx, container, { ancestors: true }))
    .where(isTitled(title))
    .where('l.id', '<>', except)
    .limit(constant(1))
    .executeTakeFirst();
  return other !== undefined;
}
