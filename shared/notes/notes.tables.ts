/* The tables of this domain: a line for each file of entities. */
export { NoteAwardEmoji, NoteMention, Note } from './notes/note.entity.js';
export { NoteDiffLines } from './notes/note-diff-lines.entity.js';
export { Suggestion } from './notes/suggestion.entity.js';
export { ToDo } from './to-dos/to-do.entity.js';
