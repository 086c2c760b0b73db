import type { WorkerDomain } from '../core/domain.js';
import { deleteGroup } from './groups/delete.js';
import { deleteUser } from './users/delete.js';

export const tenancyWorkers: WorkerDomain = {
  handlers: [deleteGroup, deleteUser],
};
