import { queueJob } from '../../core/jobs.js';

const category = 'importers';

interface RelationExportJob {
  export_id: number;
}

/** Gives up on an export of a relation that no try could bring to an end. */
export const failRelationExports = queueJob<RelationExportJob>('relation_exports.fail', { category });

/** Writes the files of one relation of a group. */
export const runRelationExports = queueJob<RelationExportJob>('relation_exports.run', {
  category,
  expireInSeconds: 2 * 3600,
  retryLimit: 3,
  deadLetter: failRelationExports.name,
});

/** Removes exports of relations whose time is over, and ends those whose job is lost. */
export const sweepRelationExports = queueJob<Record<string, never>>('relation_exports.sweep', {
  category,
  everySeconds: 300,
});
