import type { Subject } from '../../core/operation.js';
import { pipelineSchedule } from './pipeline-schedule.finder.js';
import type { ScheduleRecord } from './pipeline-schedule.finder.js';
import { pipelineSchedulePolicy } from './pipeline-schedule.policy.js';
import { inputRows, readInputs, readVariables, variableRows } from './schedule-values.js';

/**
 * The subject of reading one schedule: all that the answer may show, asked for at once. What the caller may not see
 * is dropped as it came, encrypted.
 */
export const pipelineScheduleInFull: Subject<ScheduleRecord> = {
  ...pipelineSchedule,
  async find(ctx, input: { id: string; pipeline_schedule_id: number }) {
    const id = input.pipeline_schedule_id;
    const [schedule, inputs, variables] = await Promise.all([
      pipelineSchedule.find(ctx, input),
      inputRows(ctx, [id]),
      variableRows(ctx, [id]),
    ]);
    const full: ScheduleRecord = { ...schedule, inputs: readInputs(ctx, inputs).get(id) ?? [] };
    if (pipelineSchedulePolicy.read_pipeline_schedule_variables(ctx.caller, schedule))
      full.variables = readVariables(ctx, variables).get(id) ?? [];
    return full;
  },
};
