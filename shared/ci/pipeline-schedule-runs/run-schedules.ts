import type { Context } from '../../core/context/context.js';
import { pageNotification } from '../../core/page-changes/page-changes.js';
import { unnestedColumns } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { insertPipelines } from '../pipelines/insert-pipelines.js';
import type { NewPipeline } from '../pipelines/insert-pipelines.js';
import { decideAll, loadPending } from './run-decision.js';
import type { Outcome, PendingRun } from './run-decision.js';
import { loadInputs, loadVariables } from '../pipeline-schedules/schedule-values.js';

interface Firing {
  run: PendingRun;
  sha: string;
}

/** Loads variables and inputs of the schedules that fire, and reports those that cannot be read. */
async function loadValues(ctx: Context, firing: readonly Firing[]) {
  const unreadable = new Set<number>();
  if (firing.length === 0) return { variables: new Map(), inputs: new Map(), unreadable };
  const ids = firing.map(({ run }) => run.schedule.id);
  const markUnreadable = (scheduleId: number) => unreadable.add(scheduleId);
  const variables = await loadVariables(ctx, ids, markUnreadable);
  const inputs = await loadInputs(ctx, ids, markUnreadable);
  return { variables, inputs, unreadable };
}

function newPipeline({ run, sha }: Firing, values: Awaited<ReturnType<typeof loadValues>>): NewPipeline {
  const inputs: { name: string; value: unknown }[] = values.inputs.get(run.schedule.id) ?? [];
  return {
    project_id: run.project_id,
    ref: run.schedule.ref,
    sha,
    source: 'schedule',
    user_id: (run.user as { id: number }).id,
    pipeline_schedule_id: run.schedule.id,
    variables: values.variables.get(run.schedule.id) ?? [],
    inputs: Object.fromEntries(inputs.map((input) => [input.name, input.value])),
  };
}

/**
 * Creates the pipelines of many runs, each with its own user's permissions, in the caller's transaction and with a
 * number of statements that does not grow with the number of runs. Runs that are no longer pending have already been
 * processed and are skipped, so that a retry changes nothing. User errors are recorded and end the run; only internal
 * errors throw, and the queue retries.
 */
export async function runSchedules(ctx: Context, runIds: readonly number[]): Promise<void> {
  const runs = await loadPending(ctx, runIds);
  if (runs.length === 0) return;
  const outcomes = await decideAll(ctx, runs);
  const mayFire = runs.flatMap((run, index) => {
    const outcome = outcomes[index] as Outcome;
    return outcome.state === 'fired' ? [{ run, sha: outcome.sha, index }] : [];
  });
  const values = await loadValues(ctx, mayFire);
  const firing = mayFire.filter(({ run }) => !values.unreadable.has(run.schedule.id));
  for (const { run, index } of mayFire)
    if (values.unreadable.has(run.schedule.id))
      outcomes[index] = {
        state: 'failed',
        cause: 'values_unreadable',
        reason: 'A variable or input of the schedule cannot be decrypted.',
      };
  const pipelineIds = await insertPipelines(
    ctx,
    firing.map((one) => newPipeline(one, values)),
  );
  const pipelineOf = new Map(firing.map(({ run }, index) => [run.id, pipelineIds[index] as number]));
  await finishRuns(ctx, runs, outcomes, pipelineOf);
}

/** A fired run keeps the reason that it was claimed with: why it was the last one. */
const getReason = (run: PendingRun, outcome: Outcome) => ('reason' in outcome ? outcome.reason : run.reason);

async function finishRuns(ctx: Context, runs: PendingRun[], outcomes: Outcome[], pipelineOf: Map<number, number>) {
  const finished = unnestedColumns({
    id: [runs.map((run) => run.id), 'bigint'],
    state: [outcomes.map((outcome) => outcome.state), 'text'],
    reason: [runs.map((run, index) => getReason(run, outcomes[index] as Outcome)), 'text'],
    cause: [outcomes.map((outcome) => ('cause' in outcome ? outcome.cause : null)), 'text'],
    pipeline_id: [runs.map((run) => pipelineOf.get(run.id) ?? null), 'bigint'],
    user_id: [runs.map((run) => run.user?.id ?? null), 'bigint'],
  });
  const projectIds = runs.map((run) => run.project_id);
  await ctx.em
    .getKysely<CiDatabase>()
    .with('finished', (db) =>
      db
        .updateTable('pipeline_schedule_runs as x')
        .from(finished.as('u'))
        .set((eb) => ({
          state: eb.ref('u.state'),
          reason: eb.ref('u.reason'),
          cause: eb.ref('u.cause'),
          pipeline_id: eb.ref('u.pipeline_id'),
          user_id: eb.ref('u.user_id'),
          started_at: ctx.clock.now(),
        }))
        .whereRef('x.id', '=', 'u.id'),
    )
    .selectNoFrom(pageNotification('pipeline_schedules', projectIds).as('notified'))
    .execute();
}
