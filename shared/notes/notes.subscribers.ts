import { subscriber, subscriberToAll } from '../core/context/subscribers.js';
import { writeSystemNotes } from './system-notes/system-notes.js';
import { NOTED_EVENTS } from './system-notes/event-notes.js';
import { EVENTFUL, writeEvents } from './events/write-events.js';
import { updateNoteMentions } from './note-mentions/keep-note-mentions.js';
import { updatePositions } from './positions/move-positions.js';
import { keepSuggestions } from './suggestions/keep-suggestions.js';
import { TO_DO_EVENTS, updateToDos } from './to-dos/to-dos-of-events.js';
import { copyNotes } from './notes/copy-notes.js';

/** What follows from what happened here and below, in this order. */
export const notesSubscribers = [
  subscriber('notes of moved issues', ['issue.moved'], async (ctx, events) => {
    for (const { from, to } of events) await copyNotes(ctx, from, to);
  }),
  subscriber('notes of cloned issues', ['issue.cloned'], async (ctx, events) => {
    for (const { from, to, with_notes } of events) if (with_notes) await copyNotes(ctx, from, to);
  }),
  subscriberToAll('system notes', NOTED_EVENTS, writeSystemNotes),
  subscriberToAll('events of projects', EVENTFUL, writeEvents),
  subscriber('suggestions of notes', ['note.created', 'note.updated'], keepSuggestions),
  subscriber('positions of diff notes', ['merge_requests.unchecked'], updatePositions),
  subscriber('mentions in notes', ['note.created', 'note.updated'], updateNoteMentions),
  subscriberToAll('to-dos', TO_DO_EVENTS, updateToDos),
];
