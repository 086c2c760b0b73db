import { job } from '../core/jobs.js';

/** Removes a project for good, if it is still marked for deletion by the same mark (ISO 8601). */
export const deleteProjects = job<{ project_id: number; marked_at: string }>('projects.delete');
