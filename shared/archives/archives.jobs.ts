import { queueJob } from '../core/context/jobs.js';

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

/** Deletes expired exports, and marks those with a lost job as failed. */
export const sweepExports = queueJob<Record<string, never>>('archive_exports.sweep', { category, everySeconds: 300 });

/** Gives up on sending an archive. */
export const failUploads = queueJob<ExportJob>('archive_exports.fail_upload', { category });

/** Uploads an archive to the URL set by its exporter. Large archives take long. */
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

/** Deletes expired exports of relations, and marks those with a lost job as failed. */
export const sweepRelationExports = queueJob<Record<string, never>>('relation_exports.sweep', {
  category,
  everySeconds: 300,
});

/** An import that makes a group. */
interface GroupImportJob {
  import_id: number;
}

/** An import that fills a project. */
interface ProjectImportJob {
  import_id: number;
  project_id: number;
}

export interface PlanJob {
  plan_id: number;
}

/** Deletes files left on disk by imports whose process died, and marks imports with a lost job as failed. */
export const sweepImports = queueJob<Record<string, never>>('archive_imports.sweep', { category, everySeconds: 300 });

/** Shared options of jobs that read an archive: a large one takes long. */
const IMPORTING = { category, isolated: 'long', expireInSeconds: 2 * 3600, retryLimit: 3 } as const;

/** Gives up on an import that no try could complete. */
export const failGroupImports = queueJob<GroupImportJob>('group_imports.fail', { category });

/** Makes a group out of an archive. */
export const importGroups = queueJob<GroupImportJob>('group_imports.import', {
  ...IMPORTING,
  deadLetter: failGroupImports.name,
});

/** Gives up on a project that no try could fill. */
export const failProjectArchives = queueJob<ProjectImportJob>('project_archives.fail', { category });

/** Fills a new project with the contents of an archive. */
export const importProjectArchives = queueJob<ProjectImportJob>('project_archives.import', {
  ...IMPORTING,
  deadLetter: failProjectArchives.name,
});

/** Gives up on a plan that no try could make. */
export const failImportPlans = queueJob<PlanJob>('import_plans.fail', { category });

/** Shared options of jobs that create plans: a user is waiting for the result. */
const PLANNING = {
  category,
  isolated: 'short',
  expireInSeconds: 300,
  retryLimit: 1,
  deadLetter: failImportPlans.name,
} as const;

/** Plans the import of a group, for `dry_run`. */
export const planGroupImports = queueJob<PlanJob>('group_imports.plan', PLANNING);

/** Plans the import of a project, for `dry_run`. */
export const planProjectArchives = queueJob<PlanJob>('project_archives.plan', PLANNING);
