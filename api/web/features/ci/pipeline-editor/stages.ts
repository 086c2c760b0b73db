import type { LintedJob, LintReport } from './queries.js';

/** A stage with its jobs. */
export interface StageOfJobs {
  stage: string;
  jobs: LintedJob[];
}

/** The jobs of a configuration by stage, in the order in which they run; stages without jobs are left out. */
export const groupByStage = ({ jobs = [], stages }: LintReport): StageOfJobs[] =>
  stages
    .map((name) => ({ stage: name, jobs: jobs.filter(({ stage }) => stage === name) }))
    .filter(({ jobs: found }) => found.length > 0);
