import type { AliasableExpression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant, scalar } from '../../core/database/expressions.js';
import { Invalid } from '../../core/values/errors.js';
import type { Noteable } from '../noteables/noteable.js';
import type { NotesDatabase } from '../notes.entities.js';
import type { NoteRecord } from './note.entity.js';
import { onNotes } from '../noteables/on-notes.js';

/** Characters, as the public API counts them. */
const MAX_BODY = 1_000_000;
/** Comments on one record. */
const MAX_NOTES = 5000;

/**
 * Violation of a rule for a note's values, with the messages of the public API, of which clients only rely on the
 * beginning (discussions-and-notes.md section 4.1).
 */
export class InvalidNote extends Invalid {
  readonly problems: readonly string[];

  constructor(
    readonly field: string,
    ...problems: readonly string[]
  ) {
    super(`400 Bad request - Note {:${field}=>[${problems.map((problem) => `"${problem}"`).join(', ')}]}`);
    this.problems = problems;
  }
}

/** @throws InvalidNote for one that is blank or too long */
export function requireBody(body: string): void {
  if (body.trim() === '') throw new InvalidNote('note', "can't be blank");
  if (body.length > MAX_BODY && [...body].length > MAX_BODY)
    throw new InvalidNote('note', `is too long (maximum is ${MAX_BODY} characters)`);
}

/** That a record takes one more comment, as a condition. */
export function roomForNote(noteable: Noteable): AliasableExpression<SqlBool> {
  const counted = onNotes
    .selectFrom('notes as n')
    .select('n.id')
    .where(noteable.type.holds(noteable))
    .where((eb) => eb.not(eb.ref('n.system')))
    .where('n.imported_from', '=', constant('none'))
    .limit(MAX_NOTES)
    .as('counted');
  const count = onNotes.selectFrom(counted).select((eb) => eb.fn.countAll<number>().as('count'));
  return onNotes(scalar(count), '<', MAX_NOTES);
}

export const noRoom = () => new InvalidNote('base', 'Maximum number of comments exceeded');

/** @throws InvalidNote if the record does not accept further comments */
export async function requireRoomForNote(ctx: Context, noteable: Noteable): Promise<void> {
  const row = await ctx.em.getKysely<NotesDatabase>().selectNoFrom(roomForNote(noteable).as('room')).executeTakeFirst();
  if (row?.room !== true) throw noRoom();
}

/** The creation time requested for a comment. @throws InvalidNote before 1970 */
export function requireValidCreatedAt(createdAt: Date): void {
  if (createdAt.getTime() < 0) throw new InvalidNote('created_at', 'The created date provided is too far in the past.');
}

/** Whether a note is part of a thread that can be resolved (discussions-and-notes.md section 5.1). */
export const isResolvable = ({ type, system, noteable }: Pick<NoteRecord, 'type' | 'system' | 'noteable'>): boolean =>
  Boolean(type) && !system && noteable.type.resolvable;
