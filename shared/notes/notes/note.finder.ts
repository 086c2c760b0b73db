import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { NotFound } from '../../core/values/errors.js';
import { byId, narrow } from '../../core/database/list.js';
import type { List, OrderStep } from '../../core/database/list.js';
import { User } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import type { Noteable } from '../noteables/noteable.js';
import { loadNoteable } from '../noteables/noteable-types.js';
import { Note } from './note.entity.js';
import type { NoteRecord } from './note.entity.js';
import { onNotes } from '../noteables/on-notes.js';
import type { OfNotes } from '../noteables/on-notes.js';
import { queryOfNotes, parseReferences, seesReferenced, visibleNotesOf } from './visible-notes.js';

/** Selects notes `n` as lists have them. */
export const selectNotes = <Row>(query: SelectQueryBuilder<OfNotes, 'n', Row>) =>
  query
    .leftJoin('users as a', 'a.id', 'n.author_id')
    .leftJoin('users as rb', 'rb.id', 'n.resolved_by_id')
    .select([
      ...columns(Note, 'n'),
      ...nestedOrNull('author', User, 'a', { only: USER_SUMMARY }),
      ...nestedOrNull('resolved_by', User, 'rb', { only: USER_SUMMARY }),
    ]);

/** Notes of a record that the caller may read, the first one first. */
export async function findNotes(
  ctx: Context,
  noteable: Noteable,
  where: readonly Expression<SqlBool>[] = [],
): Promise<List<NoteRecord>> {
  const list: List<NoteRecord> = {
    matching: expressionBuilder<OfNotes>().selectFrom('notes as n'),
    select: selectNotes,
    order: [byId('n', 'asc')],
    read: (row) => ({ ...row, noteable }),
  };
  return narrow(list, [await visibleNotesOf(ctx, noteable), ...where]);
}

const updatedAt = (direction: 'asc' | 'desc'): OrderStep<NoteRecord> => ({
  key: 'updated_at',
  expression: onNotes.ref('n.updated_at'),
  direction,
  type: 'instant',
  value: (note) => note.updated_at,
});

/** How notes are ordered; by `created_at` means by id (discussions-and-notes.md section 3.4). */
export function noteOrder(by: 'created_at' | 'updated_at', direction: 'asc' | 'desc'): OrderStep<NoteRecord>[] {
  const last = byId<NoteRecord>('n', direction);
  return by === 'created_at' ? [last] : [updatedAt(direction), last];
}

/** A note as selected, before its record is attached. */
export type NoteRow = Omit<NoteRecord, 'noteable' | 'commands'>;

const loadNote = queryOfNotes<{ note_id: number }, NoteRow>((db, { open }, { note_id: id }) =>
  selectNotes(db.selectFrom('notes as n')).where('n.id', '=', id).where(open),
);

/** One of them. @throws NotFound "404 Not found", also for one that the caller may not read */
export async function findNote(ctx: Context, noteable: Noteable, id: number): Promise<NoteRecord> {
  const [row] = await loadNote(ctx, noteable, { note_id: id });
  if (!row || !(await seesReferencedBy(ctx, row))) throw new NotFound();
  return { ...row, noteable };
}

/** Whether the caller can see the records that a note references; comments by users have no references. */
async function seesReferencedBy(ctx: Context, note: NoteRow): Promise<boolean> {
  const kinds = parseReferences(note);
  if (kinds.length === 0) return true;
  const row = await ctx.em
    .getKysely<OfNotes>()
    .selectFrom('notes as n')
    .select('n.id')
    .where('n.id', '=', note.id)
    .where(seesReferenced(ctx, kinds))
    .executeTakeFirst();
  return row !== undefined;
}

const loadAnyNote = prepareQuery<OfNotes, { id: number }, Note>((db, { id }) =>
  db.selectFrom('notes as n').select(columns(Note, 'n')).where('n.id', '=', id),
);

/** A note of whatever record, found with that; for a write the record is locked. @throws NotFound */
export async function findAnyNote(ctx: Context, id: number): Promise<NoteRecord> {
  const [row] = await loadAnyNote(ctx, { id });
  if (!row) throw new NotFound();
  return findNote(ctx, await loadNoteable(ctx, row), id);
}
