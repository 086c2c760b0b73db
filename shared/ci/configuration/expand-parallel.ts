import {
  ConfigurationError,
  type JobConfig,
  type NeedConfig,
  type Problem,
  type Variables,
} from '../configuration-model/configuration.types.js';
import { expandMatrix, formatPartName, MAX_PARTS, type Combination } from './expand-matrix.js';
import { createNeedsExpander } from './expand-needs.js';

/** Jobs of a configuration with all their parts, before rules choose some of them. */
const MAX_JOBS = 20_000;
const MAX_NAME = 255;
const MAX_PROBLEMS = 100;

/** A job with its final name. */
export type ExpandedJob = JobConfig & {
  /** The name in the file. */
  base_name: string;
  /** Which of its parts it is, counted from 1; null without `parallel`. */
  node: { index: number; total: number } | null;
  /** Empty without `parallel:matrix`. */
  matrix_variables: Record<string, string>;
};

/**
 * Makes of each job with `parallel` as many jobs as it wants: `x 1/5`, or `x: [a, b]` with the variables of its
 * combination, which win over the job's own. What needs or depends on such a job does so on all of them, or on those
 * that `needs:parallel:matrix` chooses. Of two jobs with one name the later one stays, where the first stood.
 * @throws ConfigurationError with up to 100 problems: jobs with more than 200 parts, or parts whose names have more
 *   than 255 characters; with one: more than 200 jobs chosen by a need, 20,000 jobs or 500,000 needs in all
 */
export function expandParallel(jobs: readonly JobConfig[]): ExpandedJob[] {
  const problems: Problem[] = [];
  const parts = new Map<string, ExpandedJob[]>();
  let total = 0;
  for (const job of jobs) {
    const split = collectProblems(problems, () => splitJob(job)) ?? [];
    total += split.length;
    if (total > MAX_JOBS) throw new ConfigurationError(`The number of jobs has exceeded the limit of ${MAX_JOBS}.`);
    parts.set(job.name, split);
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return nameJobs(jobs, parts);
}

function nameJobs(jobs: readonly JobConfig[], parts: Map<string, ExpandedJob[]>): ExpandedJob[] {
  const expander = createNeedsExpander(parts);
  const byName = new Map<string, ExpandedJob>();
  for (const job of jobs) {
    const own = parts.get(job.name) ?? [];
    const names = replaceNames(job, expander, own.length);
    for (const part of own) byName.set(part.name, { ...part, ...names });
  }
  return [...byName.values()];
}

function collectProblems<Result>(problems: Problem[], step: () => Result): Result | undefined {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    problems.push(...error.problems.slice(0, MAX_PROBLEMS - problems.length));
    return undefined;
  }
}

function splitJob(job: JobConfig): ExpandedJob[] {
  const { parallel } = job;
  if (parallel === null) return [createPart(job, job.name, null, {})];
  if (typeof parallel === 'number') {
    if (parallel > MAX_PARTS)
      throw new ConfigurationError(`jobs:${job.name}:parallel config must be less than or equal to ${MAX_PARTS}`);
    return Array.from({ length: parallel }, (_, index) =>
      createPart(job, `${job.name} ${index + 1}/${parallel}`, { index: index + 1, total: parallel }, {}),
    );
  }
  const combinations = expandMatrix(parallel.matrix, `jobs:${job.name}:parallel:matrix`);
  const total = combinations.length;
  return combinations.map((combination, index) =>
    createPart(job, formatPartName(job.name, combination), { index: index + 1, total }, combination),
  );
}

function createPart(job: JobConfig, name: string, node: ExpandedJob['node'], combination: Combination): ExpandedJob {
  if (node && name.length > MAX_NAME)
    throw new ConfigurationError(`jobs:${job.name}:parallel name is too long (maximum is ${MAX_NAME} characters)`);
  const variables = node ? addVariables(job.variables, node, combination) : job.variables;
  return { ...job, name, variables, base_name: job.name, node, matrix_variables: combination };
}

function addVariables(own: Variables, node: { index: number; total: number }, combination: Combination): Variables {
  const variables = Object.create(null) as Variables;
  variables['CI_NODE_INDEX'] = { value: String(node.index), expand: false };
  variables['CI_NODE_TOTAL'] = { value: String(node.total), expand: false };
  Object.assign(variables, own);
  for (const [name, value] of Object.entries(combination)) variables[name] = { value, expand: true };
  return variables;
}

type Names = Pick<JobConfig, 'needs' | 'dependencies' | 'rules'>;

/** What a job needs and depends on, by final names; its parts share it. */
function replaceNames(job: JobConfig, expander: ReturnType<typeof createNeedsExpander>, parts: number): Names {
  const expandNeeds = (needs: NeedConfig[]) => expander.expandNeeds(job.name, needs, parts);
  return {
    needs: job.needs && expandNeeds(job.needs),
    dependencies: job.dependencies && expander.expandDependencies(job.dependencies, parts),
    rules: job.rules && job.rules.map((rule) => (rule.needs ? { ...rule, needs: expandNeeds(rule.needs) } : rule)),
  };
}
