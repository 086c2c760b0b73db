import type { WorkerDomain } from '../core/domain.js';
import { keepMentions } from './note-mentions/keep-mentions.js';
import { moveNotePositions } from './positions/move-positions.js';

export const notesWorkers: WorkerDomain = {
  handlers: [keepMentions, moveNotePositions],
};
