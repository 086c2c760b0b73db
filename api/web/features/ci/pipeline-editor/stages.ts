import type { LintedJob, LintReport } from './queries.js';

const DEFAULT_STAGES = ['build', 'test', 'deploy'];

/** A stage with its jobs. */
export interface StageOfJobs {
  stage: string;
  jobs: LintedJob[];
}

/** The names in `stages:` of merged YAML, which has them one a line. */
function readStages(merged: string): string[] {
  const [, block = ''] = /^stages:\n((?:\s*- .*\n?)+)/m.exec(merged) ?? [];
  return block
    .split('\n')
    .map((line) => line.replace(/^\s*- /, '').replace(/^(['"])(.*)\1$/, '$2'))
    .filter((name) => name !== '');
}

/** The jobs of a configuration by stage, in the order in which they run; stages without jobs are left out. */
export function groupByStage({ jobs = [], merged_yaml: merged }: LintReport): StageOfJobs[] {
  const own = readStages(merged ?? '');
  const order = ['.pre', ...(own.length > 0 ? own : DEFAULT_STAGES), '.post'];
  const names = [...new Set([...order, ...jobs.map(({ stage }) => stage)])];
  return names
    .map((name) => ({ stage: name, jobs: jobs.filter(({ stage }) => stage === name) }))
    .filter(({ jobs: found }) => found.length > 0);
}
