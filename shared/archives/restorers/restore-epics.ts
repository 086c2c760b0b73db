import { sql } from 'kysely';
import { constant } from '../../core/database/expressions.js';
import type { Context } from '../../core/context/context.js';
import { awardTime, elementsOfNote, NOTE_COLUMNS, noteValues, importedNotes } from './imported-notes.js';
import { keepNumbers, lockNumbers, numbersFor } from './numbers.js';
import { createNamedLabels, nearestOf } from './restore-labels.js';
import {
  attribute,
  containerId,
  copiedRows,
  elementsOf,
  flag,
  flagAt,
  idAt,
  importedAuthor,
  integerAt,
  jsonAt,
  r,
  reserveIds,
  tables,
  textAt,
  time,
  timeAt,
  userAt,
} from '../archive-imports/restoring.js';
import type { Restorer, RestoringGroup } from '../archive-imports/restoring.js';
import { reportMissing } from '../archive-imports/failures.js';

const RELATION = 'epics';
/** Levels of a tree of epics, the top one counted. */
const LEVELS = 7;
/** Names of emoji. */
const EMOJI = constant('^[a-z0-9_+-]{1,64}$');

/** When something of an element happened: as it says, else when its row was made. */
const elementTime = (restoring: RestoringGroup) =>
  r.fn.coalesce(timeAt('e.data', 'created_at'), time(restoring, 'created_at'));

/**
 * Comments on epics, in their threads, with the emoji that users here gave. The name of an author who is nobody here is
 * another server's: signs that mean something in Markdown are left out of it.
 */
async function restoreEpicNotes(restoring: RestoringGroup): Promise<void> {
  const contributor = tables(restoring)
    .selectFrom('archive_import_rows as c')
    .select(textAt('c.data', 'name').as('name'))
    .where('c.import_id', '=', restoring.importId)
    .where('c.relation', '=', constant('user_contributions'))
    .where('c.source_id', '=', idAt('e.data', 'author_id').$notNull())
    .orderBy('c.source_group')
    .limit(1)
    .$asScalar();
  const imported = importedNotes(restoring, {
    relation: RELATION,
    time: elementTime(restoring),
    author: r.fn.coalesce(textAt('e.data', 'author', 'name'), contributor),
  });
  await tables(restoring)
    .with(
      (cte) => cte('imported').materialized(),
      () => imported,
    )
    .with('made', (db) =>
      db
        .insertInto('notes')
        .columns([...NOTE_COLUMNS, 'namespace_id', 'epic_id', 'type'])
        .expression((eb) =>
          eb
            .selectFrom('imported as t')
            .select(noteValues(restoring, 64))
            .select([
              containerId(restoring).as('namespace_id'),
              't.owner_id',
              eb
                .case()
                .when(textAt('t.data', 'type'), 'is not', null)
                .then(constant('DiscussionNote'))
                .end()
                .as('type'),
            ]),
        )
        .returning('id'),
    )
    .insertInto('note_award_emojis')
    .columns(['namespace_id', 'note_id', 'user_id', 'name', 'created_at', 'updated_at'])
    .expression((eb) => {
      const awards = eb
        .selectFrom('imported as t')
        .crossJoin(elementsOfNote('award_emoji', 'a'))
        .select([
          't.id',
          userAt(restoring, 'a.data', 'user_id').as('user_id'),
          textAt('a.data', 'name').as('name'),
          'a.at',
          awardTime.as('time'),
        ]);
      return eb
        .selectFrom(awards.as('x'))
        .select(({ fn }) => [
          containerId(restoring).as('namespace_id'),
          ...(['x.id', 'x.user_id', 'x.name'] as const),
          fn.min('x.time').as('created_at'),
          fn.min('x.time').as('updated_at'),
        ])
        .where('x.user_id', 'is not', null)
        .where('x.name', '~', EMOJI)
        .groupBy(['x.id', 'x.user_id', 'x.name'])
        .orderBy('x.id')
        .orderBy(({ fn }) => fn.min('x.at'));
    })
    .execute();
}

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

