import type { WorkerDomain } from '../core/domain.js';
import { closingOfIssues } from './issue-links/close-issues.js';
import { noteOfMentions } from './issue-links/note-mentions.js';

export const planningWorkers: WorkerDomain = {
  handlers: [closingOfIssues, noteOfMentions],
};
