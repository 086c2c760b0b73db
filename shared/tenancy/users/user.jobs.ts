import { queueJob } from '../../core/context/jobs.js';

/** Removes a user for good; `hard` with what they alone own, and without a ghost who stands for them. */
export const deleteUsers = queueJob<{ user_id: number; hard?: boolean }>('users.delete', {
  category: 'user_management',
  expireInSeconds: 3600,
});