/** The label that an element names. */
const namedLabel = (restoring: RestoringGroup) => nearestOf(restoring, 'labels', textAt('e.data', 'label', 'title'));

async function restoreLabels(restoring: RestoringGroup): Promise<void> {
  const links = () => elementsOf(restoring, RELATION, 'label_links');
  await createNamedLabels(restoring, links().select(['r.line', jsonAt('e.data', 'label').as('label')]));
  const found = links().select(['r.made_id', namedLabel(restoring).as('label_id')]);
  await tables(restoring)
    .insertInto('epic_labels')
    .columns(['namespace_id', 'epic_id', 'label_id'])
    .expression((eb) =>
      eb
        .selectFrom(found.as('x'))
        .select([containerId(restoring).as('namespace_id'), 'x.made_id', 'x.label_id'])
        .where('x.label_id', 'is not', null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function restoreAwards(restoring: RestoringGroup): Promise<void> {
  const name = textAt('e.data', 'name');
  const awards = elementsOf(restoring, RELATION, 'award_emoji')
    .select([
      'r.made_id',
      userAt(restoring, 'e.data', 'user_id').as('user_id'),
      name.as('name'),
      elementTime(restoring).as('time'),
      'e.at',
    ])
    .where(name, '~', EMOJI);
  await tables(restoring)
    .insertInto('epic_award_emojis')
    .columns(['namespace_id', 'epic_id', 'user_id', 'name', 'created_at', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom(awards.as('x'))
        .select(({ fn }) => [
          containerId(restoring).as('namespace_id'),
          ...(['x.made_id', 'x.user_id', 'x.name'] as const),
          fn.min('x.time').as('created_at'),
          fn.min('x.time').as('updated_at'),
        ])
        .where('x.user_id', 'is not', null)
        .groupBy(['x.made_id', 'x.user_id', 'x.name'])
        .orderBy('x.made_id')
        .orderBy(({ fn }) => fn.min('x.at')),
    )
    .execute();
}

/** Changes of state and labels. */
async function restoreChanges(restoring: RestoringGroup): Promise<void> {
  const state = textAt('e.data', 'state');
  const action = textAt('e.data', 'action');
  const changes = (list: string) =>
    elementsOf(restoring, RELATION, list)
      .select([
        containerId(restoring).as('namespace_id'),
        'r.made_id',
        userAt(restoring, 'e.data', 'user_id').as('user_id'),
        elementTime(restoring).as('created_at'),
      ])
      .orderBy('r.line')
      .orderBy('e.at');
  await tables(restoring)
    .insertInto('epic_state_events')
    .columns(['namespace_id', 'epic_id', 'user_id', 'created_at', 'state'])
    .expression(
      changes('resource_state_events')
        .select(state.as('state'))
        .where(state, 'in', [constant('closed'), constant('reopened')]),
    )
    .execute();
  await tables(restoring)
    .insertInto('epic_label_events')
    .columns(['namespace_id', 'epic_id', 'user_id', 'created_at', 'label_id', 'action'])
    .expression(
      changes('resource_label_events')
        .select([namedLabel(restoring).as('label_id'), action.as('action')])
        .where(action, 'in', [constant('add'), constant('remove')]),
    )
    .execute();
}

/** Epics of a group with what belongs to them, but for their parents, which may be in groups that come later. */
export const epicRestorer: Restorer<RestoringGroup> = {
  relation: RELATION,
  plan: 'premium',
  async restore(restoring) {
    await insertEpics(restoring);
    await restoreLabels(restoring);
    await restoreAwards(restoring);
    await restoreChanges(restoring);
    await restoreEpicNotes(restoring);
  },
};

/**
 * Puts epics below each other again, once all are there. An epic of a circle, of an eighth level, or that is open to
 * more people than the one above it, stays by itself, and so does one whose parent is not in the archive: each is reported.
 * Safe to repeat.
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
