import { sql } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { reportMissing } from '../archive-imports/failures.js';
import {
  attribute,
  containerId,
  copiedRows,
  flag,
  flagAt,
  idAt,
  importedAuthor,
  integerAt,
  r,
  reserveIds,
  tables,
  time,
  timeAt,
  userAt,
} from '../archive-imports/restoring.js';
import type { Restorer, RestoringGroup } from '../archive-imports/restoring.js';
import { keepNumbers, lockNumbers, numbersFor } from './numbers.js';
import { restoreAwards, restoreLabelLinks, restoreResourceEvents } from './restore-issuables.js';
import type { RestoredIssuables } from './restore-issuables.js';
import { restoreNotes } from './restore-notes.js';

const RELATION = 'epics';
/** Levels of a tree of epics, the top one counted. */
const LEVELS = 7;
const kind: RestoredIssuables = { relation: RELATION, name: 'epic', states: ['closed', 'reopened'] };

async function insertEpics(restoring: RestoringGroup): Promise<void> {
  const last = await lockNumbers(restoring, 'epic');
  await reserveIds(restoring, RELATION, 'epics');
  const rows = tables(restoring).selectFrom('archive_import_rows as r').where(copiedRows(restoring, RELATION));
  const iids = rows.select(['r.line', integerAt('r.data', 'iid').as('iid')]);
  const isClosed = r(attribute('state'), '=', constant('closed'));
  const day = (name: string) => r.cast<string | null>(attribute(name), 'date');
  await tables(restoring)
    .insertInto('epics')
    .columns([
      ...(['id', 'namespace_id', 'iid', 'title', 'description', 'state', 'confidential', 'color'] as const),
      ...(['author_id', 'closed_by_id', 'start_date_is_fixed', 'start_date_fixed', 'due_date_is_fixed'] as const),
      ...(['due_date_fixed', 'relative_position', 'closed_at', 'last_edited_at', 'created_at'] as const),
      'updated_at',
    ])
    .expression(
      rows
        .innerJoin(numbersFor(restoring, iids, 'epics', last).as('n'), 'n.line', 'r.line')
        .select((eb) => [
          'r.made_id',
          containerId(restoring).as('namespace_id'),
          'n.number',
          attribute('title').as('title'),
          attribute('description').as('description'),
          attribute('state').as('state'),
          flag('confidential').as('confidential'),
          attribute('color').as('color'),
          importedAuthor(restoring).as('author_id'),
          eb
            .case()
            .when(isClosed)
            .then(userAt(restoring, 'r.data', 'closed_by_id'))
            .end()
            .as('closed_by_id'),
          flag('start_date_is_fixed').as('start_date_is_fixed'),
          day('start_date_fixed').as('start_date_fixed'),
          flag('due_date_is_fixed').as('due_date_is_fixed'),
          day('due_date_fixed').as('due_date_fixed'),
          idAt('r.data', 'relative_position').as('relative_position'),
          eb
            .case()
            .when(isClosed)
            .then(eb.fn.coalesce(timeAt('r.data', 'closed_at'), time(restoring, 'updated_at')))
            .end()
            .as('closed_at'),
          timeAt('r.data', 'last_edited_at').as('last_edited_at'),
          time(restoring, 'created_at').as('created_at'),
          time(restoring, 'updated_at').as('updated_at'),
        ])
        .orderBy('r.line'),
    )
    .execute();
  await keepNumbers(restoring, 'epic', 'epics');
}

/**
 * Epics of a group with everything that belongs to them, except their parents, which may be in groups restored later.
 */
export const epicRestorer: Restorer<RestoringGroup> = {
  relation: RELATION,
  plan: 'premium',
  async restore(restoring) {
    await insertEpics(restoring);
    await restoreLabelLinks(restoring, kind);
    await restoreAwards(restoring, kind);
    await restoreResourceEvents(restoring, kind);
    await restoreNotes(restoring, kind);
  },
};

/**
 * Restores the parents of epics, once all epics exist. An epic in a cycle, at an eighth level, or visible to more users
 * than its parent stays without a parent, as does one whose parent is not in the archive: each is reported. Safe to
 * repeat.
 */
export async function linkEpics(ctx: Context, importId: number): Promise<void> {
  const isConfidential = r.fn.coalesce(flagAt('r.data', 'confidential').$notNull(), constant(false));
  await tables({ ctx })
    .withRecursive(
      (cte) => cte('sources').materialized(),
      (db) =>
        db
          .selectFrom('archive_import_rows as r')
          .distinctOn('r.source_id')
          .select([
            'r.source_id',
            'r.made_id',
            idAt('r.data', 'parent_id').as('parent_id'),
            isConfidential.as('confidential'),
          ])
          .where('r.import_id', '=', importId)
          .where('r.relation', '=', constant(RELATION))
          .where('r.made_id', 'is not', null)
          .where('r.source_id', 'is not', null)
          .orderBy('r.source_id')
          .orderBy('r.source_group')
          .orderBy('r.line'),
    )
    .withRecursive('tree(source_id, made_id, confidential, parent_made_id, level)', (db) =>
      db
        .selectFrom('sources as s')
        .select(['s.source_id', 's.made_id', 's.confidential'])
        .select([sql<number | null>`null::bigint`.as('parent_made_id'), constant<number>(1).as('level')])
        .where((eb) =>
          eb.or([
            eb('s.parent_id', 'is', null),
            eb.not(
              eb.exists(
                eb.selectFrom('sources as p').select('p.source_id').whereRef('p.source_id', '=', 's.parent_id'),
              ),
            ),
          ]),
        )
        .unionAll((below) =>
          below
            .selectFrom('tree as t')
            .innerJoin('sources as s', 's.parent_id', 't.source_id')
            .select(['s.source_id', 's.made_id', 's.confidential', 't.made_id as parent_made_id'])
            .select((eb) => eb('t.level', '+', constant(1)).as('level'))
            .where('t.level', '<', constant(LEVELS))
            .where((eb) => eb.or([eb.ref('s.confidential'), eb.not(eb.ref('t.confidential'))])),
        ),
    )
    .updateTable('epics as e')
    .from('tree as t')
    .set(({ ref }) => ({ parent_id: ref('t.parent_made_id') }))
    .whereRef('e.id', '=', 't.made_id')
    .where('t.parent_made_id', 'is not', null)
    .where('e.parent_id', 'is', null)
    .execute();
  await reportMissing(ctx, {
    importId,
    rows: tables({ ctx })
      .selectFrom('archive_import_rows as r')
      .innerJoin('epics as e', 'e.id', 'r.made_id')
      .where('r.relation', '=', constant(RELATION))
      .where('e.parent_id', 'is', null)
      .where(attribute('parent_id'), 'is not', null),
    file: sql<string>`'tree/groups/' || ${r.ref('r.source_group')} || '/epics.ndjson'`,
    reason: 'is made without the epic above it, which is not in the archive, or may not have it',
  });
}
