import { queueJob } from '../../core/context/jobs.js';

const category = 'importers';

interface ExportJob {
  export_id: number;
}

/** Gives up on an export that no try could complete. */
export const failExports = queueJob<ExportJob>('archive_exports.fail', { category });

/** Writes the archive of a group or project. A large one takes long. */
export const runExports = queueJob<ExportJob>('archive_exports.run', {
  category,
  expireInSeconds: 2 * 3600,
  retryLimit: 3,
  deadLetter: failExports.name,
});

/** Removes exports whose time is over, and fails those whose job is lost. */
export const sweepExports = queueJob<Record<string, never>>('archive_exports.sweep', { category, everySeconds: 300 });

/** Gives up on sending an archive. */
export const failUploads = queueJob<ExportJob>('archive_exports.fail_upload', { category });

/** Sends an archive to the URL that its exporter named. A large one takes long. */
export const uploadExports = queueJob<ExportJob>('archive_exports.upload', {
  category,
  expireInSeconds: 2 * 3600,
  retryLimit: 3,
  deadLetter: failUploads.name,
});

/** Gives up on an export of a relation that no try could complete. */
export const failRelationExports = queueJob<ExportJob>('relation_exports.fail', { category });

/** Writes the files of one relation of a group. */
export const runRelationExports = queueJob<ExportJob>('relation_exports.run', {
  category,
  expireInSeconds: 2 * 3600,
  retryLimit: 3,
  deadLetter: failRelationExports.name,
});

/** Removes exports of relations whose time is over, and fails those whose job is lost. */
export const sweepRelationExports = queueJob<Record<string, never>>('relation_exports.sweep', {
  category,
  everySeconds: 300,
});
