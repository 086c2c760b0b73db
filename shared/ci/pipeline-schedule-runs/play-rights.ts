import type { ScheduleRecord } from '../pipeline-schedules/pipeline-schedule.record.js';
import type { Context } from '../../core/context/context.js';
import { pipelineRights } from '../pipelines/pipeline-rights.js';

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
