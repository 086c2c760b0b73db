import type { TablesOf } from '../core/database/tables.js';
import type { MergeRequestsDatabase } from '../merge-requests/merge-requests.entities.js';
import { NoteAwardEmoji } from './note-awards/note-award-emoji.entity.js';
import { NoteDiffLines } from './notes/note-diff-lines.entity.js';
import { Note } from './notes/note.entity.js';
import { Suggestion } from './notes/suggestion.entity.js';
import { ToDo } from './to-dos/to-do.entity.js';
import { NoteMention } from './note-mentions/note-mention.entity.js';

/** The tables of this domain. */
export const notesEntities = [Note, NoteAwardEmoji, NoteDiffLines, NoteMention, Suggestion, ToDo] as const;

/** What a query of this domain may name: its tables and those of the domains below. */
export interface NotesDatabase extends MergeRequestsDatabase, TablesOf<(typeof notesEntities)[number]> {}
