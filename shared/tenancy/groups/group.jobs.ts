import { queueJob } from '../../core/context/jobs.js';

/** Removes a group for good, if it is still marked for deletion by the same mark (ISO 8601). */
export const deleteGroups = queueJob<{ group_id: number; marked_at: string }>('groups.delete', {
  category: 'groups_and_projects',
  expireInSeconds: 3600,
});
