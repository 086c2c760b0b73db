import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { reachHoldPoint } from '../../core/context/hold-points.js';
import { anyOf, constant, unnestedColumns } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { sealJobLogs } from '../ci.jobs.js';
import { dequeueJobs } from '../job-queue/enqueue-jobs.js';
import { getQueuedStatus } from '../job-states/job-readiness.js';
import { allowsFailure, isRetriedAutomatically } from '../job-states/retry-rules.js';
import { ALIVE_STATUSES } from '../job-states/status-predicates.js';
import { insertRetries } from './insert-retries.js';
import { logUnreadable, readDefinition } from './job-definition.js';
import { lockPipelines, requestProcessing } from './request-processing.js';
import { releaseResources } from './resource-groups.js';

/** How a job ends. */
export interface JobEnd {
  job_id: number;
  pipeline_id: number;
  status: 'success' | 'failed' | 'canceled';
  failure_reason?: string | null;
  exit_code?: number | null;
}

/** A job that is not over, with what decides what follows from its end. */
const loadEnding = (ctx: Context<Caller>, jobIds: readonly number[]) =>
  ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('jobs as j')
    .leftJoin('job_definitions as d', 'd.id', 'j.definition_id')
    .select((eb) => {
      const earlier = eb
        .selectFrom('jobs as before')
        .whereRef('before.pipeline_id', '=', 'j.pipeline_id')
        .whereRef('before.name', '=', 'j.name')
        .where('before.kind', '=', constant('build'))
        .where('before.retried', '=', constant(true));
      return [
        'j.id',
        'j.pipeline_id',
        'j.status',
        'j.allow_failure',
        'j.resource_group_id',
        'd.definition',
        earlier.select(eb.fn.countAll<number>().as('n')).as('attempts'),
        earlier
          .select(eb.fn.countAll<number>().as('n'))
          .where('before.failure_reason', '=', constant('scheduler_failure'))
          .as('scheduler_failures'),
      ];
    })
    .where('j.id', '=', anyOf(jobIds, 'bigint'))
    .where('j.kind', '=', constant('build'))
    .where('j.status', '=', anyOf(ALIVE_STATUSES, 'text'))
    .execute();

type Ending = Awaited<ReturnType<typeof loadEnding>>[number];

/** What a job that ends becomes. */
interface Outcome {
  job: Ending;
  status: string;
  failure_reason: string | null;
  exit_code: number | null;
  allow_failure: boolean;
  retried: boolean;
}

function decideOutcome(ctx: Context<Caller>, job: Ending, end: JobEnd): Outcome {
  const exitCode = end.exit_code ?? null;
  const ended = { job, exit_code: exitCode, allow_failure: job.allow_failure, retried: false };
  // Whatever its runner reports after a cancel.
  if (job.status === 'canceling') return { ...ended, status: 'canceled', failure_reason: null };
  if (end.status !== 'failed') return { ...ended, status: end.status, failure_reason: null };
  const reason = end.failure_reason ?? 'unknown_failure';
  const failed = { ...ended, status: 'failed', failure_reason: reason };
  if (!job.definition) return failed;
  const definition = readDefinition(ctx, job.pipeline_id, job.definition);
  if (!definition) {
    logUnreadable(ctx, job.id);
    return { ...failed, failure_reason: 'data_integrity_failure' };
  }
  const { retry, allow_failure: allowed } = definition;
  return {
    ...failed,
    allow_failure: allowsFailure(allowed, exitCode),
    retried: isRetriedAutomatically(retry, {
      failure_reason: reason,
      exit_code: exitCode,
      attempts: job.attempts ?? 0,
      scheduler_failures: job.scheduler_failures ?? 0,
    }),
  };
}

async function writeOutcomes(ctx: Context<Caller>, outcomes: readonly Outcome[]): Promise<Set<number>> {
  const now = ctx.clock.now();
  const ended = unnestedColumns({
    id: [outcomes.map(({ job }) => job.id), 'bigint'],
    status: [outcomes.map(({ status }) => status), 'text'],
    failure_reason: [outcomes.map((outcome) => outcome.failure_reason), 'text'],
    exit_code: [outcomes.map((outcome) => outcome.exit_code), 'int'],
    allow_failure: [outcomes.map((outcome) => outcome.allow_failure), 'boolean'],
  });
  const rows = await ctx.em
    .getKysely<CiDatabase>()
    .updateTable('jobs as j')
    .from(ended.as('u'))
    .set((eb) => ({
      status: eb.ref('u.status'),
      failure_reason: eb.ref('u.failure_reason'),
      exit_code: eb.ref('u.exit_code'),
      allow_failure: eb.ref('u.allow_failure'),
      finished_at: now,
      updated_at: now,
    }))
    .whereRef('j.id', '=', 'u.id')
    .where('j.status', '=', anyOf(ALIVE_STATUSES, 'text'))
    .returning('j.id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Ends jobs that have not ended: resources are free again, and what is to be tried again is. A job that is being
 * canceled is canceled, whatever it is said to end with; one that fails, and whose definition cannot be read, fails with
 * `data_integrity_failure`. Jobs that outside executors report are left alone.
 * @returns the ids of those that this call ended
 */
export async function endJobs(ctx: Context<Caller>, ends: readonly JobEnd[]): Promise<number[]> {
  const [first] = ends;
  if (!first) return [];
  const endOf = new Map(ends.map((end) => [end.job_id, end]));
  const ids = [...endOf.keys()];
  await reachHoldPoint(ctx, 'jobs.ending', first.pipeline_id);
  await lockPipelines(ctx, [...new Set(ends.map((end) => end.pipeline_id))]);
  // A hand-out that is under way ends first.
  await dequeueJobs(ctx, ids);
  const ending = await loadEnding(ctx, ids);
  if (ending.length === 0) return [];
  const outcomes = ending.map((job) => decideOutcome(ctx, job, endOf.get(job.id) as JobEnd));
  const endedIds = await writeOutcomes(ctx, outcomes);
  const ended = outcomes.filter(({ job }) => endedIds.has(job.id));
  await releaseResources(
    ctx,
    ended.map(({ job }) => job),
  );
  await ctx.jobs.sendAll(
    sealJobLogs,
    [...endedIds].map((id) => ({ job_id: id })),
  );
  const again = ended.filter(({ retried }) => retried);
  await insertRetries(
    ctx,
    again.map(({ job }) => ({
      id: job.id,
      user_id: null,
      status: getQueuedStatus(typeof job.resource_group_id === 'number'),
    })),
  );
  await requestProcessing(
    ctx,
    ended.map(({ job }) => job.pipeline_id),
  );
  return [...endedIds];
}
