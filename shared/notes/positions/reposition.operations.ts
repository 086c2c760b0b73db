import type { SignedInContext } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { Invalid } from '../../core/values/errors.js';
import { decimal, optional } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { noteById } from '../discussions/any-note.operations.js';
import type { NotesDatabase } from '../notes.entities.js';
import { findNote } from '../notes/note.finder.js';
import { notePolicy } from '../notes/note.policy.js';
import type { NoteRecord } from '../notes/note.entity.js';
import { imagePoint } from '../notes/check-position.js';
import type { Position } from '../notes/position.js';

interface PointInput {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** Moves the thread of a note to another point of its picture. @throws Invalid, InvalidNote */
async function reposition(ctx: SignedInContext, note: NoteRecord, point: PointInput): Promise<NoteRecord> {
  const { position } = note;
  if (position?.position_type !== 'image') throw new Invalid('Note is not on a picture');
  const { x = position.x, y = position.y, width = position.width, height = position.height } = point;
  const moved = { ...position, ...imagePoint({ x, y, width, height }) };
  await ctx.em
    .getKysely<NotesDatabase>()
    .updateTable('notes as n')
    .set((eb) => ({
      position: eb.cast<Position>(eb.val(JSON.stringify(moved)), 'jsonb'),
      updated_at: ctx.clock.now(),
    }))
    .where('n.discussion_id', '=', note.discussion_id)
    .where('n.type', '=', constant('DiffNote'))
    .where(note.noteable.type.holds(note.noteable))
    .execute();
  return findNote(ctx, note.noteable, note.id);
}

/** Move a note to another point of its image: callers who can edit it. */
export const repositionNote = operation({
  name: 'repositionNote',
  summary: 'Move a note on its image',
  resource: noteById,
  can: can(notePolicy, 'reposition_note'),
  kind: 'write',
  statements: 20,
  params: {
    x: optional(decimal()).describe('Distance from the left edge of the image, in pixels.'),
    y: optional(decimal()).describe('Distance from the top edge of the image, in pixels.'),
    width: optional(decimal()).describe('Width of the image, in pixels.'),
    height: optional(decimal()).describe('Height of the image, in pixels.'),
  },
  run: reposition,
});
