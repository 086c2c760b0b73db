import {
  attribute,
  containerId,
  containerIds,
  copiedRows,
  selectElements,
  flag,
  integerAt,
  tables,
  textAt,
  time,
} from '../archive-imports/restoring.js';
import type { Restorer, Restoring } from '../archive-imports/restoring.js';
import { isLabelInForce, nearestLabel } from './referenced-records.js';
import { recordReused } from './reused-values.js';

/** Creates the labels whose titles are free. */
async function makeLabels(restoring: Restoring): Promise<void> {
  const rows = copiedRows(restoring, 'labels');
  const title = attribute('title').$notNull();
  await tables(restoring)
    .with('inserted', (db) =>
      db
        .insertInto('labels')
        .columns([
          ...(['project_id', 'namespace_id', 'title', 'color', 'description', 'archived'] as const),
          ...(['created_at', 'updated_at'] as const),
        ])
        .expression((eb) =>
          eb
            .selectFrom('archive_import_rows as r')
            .select([
              ...containerIds(restoring),
              attribute('title').as('title'),
              attribute('color').as('color'),
              attribute('description').as('description'),
              flag('archived').as('archived'),
              time(restoring, 'created_at').as('created_at'),
              time(restoring, 'updated_at').as('updated_at'),
            ])
            .where(rows)
            .where(eb.not(isLabelInForce(restoring, title)))
            .orderBy('r.line'),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning(['id', 'title']),
    )
    .updateTable('archive_import_rows as r')
    .from('inserted as m')
    .set((eb) => ({ made_id: eb.ref('m.id') }))
    .where(rows)
    .where('m.title', '=', title)
    .execute();
}

/** The priorities that a project gives to labels. */
async function restorePriorities(restoring: Restoring): Promise<void> {
  const priority = textAt('e.data', 'priority');
  await tables(restoring)
    .insertInto('label_priorities')
    .columns(['project_id', 'label_id', 'priority'])
    .expression((eb) =>
      selectElements(restoring, 'labels', 'priorities')
        .distinctOn('r.made_id')
        .select([containerId(restoring).as('project_id'), 'r.made_id', integerAt('e.data', 'priority').as('priority')])
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
      .set({ made_id: nearestLabel(restoring, attribute('title')), reused: true })
      .where(copiedRows(restoring, 'labels'))
      .where('r.made_id', 'is', null)
      .execute();
    await recordReused(restoring, 'labels', 'label');
    if (restoring.container.kind === 'project') await restorePriorities(restoring);
  },
};
