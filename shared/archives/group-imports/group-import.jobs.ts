import { queueJob } from '../../core/jobs.js';
import { PLANNING } from '../import-plans/import-plan.jobs.js';
import type { PlanJob } from '../import-plans/import-plan.jobs.js';

const category = 'importers';

interface ImportJob {
  import_id: number;
}

/** Gives up on an import that no try could bring to an end. */
export const failGroupImports = queueJob<ImportJob>('group_imports.fail', { category });

/** Makes a group out of an archive. A large one takes long. */
export const importGroups = queueJob<ImportJob>('group_imports.import', {
  category,
  isolated: 'long',
  expireInSeconds: 2 * 3600,
  retryLimit: 3,
  deadLetter: failGroupImports.name,
});

/** Plans the import of a group, for `dry_run`. */
export const planGroupImports = queueJob<PlanJob>('group_imports.plan', PLANNING);
