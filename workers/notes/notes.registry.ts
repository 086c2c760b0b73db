import type { WorkerDomain } from '../core/domain.js';
import { keepMentions } from './note-mentions/keep-mentions.js';

export const notesWorkers: WorkerDomain = {
  handlers: [keepMentions],
};
