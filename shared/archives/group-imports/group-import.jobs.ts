import { queueJob } from '../../core/jobs.js';

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
