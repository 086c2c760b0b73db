import type { SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { authorize } from '../../core/operations/operation.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import { leaveDiffLines } from './diff-lines.js';
import { Note } from './note.entity.js';
import type { NoteRecord } from './note.entity.js';
import { findNote } from './note.finder.js';
import { notePolicy } from './note.policy.js';
import { isResolvable, requireBody } from './note.rules.js';

/** Changes the text of a note: its author and Maintainers. @throws Forbidden, InvalidNote */
export async function editNote(ctx: SignedInContext, note: NoteRecord, body: string): Promise<NoteRecord> {
  authorize(ctx, notePolicy, 'admin_note', note);
  requireBody(body);
  if (body === note.note) return note;
  const now = ctx.clock.now();
  const values = { note: body, updated_at: now, last_edited_at: now, last_edited_by_id: ctx.caller.id };
  await ctx.em.nativeUpdate(Note, { id: note.id }, values);
  await note.noteable.type.touch?.(ctx, note.noteable);
  const edited = await findNote(ctx, note.noteable, note.id);
  ctx.record({ type: 'note.updated', note: edited, by_author: note.author_id === ctx.caller.id });
  return edited;
}

/** Deletes a note: its author's right, and Maintainers'. @throws Forbidden, PreconditionFailed */
export async function deleteNote(ctx: SignedInContext, note: NoteRecord): Promise<void> {
  authorize(ctx, notePolicy, 'admin_note', note);
  requireUnmodified(ctx, note);
  await leaveDiffLines(ctx, note);
  await ctx.em.nativeDelete(Note, { id: note.id });
  await note.noteable.type.touch?.(ctx, note.noteable);
  ctx.record({ type: 'note.deleted', note, by_author: note.author_id === ctx.caller.id });
}

/** Resolves one note of a thread, or takes that back. @throws Forbidden, Invalid for what can't be resolved */
export async function resolveNote(ctx: SignedInContext, note: NoteRecord, resolved: boolean): Promise<NoteRecord> {
  authorize(ctx, notePolicy, 'resolve_note', note);
  if (!isResolvable(note)) throw new Invalid('400 Bad request - Note is not resolvable');
  if (Boolean(note.resolved_at) === resolved) return note;
  const [at, by] = resolved ? [ctx.clock.now(), ctx.caller.id] : [null, null];
  await ctx.em.nativeUpdate(Note, { id: note.id }, { resolved_at: at, resolved_by_id: by });
  const changed = await findNote(ctx, note.noteable, note.id);
  ctx.record({ type: 'discussion.resolved', note: changed, resolved });
  return changed;
}
