import { job } from '../core/jobs.js';

/** Removes the repository of a project that is gone. */
export const removeRepositories = job<{ project_id: number }>('repositories.remove', { expireInSeconds: 1800 });
