import type { WorkerDomain } from '../core/domain.js';
import { closingOfIssues } from './closing-commits/close-issues.js';
import { noteOfMentions } from './issue-mentions/note-mentions.js';

export const planningWorkers: WorkerDomain = {
  handlers: [closingOfIssues, noteOfMentions],
};
