import { queueJob } from '../../core/context/jobs.js';

/** Keeps Owners whose role would end and leave a group to nobody. */
export const keepOwners = queueJob<Record<string, never>>('members.keep_owners', {
  category: 'groups_and_projects',
  everySeconds: 600,
});
