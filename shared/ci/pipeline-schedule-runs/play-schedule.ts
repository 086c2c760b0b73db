import type { ScheduleRecord } from '../pipeline-schedules/pipeline-schedule.entity.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { QueueRejectedError } from '../../core/values/errors.js';
import { countAction } from '../../core/operations/limit-actions.js';
import { can, operation } from '../../core/operations/operation.js';
import { notifyPages } from '../../core/page-changes/page-changes.js';
import { requireRunOnRef, pipelineRights } from '../pipelines/pipeline-rights.js';
import { PipelineScheduleRun } from '../pipeline-schedules/pipeline-schedule.entity.js';
import { pipelineSchedule } from '../pipeline-schedules/pipeline-schedule.finder.js';
import { playPipelineSchedules } from '../ci.jobs.js';
import { pipelineSchedulePolicy } from '../pipeline-schedules/pipeline-schedule.policy.js';

/** @throws QueueRejectedError, so that the run is not recorded either (pipeline-schedules.md section 7) */
async function enqueue(ctx: Context, runId: number): Promise<void> {
  try {
    await ctx.jobs.send(playPipelineSchedules, { run_id: runId });
  } catch (cause) {
    if (!(cause instanceof QueueRejectedError)) throw cause;
    throw new QueueRejectedError('Unable to schedule pipeline run immediately', { cause });
  }
}

async function play(ctx: SignedInContext, schedule: ScheduleRecord): Promise<ScheduleRecord> {
  await requireRunOnRef(ctx, schedule.project, schedule.ref);
  const now = ctx.clock.now();
  const runId = await ctx.em.insert(PipelineScheduleRun, {
    project_id: schedule.project_id,
    pipeline_schedule_id: schedule.id,
    due_at: now,
    trigger: 'play',
    user_id: ctx.caller.user.id,
    state: 'pending',
    reason: null,
    cause: null,
    pipeline_id: null,
    started_at: null,
    created_at: now,
  });
  await enqueue(ctx, runId);
  await notifyPages(ctx, 'pipeline_schedules', [schedule.project_id]);
  return schedule;
}

const playing = {
  summary: 'Run a pipeline schedule now',
  resource: pipelineSchedule,
  can: can(pipelineSchedulePolicy, 'play_pipeline_schedule'),
  kind: 'write',
} as const;

/** Run a schedule at once, for the caller. The next scheduled run stays as it is. */
export const playPipelineSchedule = operation({
  name: 'playPipelineSchedule',
  ...playing,
  run: play,
});

/** The same as GraphQL offers it: each user runs a schedule once a minute (graphql.md section 1.6). */
export const playPipelineScheduleSparingly = operation({
  name: 'playPipelineScheduleSparingly',
  ...playing,
  async run(ctx, schedule) {
    await countAction(ctx, 'pipeline_schedule_play', [schedule.id]);
    return play(ctx, schedule);
  },
});

/** Which of many schedules the caller may play, by role and by the protection of their refs, by one statement. */
export async function mayPlay(
  ctx: Context,
  schedules: readonly ScheduleRecord[],
): Promise<Map<ScheduleRecord, boolean>> {
  const { caller } = ctx;
  const rights = await pipelineRights(
    ctx,
    schedules.map(({ project, ref }) => ({ caller, project, ref })),
  );
  return new Map(schedules.map((schedule, index) => [schedule, rights[index] === 'allowed']));
}
