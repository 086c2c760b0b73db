import { UserCaller } from '../../core/context/callers.js';
import type { CallerUser } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { Limiter } from '../../core/values/limiter.js';
import { detectConfigurations } from '../pipeline-creation/find-configurations.js';
import { insertPipelines } from '../pipelines/insert-pipelines.js';
import type { NewPipeline } from '../pipelines/insert-pipelines.js';
import { loadInputs, loadVariables } from '../pipeline-schedules/schedule-values.js';
import { finishRuns } from './finish-runs.js';
import { decideAll, loadPending } from './run-decision.js';
import type { Outcome, PendingRun } from './run-decision.js';
import { runConfigured } from './run-configured.js';

/** Groups of runs that are made at once in a process; of one user one fewer, so that others go on too. */
const AT_ONCE = 5;
const AT_ONCE_EACH = AT_ONCE - 1;
/** Runs of one project and user whose pipelines are made by one transaction. */
const TOGETHER = 10;

const limiter = new Limiter({ capacity: AT_ONCE });

/** A run that may fire, for the commit that its ref has. */
interface Firing {
  run: PendingRun;
  sha: string;
}

/** A run that could not be finished. */
export interface FailedRun {
  run_id: number;
  error: unknown;
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

const UNREADABLE: Outcome = {
  state: 'failed',
  cause: 'values_unreadable',
  reason: 'A variable or input of the schedule cannot be decrypted.',
};

/** Whether it is not known yet if the commit of a run has a configuration. */
const isUnknown = ({ target_sha: sha, configuration }: PendingRun) =>
  sha !== null && configuration.presence === 'unknown';

/** Runs that are still pending after others were made together. */
interface RemainingRuns {
  /** They may fire, with a configuration. */
  left: Firing[];
  /** Nobody has looked at their commits yet. */
  unknown: PendingRun[];
}

/**
 * Finishes those of many runs that need no configuration, in one transaction and with a number of statements that does
 * not grow with the number of runs.
 * @param isAgain whether commits were looked at already: a branch may have moved since
 */
async function runTogether(ctx: Context, runIds: readonly number[], isAgain = false): Promise<RemainingRuns> {
  const pending = await loadPending(ctx, runIds);
  const unknown = isAgain ? [] : pending.filter(isUnknown);
  const runs = unknown.length > 0 ? pending.filter((run) => !isUnknown(run)) : pending;
  if (runs.length === 0) return { left: [], unknown };
  const outcomes = await decideAll(ctx, runs);
  const mayFire = runs.flatMap((run, index): Firing[] => {
    const outcome = outcomes[index] as Outcome;
    return outcome.state === 'fired' ? [{ run, sha: outcome.sha }] : [];
  });
  const left = mayFire.filter(({ run }) => run.configuration.presence !== 'absent');
  const plain = mayFire.filter(({ run }) => run.configuration.presence === 'absent');
  const values = await loadValues(ctx, plain);
  const firing = plain.filter(({ run }) => !values.unreadable.has(run.schedule.id));
  const pipelineIds = await insertPipelines(
    ctx,
    firing.map((one) => newPipeline(one, values)),
  );
  const pipelineOf = new Map(firing.map(({ run }, index) => [run.id, pipelineIds[index] as number]));
  const leftIds = new Set(left.map(({ run }) => run.id));
  const finished = runs.flatMap((run, index) => {
    if (leftIds.has(run.id)) return [];
    const outcome = values.unreadable.has(run.schedule.id) ? UNREADABLE : (outcomes[index] as Outcome);
    return [{ run, outcome, pipeline_id: pipelineOf.get(run.id) ?? null }];
  });
  await finishRuns(ctx, finished);
  return { left, unknown };
}

/** Runs with configurations that are made together: some of one project and user. */
function groupRuns(left: readonly Firing[]): Firing[][] {
  const groups = Map.groupBy(left, ({ run }) => `${run.project_id} ${run.user?.id}`);
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / TOGETHER) }, (_, index) =>
      group.slice(index * TOGETHER, (index + 1) * TOGETHER),
    ),
  );
}

/**
 * Makes the pipelines of runs with configurations, some of one project and user together; their users take turns. Where
 * that fails each that is not finished is tried alone, so that none holds others up.
 */
async function runApart(ctx: Context, left: readonly Firing[]): Promise<FailedRun[]> {
  const values = await loadValues(ctx, left);
  const failed: FailedRun[] = [];
  const finished = new Set<number>();
  const isUnreadable = ({ run }: Firing) => values.unreadable.has(run.schedule.id);
  const runGroup = async (group: readonly Firing[]) => {
    const acting = ctx.as(new UserCaller({ ...group[0]?.run.user, namespace_id: null } as CallerUser));
    const unreadable = group.filter(isUnreadable).map(({ run }) => run.id);
    if (unreadable.length > 0)
      await acting.transaction(async () => {
        const still = await loadPending(acting, unreadable);
        await finishRuns(
          acting,
          still.map((run) => ({ run, outcome: UNREADABLE, pipeline_id: null })),
        );
      });
    const readable = group.filter((firing) => !isUnreadable(firing));
    const configured = readable.map((firing) => ({ run: firing.run, pipeline: newPipeline(firing, values) }));
    await runConfigured(acting, configured, (runId) => finished.add(runId));
  };
  const { signal } = ctx;
  const runInTurn = async (group: readonly Firing[]): Promise<void> => {
    const owner = String(group[0]?.run.user?.id);
    try {
      await limiter.run(() => runGroup(group), [{ key: owner, limit: AT_ONCE_EACH }], { queue: owner, signal });
    } catch (error) {
      const unfinished = group.filter(({ run }) => !finished.has(run.id));
      if (group.length > 1 && !signal.aborted) await Promise.all(unfinished.map((firing) => runInTurn([firing])));
      else failed.push(...group.map(({ run }) => ({ run_id: run.id, error })));
    }
  };
  await Promise.all(groupRuns(left).map(runInTurn));
  return failed;
}

/**
 * Creates the pipelines of many runs, each with its own user's permissions. Those without a configuration are made
 * together, the others by their projects. Runs that are no longer pending have already been processed and are skipped,
 * so that a retry changes nothing. User errors are recorded and end the run; only internal errors fail it, and the
 * queue retries.
 * @returns the runs with a configuration that failed
 * @throws what fails those that are made together
 */
export async function runSchedules(ctx: Context, runIds: readonly number[]): Promise<FailedRun[]> {
  const { left, unknown } = await ctx.transaction(() => runTogether(ctx, runIds));
  if (unknown.length > 0) {
    const commits = unknown.map(({ project_id, target_sha: sha, configuration: { path } }) => ({
      project_id,
      sha: sha as string,
      path,
    }));
    await detectConfigurations(ctx, commits);
    const unknownIds = unknown.map(({ id }) => id);
    left.push(...(await ctx.transaction(() => runTogether(ctx, unknownIds, true))).left);
  }
  return left.length > 0 ? runApart(ctx, left) : [];
}
