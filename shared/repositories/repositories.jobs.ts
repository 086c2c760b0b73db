import { queueJob } from '../core/context/jobs.js';
import type { JobKind } from '../core/context/jobs.js';
import type { ContentKind } from './repositories/content-ref.js';

/** Minimal payload of transfers. */
export interface TransferJob {
  project_id: number;
}

/** A kind of job that transfers a whole repository, and the user whose queue it waits in. */
export interface TransferKind<P extends TransferJob = TransferJob> {
  job: JobKind<P>;
  user: 'creator' | 'mirror_user';
}

/**
 * Starts the transfers that are next in the queue. Sent with each requested and each finished transfer, and once a
 * minute in case a job that would have sent it is lost.
 */
export const callTransfers = queueJob<Record<string, never>>('repository_transfers.call', {
  category: 'importers',
  everySeconds: 60,
});

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

/** Removes files left on disk by requests and jobs whose process died. */
export const sweepLeftovers = queueJob<Record<string, never>>('repositories.sweep', {
  category,
  everySeconds: 3600,
  expireInSeconds: 3000,
});

/** Counts a repository that is no project's, after it was written to, and packs it where that is due. */
export const keepContents = queueJob<{ kind: ContentKind; of: number }>('content_repositories.keep', {
  category,
  policy: 'short',
  expireInSeconds: 2 * 3600,
  retryLimit: 5,
  retryDelay: 30,
});

/** Removes repositories from disk whose rows were deleted. */
export const removeContents = queueJob<Record<string, never>>('content_repositories.remove', {
  category,
  everySeconds: 60,
  expireInSeconds: 1800,
});

const importers = 'importers';

interface ImportJob {
  project_id: number;
  /** The requested default branch. */
  default_branch?: string;
}

/** Marks a project's import as failed after its last attempt. */
export const failImports = queueJob<ImportJob>('project_imports.fail', { category: importers });

/** Imports the repository of a new project from its `import_url`. A large one takes long. */
export const importProjects = queueJob<ImportJob>('project_imports.import', {
  category: importers,
  expireInSeconds: 2 * 3600,
  retryLimit: 3,
  deadLetter: failImports.name,
});

/** Requested as transfers, so that they wait in the queue. */
export const importTransfers: TransferKind<ImportJob> = { job: importProjects, user: 'creator' };

interface ForkJob {
  project_id: number;
  source_id: number;
  /** The only branch to import; all of them if omitted. */
  branch?: string;
}

/** Marks a fork as failed after the last attempt to import its repository. */
export const failForks = queueJob<ForkJob>('project_forks.fail', { category });

/** Imports the repository of a new fork. A large one takes minutes. */
export const importForks = queueJob<ForkJob>('project_forks.import', {
  category,
  expireInSeconds: 3600,
  retryLimit: 5,
  deadLetter: failForks.name,
});

/** Requested as transfers, so that they wait in the queue. */
export const forkTransfers: TransferKind<ForkJob> = { job: importForks, user: 'creator' };

interface MirrorJob {
  project_id: number;
}

/** Marks an update as failed after its last attempt, until the next one. */
export const failMirrorUpdates = queueJob<MirrorJob>('project_mirrors.fail', { category });

/** Updates a mirrored project from its upstream repository. */
export const updateMirrors = queueJob<MirrorJob>('project_mirrors.update', {
  category,
  expireInSeconds: 3600,
  retryLimit: 3,
  deadLetter: failMirrorUpdates.name,
});

/** Requested as transfers, so that they wait in the queue. */
export const mirrorTransfers: TransferKind<MirrorJob> = { job: updateMirrors, user: 'mirror_user' };

/** Sends the updates that are due. */
export const scheduleMirrors = queueJob<Record<string, never>>('project_mirrors.schedule', {
  category,
  everySeconds: 60,
});
