import { queueJob } from '../../core/context/jobs.js';

const category = 'importers';

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

/** Removes from disk what imports left whose process died, and fails those whose job is lost. */
export const sweepImports = queueJob<Record<string, never>>('archive_imports.sweep', { category, everySeconds: 300 });

/** What jobs that read an archive have alike: a large one takes long. */
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

/** Fills a new project with what an archive holds. */
export const importProjectArchives = queueJob<ProjectImportJob>('project_archives.import', {
  ...IMPORTING,
  deadLetter: failProjectArchives.name,
});

/** Gives up on a plan that no try could make. */
export const failImportPlans = queueJob<PlanJob>('import_plans.fail', { category });

/** What jobs that make plans have alike: somebody waits for each. */
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
