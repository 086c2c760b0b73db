import { queueJob } from '../../core/context/jobs.js';
import type { TransferKind } from '../repositories/repository-transfer.jobs.js';

const category = 'importers';

interface ImportJob {
  project_id: number;
  /** The branch wished for as the default one. */
  default_branch?: string;
}

/** Gives up on a project whose repository no try could bring in. */
export const failImports = queueJob<ImportJob>('project_imports.fail', { category });

/** Brings the repository of a new project in from its `import_url`. A large one takes long. */
export const importProjects = queueJob<ImportJob>('project_imports.import', {
  category,
  expireInSeconds: 2 * 3600,
  retryLimit: 3,
  deadLetter: failImports.name,
});

/** Asked for so that they take their turn. */
export const importTransfers: TransferKind<ImportJob> = { job: importProjects, user: 'creator' };
