import { queueJob } from '../../core/jobs.js';
import { PLANNING } from '../import-plans/import-plan.jobs.js';
import type { PlanJob } from '../import-plans/import-plan.jobs.js';

const category = 'importers';

interface ImportJob {
  import_id: number;
  project_id: number;
}

/** Gives up on a project that no try could fill. */
export const failProjectArchives = queueJob<ImportJob>('project_archives.fail', { category });

/** Fills a new project with what an archive holds. A large one takes long. */
export const importProjectArchives = queueJob<ImportJob>('project_archives.import', {
  category,
  isolated: 'long',
  expireInSeconds: 2 * 3600,
  retryLimit: 3,
  deadLetter: failProjectArchives.name,
});

/** Plans the import of a project, for `dry_run`. */
export const planProjectArchives = queueJob<PlanJob>('project_archives.plan', PLANNING);
