import type { NoteRecord } from './notes/note.entity.js';

interface ByWhom {
  /** Whether who did it wrote the note too. */
  readonly by_author: boolean;
}

export interface NotesEvents {
  /** A user wrote a comment. */
  'note.created': { readonly note: NoteRecord };
  /** `note` as it is now. */
  'note.updated': { readonly note: NoteRecord } & ByWhom;
  'note.deleted': { readonly note: NoteRecord } & ByWhom;
  /** A single comment became the first note of a thread. */
  'note.made_thread': { readonly note: NoteRecord };
  /** Notes of one thread were resolved or unresolved. */
  'discussion.resolved': { readonly note: NoteRecord; readonly resolved: boolean };
}

declare module '../core/values/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends NotesEvents {}
}
