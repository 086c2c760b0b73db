import { queueJob } from '../../core/context/jobs.js';

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
