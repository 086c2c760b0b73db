import { queueJob } from '../../core/jobs.js';

const category = 'importers';

export interface PlanJob {
  plan_id: number;
}

/** Gives up on a plan that no try could make. */
export const failImportPlans = queueJob<PlanJob>('import_plans.fail', { category });

/** What jobs that make plans have alike: somebody waits for each. */
export const PLANNING = {
  category,
  isolated: 'short',
  expireInSeconds: 300,
  retryLimit: 1,
  deadLetter: failImportPlans.name,
} as const;
