import type { ScheduleRecord } from '../pipeline-schedules/pipeline-schedule.record.js';
import type { Context } from '../../core/context.js';
import { refsOpenForRuns } from '../../repositories/repositories/ref-rules.js';
import { pipelineSchedulePolicy } from '../pipeline-schedules/pipeline-schedule.policy.js';

/** Which of many schedules the caller may play, by role and by the protection of their refs, by one statement. */
export async function mayPlay(
  ctx: Context,
  schedules: readonly ScheduleRecord[],
): Promise<Map<ScheduleRecord, boolean>> {
  const { caller } = ctx;
  const candidates = schedules.filter((schedule) => pipelineSchedulePolicy.play_pipeline_schedule(caller, schedule));
  if (candidates.length === 0) return new Map();
  const open = await refsOpenForRuns(
    ctx,
    candidates.map(({ project, ref }) => ({
      project_id: project.id,
      full_name: ref,
      user_id: caller.id,
      admin: caller.admin,
      access: project.access,
    })),
  );
  return new Map(candidates.map((schedule, index) => [schedule, open[index] === true]));
}
