import { sql } from 'kysely';
import { attribute, containerIds, copiedRows, integerAt, tables, time, timeAt } from '../archive-imports/restoring.js';
import type { Restorer, Restoring } from '../archive-imports/restoring.js';
import { keepNumbers, lockNumbers, numbersFor } from './numbers.js';
import { recordReused } from './reused-values.js';

const RELATION = 'milestones';
const TITLE = attribute('title').$notNull();

/**
 * Milestones of the project or group whose titles a new one may not reuse; for a project including those of its group.
 */
const sharingTitles = (restoring: Restoring) => {
  const { container } = restoring;
  const found = tables(restoring).selectFrom('milestones as m');
  return container.kind === 'group'
    ? found.where('m.namespace_id', '=', container.id)
    : found.where((m) =>
        m.or([m('m.project_id', '=', container.id), m('m.namespace_id', '=', container.record.namespace_id)]),
      );
};

/** Rows whose titles are free. */
const newRows = (restoring: Restoring) =>
  tables(restoring)
    .selectFrom('archive_import_rows as r')
    .select(['r.line', integerAt('r.data', 'iid').as('iid'), 'r.data'])
    .where(copiedRows(restoring, RELATION))
    .where(({ exists, not }) => not(exists(sharingTitles(restoring).select('m.id').where('m.title', '=', TITLE))));

/** Creates those whose titles are free, with their own numbers if these are free. */
async function makeMilestones(restoring: Restoring): Promise<void> {
  const last = await lockNumbers(restoring, 'milestone');
  const numbers = numbersFor(restoring, newRows(restoring), 'milestones', last);
  await tables(restoring)
    .with('inserted', (db) =>
      db
        .insertInto('milestones')
        .columns([
          ...(['project_id', 'namespace_id', 'iid', 'title', 'description', 'state', 'start_date'] as const),
          ...(['due_date', 'created_at', 'updated_at'] as const),
        ])
        .expression((eb) =>
          eb
            .selectFrom(newRows(restoring).as('r'))
            .innerJoin(numbers.as('n'), 'n.line', 'r.line')
            .select([
              ...containerIds(restoring),
              'n.number',
              attribute('title').as('title'),
              attribute('description').as('description'),
              attribute('state').as('state'),
              eb.cast<string | null>(attribute('start_date'), 'date').as('start_date'),
              eb.cast<string | null>(attribute('due_date'), 'date').as('due_date'),
              time(restoring, 'created_at').as('created_at'),
              time(restoring, 'updated_at').as('updated_at'),
            ])
            .orderBy('r.line'),
        )
        .returning(['id', 'title']),
    )
    .updateTable('archive_import_rows as r')
    .from('inserted as m')
    .set((eb) => ({ made_id: eb.ref('m.id') }))
    .where(copiedRows(restoring, RELATION))
    .where('m.title', '=', TITLE)
    .execute();
  await keepNumbers(restoring, 'milestone', 'milestones');
}

/** Reuses a milestone of the group itself for an identical one of the archive. */
async function reuseSame(restoring: Restoring): Promise<void> {
  const existing = tables(restoring)
    .selectFrom('milestones as m')
    .innerJoin('archive_import_rows as r', (join) => join.on('m.title', '=', TITLE))
    .select((eb) => [
      'r.line',
      'm.id',
      eb
        .and([
          eb(
            eb.fn.coalesce('m.description', sql.lit('')),
            '=',
            eb.fn.coalesce(attribute('description').$notNull(), sql.lit('')),
          ),
          eb('m.created_at', '=', timeAt('r.data', 'created_at').$notNull()),
        ])
        .as('is_same'),
    ])
    .where('m.namespace_id', '=', restoring.container.id)
    .where(copiedRows(restoring, RELATION));
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .from(existing.as('x'))
    .set((eb) => ({
      made_id: eb.case().when('x.is_same', '=', true).then(eb.ref('x.id')).end(),
      problem: eb
        .case()
        .when(eb.not(eb.ref('x.is_same')))
        .then(sql.lit('title has already been taken'))
        .end(),
    }))
    .where(copiedRows(restoring, RELATION))
    .whereRef('r.line', '=', 'x.line')
    .where('r.made_id', 'is', null)
    .execute();
}

/** The one that is there is used, and what differs is reported. */
async function reuseExisting(restoring: Restoring): Promise<void> {
  const existing = sharingTitles(restoring)
    .select('m.id')
    .where('m.title', '=', TITLE)
    .orderBy('m.project_id', (order) => order.asc().nullsLast())
    .limit(1)
    .$asScalar();
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .set({ reused: true, made_id: existing })
    .where(copiedRows(restoring, RELATION))
    .where('r.made_id', 'is', null)
    .execute();
  await recordReused(restoring, RELATION, 'milestone');
}

/**
 * Milestones keep their numbers if these are free. Groups may have milestones with the same title at each level, so one
 * of an ancestor group is never reused. A project cannot have a title of its group: the group's milestone is used
 * instead.
 */
export const milestoneRestorer: Restorer = {
  relation: RELATION,
  async restore(restoring) {
    await makeMilestones(restoring);
    await (restoring.container.kind === 'group' ? reuseSame(restoring) : reuseExisting(restoring));
  },
};
