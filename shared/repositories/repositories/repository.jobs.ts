import { queueJob } from '../../core/jobs.js';

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
