import {
  ConfigurationError,
  type JobConfig,
  type NeedConfig,
  type Problem,
} from '../configuration-model/configuration.types.js';

/** Unless `ci_needs_size_limit` says something else. */
const MAX_NEEDS = 50;
const MAX_PROBLEMS = 100;
const CIRCLE = 'The pipeline has circular dependencies';

type Job = Pick<JobConfig, 'name' | 'stage' | 'needs' | 'dependencies' | 'rules' | 'environment'> & {
  base_name?: string;
};
type JobWithNeeds = Pick<JobConfig, 'name' | 'needs'>;

/** The jobs by name and the stages' numbers, and where problems go. */
interface Work {
  readonly jobs: Map<string, Job>;
  readonly stages: Map<string, number>;
  readonly problems: Problem[];
}

/**
 * Checks what jobs need, depend on and are stopped by, before rules choose some of them. Problems name the first part
 * of a job only, for all have the same needs.
 * @param stages in their order
 * @throws ConfigurationError with up to 100 problems
 */
export function checkNeeds(jobs: readonly Job[], stages: readonly string[]): void {
  const work: Work = {
    jobs: new Map(jobs.map((job) => [job.name, job])),
    stages: new Map(stages.map((stage, index) => [stage, index])),
    problems: [],
  };
  const bases = new Set<string>();
  for (const job of jobs) {
    const base = job.base_name ?? job.name;
    if (bases.has(base)) continue;
    bases.add(base);
    for (const name of job.dependencies ?? []) checkName(work, job, 'dependency', name);
    checkJobNeeds(work, job, job.needs ?? []);
    for (const rule of job.rules ?? []) checkJobNeeds(work, job, rule.needs ?? []);
    checkEnvironment(work, job);
  }
  if (work.problems.length === 0 && hasCircle(jobs)) addProblem(work.problems, CIRCLE);
  if (work.problems.length > 0) throw new ConfigurationError(work.problems);
}

/**
 * Checks the needs of the jobs that rules left, which may have needs of their rules now.
 * @param limit needs of one job
 * @throws ConfigurationError with up to 100 problems
 */
export function checkRemainingNeeds(jobs: readonly JobWithNeeds[], limit = MAX_NEEDS): void {
  const names = new Set(jobs.map(({ name }) => name));
  const problems: Problem[] = [];
  for (const { name, needs } of jobs) {
    if (needs && needs.length > limit) addProblem(problems, describeCount(name, needs.length, limit));
    for (const need of needs ?? []) {
      if (!need.optional && !names.has(need.job)) addProblem(problems, describeMissing(name, need.job));
    }
  }
  if (problems.length === 0 && hasCircle(jobs)) addProblem(problems, CIRCLE);
  if (problems.length > 0) throw new ConfigurationError(problems);
}

const describeCount = (name: string, count: number, limit: number) =>
  `${name}: one job can only need ${limit} others, but you have listed ${count}. ` +
  'See needs keyword documentation for more details';

const describeMissing = (name: string, need: string) =>
  `'${name}' job needs '${need}' job, but '${need}' does not exist in the pipeline. ` +
  'This might be because of the only, except, or rules keywords. ' +
  'To need a job that sometimes does not exist in the pipeline, use needs:optional.';

function checkJobNeeds(work: Work, job: Job, needs: readonly NeedConfig[]): void {
  const names = new Set<string>();
  const duplicates = new Set<string>();
  for (const need of needs) {
    checkName(work, job, 'need', need.job, need.optional);
    if (names.has(need.job)) duplicates.add(need.job);
    names.add(need.job);
  }
  if (duplicates.size > 0)
    addProblem(work.problems, `${job.name} has the following needs duplicated: ${[...duplicates].join(', ')}.`);
}

function checkName(work: Work, job: Job, kind: 'need' | 'dependency', name: string, isOptional = false): void {
  const other = work.jobs.get(name);
  if (!other) {
    if (!isOptional) addProblem(work.problems, `${job.name} job: undefined ${kind}: ${name}`);
    return;
  }
  const own = work.stages.get(job.stage) ?? Infinity;
  if ((work.stages.get(other.stage) ?? Infinity) <= own) return;
  addProblem(work.problems, `${job.name} job: ${kind} ${name} is not defined in current or prior stages`);
}

function checkEnvironment(work: Work, job: Job): void {
  const name = job.environment?.on_stop;
  if (name === undefined) return;
  const stop = work.jobs.get(name);
  if (!stop) addProblem(work.problems, `${job.name} job: on_stop job ${name} is not defined`);
  else if (!stop.environment)
    addProblem(work.problems, `${job.name} job: on_stop job ${name} does not have environment defined`);
  else if (stop.environment.name !== job.environment?.name)
    addProblem(work.problems, `${job.name} job: on_stop job ${name} have different environment name`);
  else if (stop.environment.action !== 'stop')
    addProblem(work.problems, `${job.name} job: on_stop job ${name} needs to have action stop defined`);
}

/** Whether some jobs need one another in a circle: takes away jobs that need nobody who is left, until none is. */
function hasCircle(jobs: readonly JobWithNeeds[]): boolean {
  const followers = new Map<string, string[]>(jobs.map(({ name }) => [name, []]));
  const open = new Map<string, number>();
  for (const { name, needs } of jobs) {
    const known = (needs ?? []).filter((need) => followers.has(need.job));
    for (const need of known) followers.get(need.job)?.push(name);
    open.set(name, known.length);
  }
  const ready = jobs.map(({ name }) => name).filter((name) => open.get(name) === 0);
  for (let index = 0; index < ready.length; index++) {
    for (const follower of followers.get(ready[index] as string) ?? []) {
      const left = (open.get(follower) ?? 0) - 1;
      open.set(follower, left);
      if (left === 0) ready.push(follower);
    }
  }
  return ready.length < open.size;
}

function addProblem(problems: Problem[], message: string): void {
  if (problems.length < MAX_PROBLEMS) problems.push({ message });
}
