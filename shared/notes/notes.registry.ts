import type { Domain } from '../core/domain.js';
import { subscriberToAll } from '../core/subscribers.js';
import { Note } from './notes/note.entity.js';
import { TOLD, writeSystemNotes } from './system-notes/system-notes.js';

export const notesDomain: Domain = {
  name: 'notes',
  entities: [Note],
  jobKinds: [],
  subscribers: [subscriberToAll('system notes', TOLD, writeSystemNotes)],
  auditOf: {},
};
