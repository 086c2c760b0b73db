import { queueJob } from '../core/context/jobs.js';
import type { JobKind } from '../core/context/jobs.js';
import type { ContentKind } from './repositories/content-ref.js';

/** What transfers are told at least. */
export interface TransferJob {
  project_id: number;
}

/** A kind of job that moves a whole repository, and whose turn it takes. */
export interface TransferKind<P extends TransferJob = TransferJob> {
  job: JobKind<P>;
  user: 'creator' | 'mirror_user';
}

/**
 * Calls the transfers whose turn it is. Sent with each that is asked for and each that ended, and each minute, should a
 * job be lost that would have sent it.
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

/** Removes what requests and jobs left on disk whose process died. */
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

/** Removes repositories from disk whose rows are gone. */
export const removeContents = queueJob<Record<string, never>>('content_repositories.remove', {
  category,
  everySeconds: 60,
  expireInSeconds: 1800,
});

const importers = 'importers';

interface ImportJob {
  project_id: number;
  /** The branch wished for as the default one. */
  default_branch?: string;
}

/** Gives up on a project whose repository no try could bring in. */
export const failImports = queueJob<ImportJob>('project_imports.fail', { category: importers });

/** Brings the repository of a new project in from its `import_url`. A large one takes long. */
export const importProjects = queueJob<ImportJob>('project_imports.import', {
  category: importers,
  expireInSeconds: 2 * 3600,
  retryLimit: 3,
  deadLetter: failImports.name,
});

/** Asked for so that they take their turn. */
export const importTransfers: TransferKind<ImportJob> = { job: importProjects, user: 'creator' };

interface ForkJob {
  project_id: number;
  source_id: number;
  /** The one branch to bring; all of them when left out. */
  branch?: string;
}

/** Gives up on a fork whose repository could not be brought in by any try. */
export const failForks = queueJob<ForkJob>('project_forks.fail', { category });

/** Brings the repository of a new fork in. A large one takes minutes. */
export const importForks = queueJob<ForkJob>('project_forks.import', {
  category,
  expireInSeconds: 3600,
  retryLimit: 5,
  deadLetter: failForks.name,
});

/** Asked for so that they take their turn. */
export const forkTransfers: TransferKind<ForkJob> = { job: importForks, user: 'creator' };

interface MirrorJob {
  project_id: number;
}

/** Gives up on an update that no try brought to an end, until the next one. */
export const failMirrorUpdates = queueJob<MirrorJob>('project_mirrors.fail', { category });

/** Brings a mirrored project up to date with the repository that it follows. */
export const updateMirrors = queueJob<MirrorJob>('project_mirrors.update', {
  category,
  expireInSeconds: 3600,
  retryLimit: 3,
  deadLetter: failMirrorUpdates.name,
});

/** Asked for so that they take their turn. */
export const mirrorTransfers: TransferKind<MirrorJob> = { job: updateMirrors, user: 'mirror_user' };

/** Sends the updates that are due. */
export const scheduleMirrors = queueJob<Record<string, never>>('project_mirrors.schedule', {
  category,
  everySeconds: 60,
});
