import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { commitNoteableType } from './commit-noteable.js';
import { epicNoteableType } from './epic-noteable.js';
import { issueNoteableType } from './issue-noteable.js';
import { mergeRequestNoteableType } from './merge-request-noteable.js';
import { snippetNoteableType } from './snippet-noteable.js';
import type { NamesNoteable, Noteable, NoteableType } from './noteable.js';

/** The kinds of records that can be commented on, each with a test for whether a note belongs to it. */
const TYPES: readonly (readonly [type: NoteableType, isOf: (note: NamesNoteable) => boolean])[] = [
  [issueNoteableType, (note) => Boolean(note.issue_id)],
  [mergeRequestNoteableType, (note) => Boolean(note.merge_request_id)],
  [commitNoteableType, (note) => Boolean(note.commit_sha)],
  [epicNoteableType, (note) => Boolean(note.epic_id)],
  [snippetNoteableType, (note) => Boolean(note.snippet_id)],
];

/** The record of a note. @throws NotFound if the caller cannot read it */
export function loadNoteable(ctx: Context, note: NamesNoteable): Promise<Noteable> {
  const found = TYPES.find(([, isOf]) => isOf(note));
  if (!found) throw new NotFound();
  return found[0].findOf(ctx, note);
}
