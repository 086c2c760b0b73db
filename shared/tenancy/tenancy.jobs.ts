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
 * Measures a project's repository: sizes, commits, languages, README and license. Each change enqueues its own job,
 * because a job that is already queued could run before the change is committed.
 */
export const measureProjects = queueJob<{ project_id: number }>('projects.measure', {
  category: 'source_code_management',
  expireInSeconds: 1800,
});

/** Preserves Owners whose role is about to expire and would leave a group without an Owner. */
export const keepOwners = queueJob<Record<string, never>>('members.keep_owners', {
  category: 'groups_and_projects',
  everySeconds: 600,
});

/**
 * Deletes a user permanently. With `hard`, also deletes what only this user owns and puts no ghost user in their place.
 */
export const deleteUsers = queueJob<{ user_id: number; hard?: boolean }>('users.delete', {
  category: 'user_management',
  expireInSeconds: 3600,
});

/** Reports to the spam checker that a text was not spam, if the checker requested such reports. */
export const submitHam = queueJob<{ spam_log_id: number }>('spam_logs.submit_ham', { category: 'instance_resiliency' });

/** Removes old entries of the spam log. */
export const pruneSpamLogs = queueJob<Record<string, never>>('spam_logs.prune', {
  category: 'instance_resiliency',
  everySeconds: 3600,
});
