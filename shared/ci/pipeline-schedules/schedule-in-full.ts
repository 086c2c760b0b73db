import type { ScheduleRecord } from './pipeline-schedule.entity.js';
import { ahead, foundWith } from '../../core/operations/found-with.js';
import { pipelineSchedule } from './pipeline-schedule.finder.js';
import { pipelineSchedulePolicy } from './pipeline-schedule.policy.js';
import { scheduleInputs, scheduleVariables } from './pipeline-schedule.serializer.js';
import { inputRows, readInputs, readVariables, variableRows } from './schedule-values.js';

interface ScheduleParams {
  pipeline_schedule_id: number;
}

/**
 * The resource for reading one schedule: loads everything the response may contain at once. Values that the caller may
 * not read are dropped without being decrypted.
 */
export const pipelineScheduleInFull = foundWith<ScheduleRecord>(
  pipelineSchedule,
  ahead(
    scheduleInputs,
    (ctx, { pipeline_schedule_id: id }: ScheduleParams) => inputRows(ctx, [id]),
    (ctx, rows, { id }: ScheduleRecord) => readInputs(ctx, rows).get(id) ?? [],
  ),
  ahead(
    scheduleVariables,
    (ctx, { pipeline_schedule_id: id }: ScheduleParams) => variableRows(ctx, [id]),
    (ctx, rows, schedule: ScheduleRecord) =>
      pipelineSchedulePolicy.read_pipeline_schedule_variables(ctx.caller, schedule)
        ? (readVariables(ctx, rows).get(schedule.id) ?? [])
        : undefined,
  ),
);
