import { expressionBuilder } from 'kysely';
import type { AliasableExpression, Expression, SqlBool } from 'kysely';
import { anyOf, constant } from '../../core/database/expressions.js';
import { awardTime, elementsOfNote, NOTE_COLUMNS, noteValues, importedNotes } from './imported-notes.js';
import {
  containerId,
  elementTime,
  flagAt,
  integerAt,
  jsonAt,
  tables,
  textAt,
  timeAt,
  userAt,
} from '../archive-imports/restoring.js';
import type { RestoringProject } from '../archive-imports/restoring.js';
import type { ArchivesDatabase } from '../archives.entities.js';

/** Where imported records come from, as the API shows it. */
export const IMPORTED_FROM = 'gitlab_project';

/** Of what comments are: the relation of the archive, and what columns that refer to it begin with. */
interface Noteables {
  readonly relation: string;
  readonly name: 'issue' | 'merge_request' | 'snippet';
}

const eb = expressionBuilder<ArchivesDatabase>();

/** The commits of a position are all among some. */
const standsOn = (name: string, known: readonly string[]) =>
  eb.fn.coalesce(
    eb.and(
      ['base_sha', 'start_sha', 'head_sha'].map((sha) => eb(textAt('t.data', name, sha), '=', anyOf(known, 'text'))),
    ),
    constant(false),
  );

/** That a comment stands on a diff, whose commits are all here; those of others stand in none. */
const isOnDiff = ({ name }: Noteables, known: readonly string[]): Expression<SqlBool> =>
  name === 'merge_request'
    ? eb.and([eb(textAt('t.data', 'type'), '=', constant('DiffNote')), standsOn('position', known)])
    : constant(false);

/** Where comments on diffs stand, as columns and values. */
const diffValues = (
  onDiff: Expression<SqlBool>,
  known: readonly string[],
): Readonly<Record<string, AliasableExpression<unknown>>> => ({
  position: eb.case().when(onDiff).then(jsonAt('t.data', 'position')).end(),
  original_position: eb
    .case()
    .when(eb.and([onDiff, standsOn('original_position', known)]))
    .then(jsonAt('t.data', 'original_position'))
    .when(onDiff)
    .then(jsonAt('t.data', 'position'))
    .end(),
  outdated: eb.and([onDiff, eb.fn.coalesce(flagAt('t.data', 'outdated').$castTo<boolean>(), constant(false))]),
  diff_commit_sha: eb
    .case()
    .when(eb.and([onDiff, eb(textAt('t.data', 'commit_id'), '=', anyOf(known, 'text'))]))
    .then(textAt('t.data', 'commit_id'))
    .end(),
});

/**
 * Comments, in their threads, with their emoji and suggestions. The name of an author who is nobody here is another
 * server's: signs that mean something in Markdown are left out of it.
 * @param known ids of commits that the repository has, of those that notes on diffs name
 */
export async function restoreNotes(
  restoring: RestoringProject,
  kind: Noteables,
  known: readonly string[] = [],
): Promise<void> {
  const { relation, name } = kind;
  const onDiff = isOnDiff(kind, known);
  const onDiffs = Object.entries(name === 'merge_request' ? diffValues(onDiff, known) : {});
  const imported = importedNotes(restoring, {
    relation,
    time: elementTime(restoring),
    author: textAt('e.data', 'author', 'name'),
  });
  const type = eb
    .case()
    .when(onDiff)
    .then(constant('DiffNote'))
    .when(textAt('t.data', 'type'), 'is not', null)
    .then(constant('DiscussionNote'))
    .end();
  await tables(restoring)
    .with(
      (cte) => cte('imported').materialized(),
      () => imported,
    )
    .with('made', (db) =>
      db
        .insertInto('notes')
        .columns([
          ...NOTE_COLUMNS,
          ...(['project_id', `${name}_id`, 'type', 'imported_from', 'resolved_at', 'resolved_by_id'] as const),
          ...onDiffs.map(([column]) => column as 'position'),
        ])
        .expression((of) =>
          of
            .selectFrom('imported as t')
            .select(noteValues(restoring, 255))
            .select([
              containerId(restoring).as('project_id'),
              't.owner_id',
              type.as('type'),
              constant(IMPORTED_FROM).as('imported_from'),
              timeAt('t.data', 'resolved_at').as('resolved_at'),
              userAt(restoring, 't.data', 'resolved_by_id').as('resolved_by_id'),
              ...onDiffs.map(([column, value]) => value.as(column)),
            ])
            .orderBy('t.id'),
        )
        .returning('id'),
    )
    .with('suggested', (db) =>
      db
        .insertInto('suggestions')
        .columns([
          ...(['project_id', 'note_id', 'relative_order', 'lines_above', 'lines_below', 'from_content'] as const),
          ...(['to_content', 'outdated', 'applied_sha'] as const),
        ])
        .expression((of) =>
          of
            .selectFrom('imported as t')
            .crossJoin(elementsOfNote('suggestions', 'g'))
            .select([
              containerId(restoring).as('project_id'),
              't.id',
              integerAt('g.data', 'relative_order').as('relative_order'),
              integerAt('g.data', 'lines_above').as('lines_above'),
              integerAt('g.data', 'lines_below').as('lines_below'),
              textAt('g.data', 'from_content').as('from_content'),
              textAt('g.data', 'to_content').as('to_content'),
              eb.fn.coalesce(flagAt('g.data', 'outdated'), constant(false)).as('outdated'),
              textAt('g.data', 'applied_sha').as('applied_sha'),
            ])
            .where(onDiff),
        )
        .onConflict((conflict) => conflict.doNothing()),
    )
    .insertInto('note_award_emojis')
    .columns(['project_id', 'note_id', 'user_id', 'name', 'created_at', 'updated_at'])
    .expression((of) => {
      const awards = of
        .selectFrom('imported as t')
        .crossJoin(elementsOfNote('award_emoji', 'a'))
        .select([
          't.id',
          userAt(restoring, 'a.data', 'user_id').as('user_id'),
          textAt('a.data', 'name').as('name'),
          awardTime.as('time'),
        ]);
      const key = ['x.id', 'x.user_id', 'x.name'] as const;
      return of
        .selectFrom(awards.as('x'))
        .distinctOn(key)
        .select([containerId(restoring).as('project_id'), ...key, 'x.time as created_at', 'x.time as updated_at'])
        .where('x.user_id', 'is not', null)
        .orderBy('x.id')
        .orderBy('x.user_id')
        .orderBy('x.name');
    })
    .execute();
}
