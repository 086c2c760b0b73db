import { queueJob } from '../core/context/jobs.js';

/** Removes a group for good, if it is still marked for deletion by the same mark (ISO 8601). */
export const deleteGroups = queueJob<{ group_id: number; marked_at: string }>('groups.delete', {
  category: 'groups_and_projects',
  expireInSeconds: 3600,
});

/** Removes a project for good, if it is still marked for deletion by the same mark (ISO 8601). */
export const deleteProjects = queueJob<{ project_id: number; marked_at: string }>('projects.delete', {
  category: 'groups_and_projects',
});

/**
 * Counts what a project's repository holds: sizes, commits, languages, README and licence. Each change sends one; a
 * job that was waiting already could miss what is not committed yet.
 */
export const measureProjects = queueJob<{ project_id: number }>('projects.measure', {
  category: 'source_code_management',
  expireInSeconds: 1800,
});

/** Keeps Owners whose role would end and leave a group to nobody. */
export const keepOwners = queueJob<Record<string, never>>('members.keep_owners', {
  category: 'groups_and_projects',
  everySeconds: 600,
});

/** Removes a user for good; `hard` with what they alone own, and without a ghost who stands for them. */
export const deleteUsers = queueJob<{ user_id: number; hard?: boolean }>('users.delete', {
  category: 'user_management',
  expireInSeconds: 3600,
});

/** Tells the checker that asked for it that a text was no spam. */
export const submitHam = queueJob<{ spam_log_id: number }>('spam_logs.submit_ham', { category: 'instance_resiliency' });

/** Removes old entries of the spam log. */
export const pruneSpamLogs = queueJob<Record<string, never>>('spam_logs.prune', {
  category: 'instance_resiliency',
  everySeconds: 3600,
});
