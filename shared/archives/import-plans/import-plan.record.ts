import type { ImportPlan } from './import-plan.entity.js';

/** A plan as whoever asked for it reads it. */
export type ImportPlanRecord = Pick<
  ImportPlan,
  'id' | 'kind' | 'status' | 'reason' | 'plan' | 'created_at' | 'finished_at'
>;

/** Milliseconds for which a plan is kept. */
export const PLAN_KEPT_MS = 3_600_000;

/** Whether what an import gave is a plan that is being made. */
export const isImportPlan = (made: object | null): made is ImportPlanRecord => made !== null && 'plan' in made;
