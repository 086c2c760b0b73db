import { queueJob } from '../../core/context/jobs.js';

const category = 'source_code_management';

/** Removes the repository of a project that is gone. */
export const removeRepositories = queueJob<{ project_id: number }>('repositories.remove', {
  category,
  expireInSeconds: 1800,
});

/** Gives refs that were indexed without their date one. */
export const dateRepositoryRefs = queueJob<Record<string, never>>('repositories.date_refs', {
  category,
  everySeconds: 60,
  expireInSeconds: 1800,
});

/** Packs a repository after many writes; one job for each is enough. */
export const maintainRepositories = queueJob<{ project_id: number }>('repositories.maintain', {
  category,
  policy: 'exclusive',
  expireInSeconds: 2 * 3600,
  retryLimit: 5,
  retryDelay: 60,
  retryDelayMax: 600,
});

/** Removes what requests and jobs left on disk whose process died. */
export const sweepLeftovers = queueJob<Record<string, never>>('repositories.sweep', {
  category,
  everySeconds: 3600,
  expireInSeconds: 3000,
});
