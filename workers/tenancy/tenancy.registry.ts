import type { WorkerDomain } from '../core/domain.js';
import { deleteGroup } from './groups/delete.js';
import { deleteUser } from './users/delete.js';

export const tenancyDomain: WorkerDomain = {
  handlers: [deleteGroup, deleteUser],
};
