import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { IssueInProject } from '../../planning/planning.events.js';
import type { NotesDatabase } from '../notes.entities.js';

/** The columns that a note and its copy have in common. */
const COPIED = [
  'type',
  'note',
  'author_id',
  'system',
  'action',
  'referenced_issue_id',
  'referenced_project_id',
  'referenced_merge_request_id',
  'referenced_epic_id',
  'internal',
  'imported_from',
  'resolved_at',
  'resolved_by_id',
  'last_edited_at',
  'last_edited_by_id',
  'created_at',
  'updated_at',
] as const;

/**
 * Copies the notes of an issue to the issue that it was moved or cloned to, including threads, system notes and emoji.
 * The new threads get their own ids, since the original threads remain. Internal notes stay internal, and the records
 * that a note references still determine its visibility.
 */
export async function copyNotes(ctx: Context<Caller>, from: IssueInProject, to: IssueInProject): Promise<void> {
  const { id: issueId, project_id: projectId } = to.issue;
  await ctx.em
    .getKysely<NotesDatabase>()
    .with(
      (cte) => cte('threads').materialized(),
      (db) =>
        db
          .selectFrom((eb) =>
            eb
              .selectFrom('notes as n')
              .select('n.discussion_id')
              .distinct()
              .where('n.issue_id', '=', from.issue.id)
              .as('t'),
          )
          .select((eb) => {
            const drawn = eb.cast<string>(eb.fn('gen_random_uuid'), 'text');
            const digest = eb.fn('encode', [eb.fn('sha256', [eb.cast(drawn, 'bytea')]), constant('hex')]);
            return ['t.discussion_id as old_id', eb.fn<string>('substr', [digest, eb.lit(1), eb.lit(40)]).as('new_id')];
          }),
    )
    .with(
      (cte) => cte('copied').materialized(),
      (db) =>
        db
          .selectFrom((eb) =>
            eb
              .selectFrom('notes as x')
              .select(['x.id', 'x.discussion_id', ...COPIED.map((name) => `x.${name}` as const)])
              .where('x.issue_id', '=', from.issue.id)
              .orderBy('x.id')
              .as('n'),
          )
          .innerJoin('threads as t', 't.old_id', 'n.discussion_id')
          .select((eb) => {
            const sequence = eb.fn('pg_get_serial_sequence', [constant('notes'), constant('id')]);
            return [
              'n.id',
              't.new_id',
              eb.fn<number>('nextval', [sequence]).as('copy_id'),
              ...COPIED.map((name) => `n.${name}` as const),
            ];
          }),
    )
    .with('written', (db) =>
      db
        .insertInto('notes')
        .columns(['id', 'project_id', 'issue_id', 'discussion_id', ...COPIED])
        .expression(
          db
            .selectFrom('copied as c')
            .select((eb) => [
              'c.copy_id',
              eb.cast<number>(eb.val(projectId), 'bigint').as('project_id'),
              eb.cast<number>(eb.val(issueId), 'bigint').as('issue_id'),
              'c.new_id',
              ...COPIED.map((name) => `c.${name}` as const),
            ])
            .orderBy('c.copy_id'),
        )
        .returning('id'),
    )
    .with('mentioned', (db) =>
      db
        .insertInto('note_mentions')
        .columns(['project_id', 'note_id', 'user_id'])
        .expression(
          db
            .selectFrom('copied as c')
            .innerJoin('note_mentions as m', 'm.note_id', 'c.id')
            .select((eb) => [eb.cast<number>(eb.val(projectId), 'bigint').as('project_id'), 'c.copy_id', 'm.user_id']),
        ),
    )
    .insertInto('note_award_emojis')
    .columns(['project_id', 'note_id', 'user_id', 'name', 'created_at', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom('copied as c')
        .innerJoin('note_award_emojis as e', 'e.note_id', 'c.id')
        .select([
          eb.cast<number>(eb.val(projectId), 'bigint').as('project_id'),
          'c.copy_id',
          'e.user_id',
          'e.name',
          'e.created_at',
          'e.updated_at',
        ])
        .orderBy('e.id'),
    )
    .execute();
}
