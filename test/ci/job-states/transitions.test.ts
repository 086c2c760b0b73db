import test from 'ava';
import { combineStatuses } from '../../../shared/ci/job-states/combine-statuses.js';
import { planTransitions } from '../../../shared/ci/job-states/plan-transitions.js';
import type { PlannedJob } from '../../../shared/ci/job-states/plan-transitions.js';
import { isComplete } from '../../../shared/ci/job-states/status-predicates.js';

/** A pipeline: its jobs, what they need, and how each ends if it runs. */
interface Graph {
  jobs: PlannedJob[];
  needs: Map<number, string[]>;
  outcomes: Map<number, 'success' | 'failed'>;
}

const NOW = new Date('2030-01-01T00:00:00Z');
const WHENS = ['on_success', 'on_success', 'on_success', 'on_failure', 'always', 'manual', 'delayed'];

/** Numbers from 0 up to a limit, the same for each seed. */
function numbersOf(seed: number) {
  let state = seed + 1;
  return (limit: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

function buildGraph(seed: number): Graph {
  const pick = numbersOf(seed);
  const needs = new Map<number, string[]>();
  const outcomes = new Map<number, 'success' | 'failed'>();
  const stages = Array.from({ length: 1 + pick(12) }, () => pick(4)).sort();
  const jobs = stages.map((stage, index): PlannedJob => {
    const id = index + 1;
    const needsJobs = pick(2) === 0;
    if (needsJobs && index > 0)
      needs.set(id, [...new Set(Array.from({ length: pick(3) }, () => `job ${1 + pick(index)}`))]);
    outcomes.set(id, pick(3) === 0 ? 'failed' : 'success');
    const when = WHENS[pick(WHENS.length)] as string;
    return {
      id,
      name: `job ${id}`,
      stage_index: stage,
      status: 'created',
      when,
      needs_jobs: needsJobs,
      allow_failure: pick(4) === 0,
      start_in: when === 'delayed' ? 0 : null,
      scheduled_at: null,
      resource_group_id: null,
    };
  });
  return { jobs, needs, outcomes };
}

/** Runs a pipeline to its end, with jobs in an order of the seed's choice. @returns the states by name */
function runToEnd({ jobs, needs, outcomes }: Graph, seed: number): Map<string, string> {
  const pick = numbersOf(seed);
  const rows = jobs.map((job) => ({ ...job })).sort(() => pick(3) - 1);
  for (;;) {
    for (let repeats = 1 + pick(2); repeats > 0; repeats -= 1)
      for (const { id, status, scheduled_at } of planTransitions(rows, needs, NOW))
        Object.assign(
          rows.find((row) => row.id === id)!,
          { status, scheduled_at },
        );
    const open = rows.filter((row) => row.status === 'pending');
    const [next] = open.slice(pick(Math.max(open.length, 1)));
    if (!next && rows.some((row) => row.status === 'scheduled')) continue;
    if (!next) return new Map(rows.map(({ name, status }) => [name, status]));
    next.status = outcomes.get(next.id)!;
  }
}

/** The same end, told plainly: each job looks at how those before it ended. */
function getExpectedEnd({ jobs, needs, outcomes }: Graph): Map<string, string> {
  const ends = new Map<string, string>();
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const endOf = (job: PlannedJob): string => {
    const known = ends.get(job.name);
    if (known !== undefined) return known;
    const before = job.needs_jobs
      ? (needs.get(job.id) ?? []).map((name) => byName.get(name)!)
      : jobs.filter((other) => other.stage_index! < job.stage_index!);
    const end = decide(job, before);
    ends.set(job.name, end);
    return end;
  };
  const decide = (job: PlannedJob, before: PlannedJob[]): string => {
    const states = before.map((other) => ({ end: endOf(other), mayFail: other.allow_failure }));
    if (states.some(({ end, mayFail }) => end === 'created' || (end === 'manual' && !mayFail))) return 'created';
    const left = states.filter(({ end }) => end === 'skipped' || end === 'manual').length;
    const hasFailed = states.some(({ end, mayFail }) => end === 'failed' && !mayFail);
    const skipped = job.needs_jobs ? left > 0 : left > 0 && left === states.length;
    const result = skipped ? 'skipped' : hasFailed ? 'failed' : 'success';
    const runs =
      job.when === 'always' ||
      (job.when === 'on_failure'
        ? result === 'failed'
        : result === 'success' || (result === 'skipped' && !job.needs_jobs));
    if (!runs) return 'skipped';
    return job.when === 'manual' ? 'manual' : outcomes.get(job.id)!;
  };
  for (const job of jobs) endOf(job);
  return ends;
}

// Contract: ci-states.end
test('every pipeline comes to the same end, in whatever order its jobs end and however often it is processed', (t) => {
  for (let seed = 0; seed < 1_000; seed += 1) {
    const graph = buildGraph(seed);
    const expected = [...getExpectedEnd(graph)].sort();
    for (const order of [1, 2, 3]) {
      const end = runToEnd(graph, seed * 10 + order);
      t.deepEqual([...end].sort(), expected, `graph ${seed}, order ${order}`);
      const jobs = graph.jobs.map((job) => ({ ...job, status: end.get(job.name)! }));
      const status = combineStatuses(jobs)!;
      const isBlocked = jobs.some((job) => job.status === 'manual' && !job.allow_failure);
      t.true(isComplete(status) || (isBlocked && status === 'manual'), `graph ${seed} is ${status}`);
    }
  }
});
