import type { WorkerDomain } from '../core/domain.js';
import { deleteGroupHandler } from './groups/delete.js';
import { keepOwnersHandler } from './members/keep-owners.js';
import { pruneSpamLogsHandler } from './spam/prune.js';
import { submitHamHandler } from './spam/submit-ham.js';
import { deleteUserHandler } from './users/delete.js';

export const tenancyWorkers: WorkerDomain = {
  handlers: [deleteGroupHandler, keepOwnersHandler, deleteUserHandler, pruneSpamLogsHandler, submitHamHandler],
};
