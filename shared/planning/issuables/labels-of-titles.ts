import type { Context } from '../../core/context/context.js';
import { anyOf, constant, arrayPosition, unnested, unnestedRows } from '../../core/database/expressions.js';
import { Invalid } from '../../core/values/errors.js';
import { roleIn } from '../../core/operations/policy.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { containerColumn } from '../../core/operations/container.js';
import { containerOfGroup, containerOfProject } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { PlanningDatabase } from '../planning.entities.js';
import type { Label } from '../labels/label.entity.js';
import type { LabelSummary } from './issuable-changes.js';

/** A project, or a group for epics: its records can use its own labels and those of its ancestor groups. */
export type ContainerRecord = ProjectRecord | GroupRecord;

const getContainer = (found: ContainerRecord): Container =>
  'namespace' in found ? containerOfProject(found) : containerOfGroup(found);

const MAX_TITLE = 255;
/** Of labels that are made because something was to have them. */
const DEFAULT_COLOR = '#6699cc';

/** @throws Invalid */
function requireTitles(titles: readonly string[]): void {
  if (titles.some((title) => [...title].length > MAX_TITLE))
    throw new Invalid({ labels: [`title is too long (maximum is ${MAX_TITLE} characters)`] });
}

/**
 * Labels with these titles that records of a project or group can use: its own, or else those of the nearest ancestor
 * group. Returned in the order of the titles, each once.
 */
export async function findLabelsByTitle(
  ctx: Context,
  found: ContainerRecord,
  titles: readonly string[],
): Promise<LabelSummary[]> {
  const { kind, id, namespaceIds } = getContainer(found);
  const rows = titles.map((title) => ({ title }));
  return ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom(unnestedRows(rows, { title: 'text' }).withPositionAs('requested'))
    .innerJoin('labels as l', 'l.title', 'requested.title')
    .distinctOn('requested.position')
    .select(['l.id', 'l.title'])
    .where((eb) =>
      eb.or([eb(`l.${containerColumn(kind)}`, '=', id), eb('l.namespace_id', '=', anyOf(namespaceIds, 'bigint'))]),
    )
    .orderBy('requested.position')
    .orderBy('l.project_id', (order) => order.asc().nullsLast())
    .orderBy((eb) => arrayPosition(namespaceIds, 'bigint', eb.ref('l.namespace_id')), 'desc')
    .execute();
}

/** The first concurrent insert wins; titles are sorted to prevent deadlocks. */
async function makeLabels(ctx: Context, found: ContainerRecord, titles: readonly string[]): Promise<void> {
  const now = ctx.clock.now();
  const { kind, id, summary: values } = getContainer(found);
  const column = containerColumn(kind);
  const labels = await ctx.em
    .getKysely<PlanningDatabase>()
    .insertInto('labels')
    .columns([column, 'title', 'color', 'archived', 'created_at', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom(unnested([...titles].sort(), 'text').as('u'))
        .select([
          eb.cast<number>(eb.val(id), 'bigint').as('container_id'),
          'u.value as title',
          constant(DEFAULT_COLOR).as('color'),
          eb.lit(false).as('archived'),
          eb.cast<Date>(eb.val(now), 'timestamptz').as('created_at'),
          eb.cast<Date>(eb.val(now), 'timestamptz').as('updated_at'),
        ]),
    )
    .onConflict((conflict) => conflict.columns([column, 'title']).where(column, 'is not', null).doNothing())
    .returning(['id', 'title'])
    .execute();
  for (const label of labels) ctx.record({ type: 'label.created', container: values, label });
}

/** Unknown labels are made for Reporters and above, and passed over for others (core-resources.md section 6). */
const mayMakeLabels = (caller: UserOrAnonymous, found: ContainerRecord) => roleIn(caller, found, 'reporter');

/**
 * The labels that titles name in a project or group, in their order, each once; unknown ones are made where the caller may.
 * @throws Invalid for a title that is too long
 */
export async function labelsOfTitles(
  ctx: Context,
  found: ContainerRecord,
  titles: readonly string[],
): Promise<LabelSummary[]> {
  const names = [...new Set(titles.map((title) => title.trim()).filter((title) => title !== ''))];
  if (names.length === 0) return [];
  requireTitles(names);
  const labels = await findLabelsByTitle(ctx, found, names);
  const foundTitles = new Set(labels.map(({ title }) => title));
  const unknown = names.filter((title) => !foundTitles.has(title));
  if (unknown.length === 0 || !mayMakeLabels(ctx.caller, found)) return labels;
  await makeLabels(ctx, found, unknown);
  return findLabelsByTitle(ctx, found, names);
}

/** Ids of the labels of some titles, by title. */
export type LabelIds = ReadonlyMap<string, readonly number[]>;

/** Finds labels by title within a project, within a group, or across all labels. */
export type LabelsAmong = (
  ctx: Context,
  values: { readonly titles: readonly string[] },
) => Promise<readonly Pick<Label, 'id' | 'title'>[]>;

/**
 * The labels that filters reference by title. They are looked up first, so that the database knows their frequency when
 * it plans the list: rare labels lead to their records, common ones are checked along the list's order.
 */
export async function labelsOfFilters(ctx: Context, titles: readonly string[], among: LabelsAmong): Promise<LabelIds> {
  const ids = new Map<string, number[]>(titles.map((title) => [title, []]));
  if (titles.length === 0) return ids;
  for (const { id, title } of await among(ctx, { titles: [...ids.keys()] })) ids.get(title)?.push(id);
  return ids;
}
