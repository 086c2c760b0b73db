import { sql } from 'kysely';
import type { AliasableExpression, Expression, SqlBool } from 'kysely';
import { anyNamespace, containerIds, idAt, nearness, nowIn, r, tables, textAt } from '../archive-imports/restoring.js';
import type { Restoring, RestoringGroup, RestoringProject } from '../archive-imports/restoring.js';

/*
 * The labels and milestones here that an archive names.
 */

type Id = AliasableExpression<number | null>;

/** That a label of a title is in force: one of the group or project, or of a group above. */
export const isLabelInForce = (restoring: Restoring, title: Expression<string>): Expression<SqlBool> =>
  r.exists(
    tables(restoring)
      .selectFrom('labels as x')
      .select('x.id')
      .where('x.title', '=', title)
      .where((eb) =>
        eb.or([
          ...(restoring.container.kind === 'project' ? [eb('x.project_id', '=', restoring.container.id)] : []),
          eb('x.namespace_id', '=', anyNamespace(restoring)),
        ]),
      ),
  );

/**
 * The label of a title that is in force: of several the nearest. Each is found by the index of titles, since groups above
 * may have very many.
 */
export function nearestLabel(restoring: Restoring, title: Expression<string | null>): Id {
  const { container } = restoring;
  const found = tables(restoring)
    .selectFrom('labels as x')
    .select('x.id')
    .where('x.title', '=', title as Expression<string>);
  const ofGroups = found
    .where('x.namespace_id', '=', anyNamespace(restoring))
    .orderBy((eb) => nearness(restoring, eb.ref('x.namespace_id')), 'desc')
    .limit(1)
    .$asScalar();
  if (container.kind === 'group') return ofGroups;
  return r.fn.coalesce(found.where('x.project_id', '=', container.id).$asScalar(), ofGroups);
}

/**
 * Creates labels that are used in the archive but exist neither in it nor in an ancestor group: on the exporting
 * instance they belonged to an ancestor group.
 * @param rows rows with `line` and `label`, a label as embedded in a labeled record
 */
export async function createMissingLabels(
  restoring: Restoring,
  rows: AliasableExpression<{ line: number; label: unknown }>,
): Promise<void> {
  const of = (name: string) => textAt('e.label', name);
  const title = of('title').$notNull();
  const now = nowIn(restoring.ctx);
  await tables(restoring)
    .insertInto('labels')
    .columns(['project_id', 'namespace_id', 'title', 'color', 'description', 'archived', 'created_at', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom(rows.as('e'))
        .distinctOn(title)
        .select([
          ...containerIds(restoring),
          title.as('title'),
          of('color').as('color'),
          of('description').as('description'),
          sql.lit(false).as('archived'),
          now.as('created_at'),
          now.as('updated_at'),
        ])
        .where(title, 'is not', null)
        .where(of('color'), 'is not', null)
        .where(eb.not(isLabelInForce(restoring, title)))
        .orderBy(title)
        .orderBy('e.line'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * The milestone referenced by an archive of a project: of the project itself or of an ancestor group, as in the
 * archive, because both may have one with the same title.
 * @param column of JSON, whose `milestone` is `{iid, title, group_id, project_id}`
 */
export function projectMilestoneId(restoring: RestoringProject, column: string): Id {
  const field = (name: string) => textAt(column, 'milestone', name);
  const found = tables(restoring)
    .selectFrom('milestones as o')
    .select('o.id')
    .where('o.title', '=', field('title').$notNull());
  const own = found.where('o.project_id', '=', restoring.container.id).$asScalar();
  const ofGroups = found
    .where('o.namespace_id', '=', anyNamespace(restoring))
    .orderBy(
      (o) => o('o.iid', '=', o.cast<number>(field('iid'), 'numeric')),
      (order) => order.desc().nullsLast(),
    )
    .orderBy((o) => nearness(restoring, o.ref('o.namespace_id')), 'desc')
    .limit(1)
    .$asScalar();
  return r.fn.coalesce(r.case().when(field('group_id'), 'is', null).then(own).end(), ofGroups, own);
}

/** The labels or milestones created for rows of the archive, as `x`, that are available in the group. */
const restoredRecords = (restoring: RestoringGroup, relation: 'labels' | 'milestones') =>
  tables(restoring)
    .selectFrom('archive_import_rows as s')
    .innerJoin(`${relation} as x` as 'labels as x', 'x.id', 's.made_id')
    .select('s.made_id')
    .where('s.import_id', '=', restoring.importId)
    .where('s.relation', '=', relation)
    .where('x.namespace_id', '=', anyNamespace(restoring));

/** The same by the id that it had. */
export const getRestoredId = (restoring: RestoringGroup, relation: 'labels' | 'milestones', id: Id): Id =>
  restoredRecords(restoring, relation)
    .where('s.source_id', '=', id as Expression<number>)
    .orderBy('s.source_group')
    .limit(1)
    .$asScalar();

/**
 * The milestone referenced by an archive of a group. Groups may have milestones with the same title at each level, so
 * the one of the referenced group is used; if that group is not in the archive, one of an ancestor group of the import.
 * @param column of JSON, whose `milestone` is `{iid, title, group_id}`
 */
export function groupMilestoneId(restoring: RestoringGroup, id: Id, column: string): Id {
  const { importId, container } = restoring;
  const title = textAt(column, 'milestone', 'title').$notNull();
  const group = idAt(column, 'milestone', 'group_id').$notNull();
  const ofGroup = restoredRecords(restoring, 'milestones')
    .where('s.source_group', '=', group)
    .where(textAt('s.data', 'title'), '=', title)
    .limit(1)
    .$asScalar();
  const ofImport = tables(restoring)
    .selectFrom('archive_import_groups as g')
    .select('g.source_id')
    .where('g.import_id', '=', importId)
    .where((eb) => eb.or([eb('g.group_id', '=', sql.ref<number>('x.namespace_id')), eb('g.source_id', '=', group)]));
  const above = tables(restoring)
    .selectFrom('milestones as x')
    .select('x.id')
    .where('x.namespace_id', '=', anyNamespace(restoring))
    .where('x.title', '=', title)
    .where((eb) =>
      eb.or([
        eb(textAt(column, 'milestone', 'group_id'), 'is', null),
        eb.and([eb('x.namespace_id', '<>', container.id), eb.not(eb.exists(ofImport))]),
      ]),
    )
    .orderBy(
      (eb) => eb('x.iid', '=', eb.cast<number>(textAt(column, 'milestone', 'iid'), 'numeric')),
      (order) => order.desc().nullsLast(),
    )
    .orderBy((eb) => nearness(restoring, eb.ref('x.namespace_id')), 'desc')
    .limit(1)
    .$asScalar();
  return r.fn.coalesce(getRestoredId(restoring, 'milestones', id), ofGroup, above);
}
