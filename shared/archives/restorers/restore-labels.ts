import { expressionBuilder, sql } from 'kysely';
import type { AliasableExpression, Expression, SqlBool } from 'kysely';
import { containerColumns } from '../../core/operations/container.js';
import type { Label } from '../../planning/labels/label.entity.js';
import { recordReused } from './reused-values.js';
import { arrayElements, attribute, copiedRows, flag, tables, textAt, time } from '../archive-imports/restoring.js';
import type { Restorer, Restoring } from '../archive-imports/restoring.js';

const x = expressionBuilder<{ x: Pick<Label, 'id' | 'project_id' | 'namespace_id'> }, 'x'>();

/** The groups above, the top one first, and the group itself. */
const groupsOf = ({ container }: Restoring) => x.cast<number[]>(x.val([...container.namespaceIds]), sql`bigint[]`);

/** That a label or milestone `x` is in force: it is of the group or project, or of a group above. */
const inForce = (restoring: Restoring): Expression<SqlBool> =>
  x.or([
    ...(restoring.container.kind === 'project' ? [x('x.project_id', '=', restoring.container.id)] : []),
    x('x.namespace_id', '=', x.fn.any(groupsOf(restoring))),
  ]);

/**
 * The label or milestone of a title that is in force: of several the nearest. Each is found by the index of titles, since
 * groups above may have very many.
 */
export function nearestOf(
  restoring: Restoring,
  table: 'labels' | 'milestones',
  title: Expression<unknown>,
): AliasableExpression<number | null> {
  const { container } = restoring;
  const found = tables(restoring)
    .selectFrom(`${table} as x` as 'labels as x')
    .select('x.id')
    .where('x.title', '=', title as Expression<string>);
  const ofGroups = found
    .where('x.namespace_id', '=', x.fn.any(groupsOf(restoring)))
    .orderBy(x.fn<number>('array_position', [groupsOf(restoring), 'x.namespace_id']), 'desc')
    .limit(1)
    .$asScalar();
  if (container.kind === 'group') return ofGroups;
  return x.fn.coalesce(found.where('x.project_id', '=', container.id).$asScalar(), ofGroups);
}

/**
 * Makes labels that something of the archive has and neither the archive nor a group above: they were of a group above
 * where it was exported.
 * @param named rows with `line` and `label`, a label as it stands beside what has it
 */
export async function createNamedLabels(
  restoring: Restoring,
  named: AliasableExpression<{ line: number; label: unknown }>,
): Promise<void> {
  const { ctx, container } = restoring;
  const { project_id, namespace_id } = containerColumns(container);
  const of = (name: string) => textAt('e.label', name);
  const title = of('title');
  await tables(restoring)
    .insertInto('labels')
    .columns(['project_id', 'namespace_id', 'title', 'color', 'description', 'archived', 'created_at', 'updated_at'])
    .expression((eb) => {
      const now = eb.cast<Date>(eb.val(ctx.clock.now()), 'timestamptz');
      return eb
        .selectFrom(named.as('e'))
        .distinctOn(title)
        .select([
          eb.cast<number | null>(eb.val(project_id), 'bigint').as('project_id'),
          eb.cast<number | null>(eb.val(namespace_id), 'bigint').as('namespace_id'),
          title.as('title'),
          of('color').as('color'),
          of('description').as('description'),
          sql.lit(false).as('archived'),
          now.as('created_at'),
          now.as('updated_at'),
        ])
        .where(title, 'is not', null)
        .where(of('color'), 'is not', null)
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('labels as x')
                .select('x.id')
                .where(inForce(restoring))
                .where('x.title', '=', title as Expression<string>),
            ),
          ),
        )
        .orderBy(title)
        .orderBy('e.line');
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Makes the labels whose titles are free. */
async function makeLabels(restoring: Restoring): Promise<void> {
  const { project_id, namespace_id } = containerColumns(restoring.container);
  const rows = copiedRows(restoring, 'labels');
  const title = attribute('title') as Expression<string>;
  await tables(restoring)
    .with('made', (db) =>
      db
        .insertInto('labels')
        .columns([
          'project_id',
          'namespace_id',
          'title',
          'color',
          'description',
          'archived',
          'created_at',
          'updated_at',
        ])
        .expression((eb) =>
          eb
            .selectFrom('archive_import_rows as r')
            .select([
              eb.cast<number | null>(eb.val(project_id), 'bigint').as('project_id'),
              eb.cast<number | null>(eb.val(namespace_id), 'bigint').as('namespace_id'),
              attribute('title').as('title'),
              attribute('color').as('color'),
              attribute('description').as('description'),
              flag('archived').as('archived'),
              time(restoring, 'created_at').as('created_at'),
              time(restoring, 'updated_at').as('updated_at'),
            ])
            .where(rows)
            .where(({ exists, not, selectFrom }) =>
              not(
                exists(selectFrom('labels as x').select('x.id').where(inForce(restoring)).where('x.title', '=', title)),
              ),
            )
            .orderBy('r.line'),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning(['id', 'title']),
    )
    .updateTable('archive_import_rows as r')
    .from('made as m')
    .set((eb) => ({ made_id: eb.ref('m.id') }))
    .where(rows)
    .where('m.title', '=', title)
    .execute();
}

/** The priorities that a project gives to labels. */
async function restorePriorities(restoring: Restoring): Promise<void> {
  const priority = sql<number>`(e.data ->> 'priority')`;
  await tables(restoring)
    .insertInto('label_priorities')
    .columns(['project_id', 'label_id', 'priority'])
    .expression((eb) =>
      eb
        .selectFrom(['archive_import_rows as r', arrayElements(sql`r.data -> 'priorities'`)])
        .distinctOn('r.made_id')
        .select([
          eb.cast<number>(eb.val(restoring.container.id), 'bigint').as('project_id'),
          'r.made_id',
          eb.cast<number>(priority, 'integer').as('priority'),
        ])
        .where(copiedRows(restoring, 'labels'))
        .where('r.made_id', 'is not', null)
        .where(eb.between(eb.cast<number>(priority, 'numeric'), 0, 2_147_483_647))
        .orderBy('r.made_id')
        .orderBy('r.line'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * A label of a title that is in force already is not made: that one is used, and what differs is reported
 * (group-export-import.md section 4.10).
 */
export const labelRestorer: Restorer = {
  relation: 'labels',
  async restore(restoring) {
    await makeLabels(restoring);
    await tables(restoring)
      .updateTable('archive_import_rows as r')
      .set({ made_id: nearestOf(restoring, 'labels', attribute('title')), reused: true })
      .where(copiedRows(restoring, 'labels'))
      .where('r.made_id', 'is', null)
      .execute();
    await recordReused(restoring, 'labels', 'label');
    if (restoring.container.kind === 'project') await restorePriorities(restoring);
  },
};
