import type { ApiDomain } from '../core/domain.js';
import commitComments from './commit-comments/commit-comments.rest.js';
import discussions from './discussions/discussions.rest.js';
import events from './events/events.rest.js';
import noteAwards from './note-awards/note-awards.rest.js';
import notes from './notes/notes.rest.js';
import suggestions from './suggestions/suggestions.rest.js';
import toDos from './to-dos/to-dos.rest.js';

export const notesApi: ApiDomain = {
  areas: { commitComments, discussions, events, noteAwards, notes, suggestions, toDos },
  resolvers: async () => (await import('./notes.resolvers.js')).notesResolvers,
};
