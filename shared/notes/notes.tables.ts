/* The tables of this domain: a line for each file of entities. */
export { NoteAwardEmoji } from './note-awards/note-award-emoji.entity.js';
export { NoteMention } from './note-mentions/note-mention.entity.js';
export { NoteDiffLines } from './notes/note-diff-lines.entity.js';
export { Note } from './notes/note.entity.js';
export { Suggestion } from './notes/suggestion.entity.js';
export { ToDo } from './to-dos/to-do.entity.js';
