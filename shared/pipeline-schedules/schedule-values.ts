import type { Context } from '../core/context.js';
import { columns, sql } from '../core/sql.js';
import type { PlainVariable } from '../pipelines/insert-pipelines.js';
import { PipelineScheduleInput, PipelineScheduleVariable } from './pipeline-schedule.entity.js';

/** What an encrypted variable is bound to: its schedule and key. */
export const scheduleVariableBinding = (scheduleId: number, key: string) =>
  `pipeline_schedule_variables:${scheduleId}:${key}`;
/** What an encrypted input is bound to: its schedule and name. */
export const scheduleInputBinding = (scheduleId: number, name: string) =>
  `pipeline_schedule_inputs:${scheduleId}:${name}`;

function grouped<R extends { pipeline_schedule_id: number }, V>(rows: R[], read: (row: R) => V): Map<number, V[]> {
  const groups = new Map<number, V[]>();
  for (const row of rows) {
    const group = groups.get(row.pipeline_schedule_id) ?? [];
    group.push(read(row));
    groups.set(row.pipeline_schedule_id, group);
  }
  return groups;
}

/** The variables of many schedules, decrypted, oldest first. */
export async function loadVariables(ctx: Context, scheduleIds: readonly number[]): Promise<Map<number, PlainVariable[]>> {
  const rows = await ctx.query<PipelineScheduleVariable>(sql`
    select ${columns(PipelineScheduleVariable, 'v')} from pipeline_schedule_variables v
     where v.pipeline_schedule_id = any(${scheduleIds}::bigint[]) order by v.id`);
  return grouped(rows, (row) => ({
    key: row.key,
    variable_type: row.variable_type,
    value: ctx.services.keys.decrypt(
      Buffer.from(row.value),
      scheduleVariableBinding(row.pipeline_schedule_id, row.key),
    ),
    raw: row.raw,
  }));
}

/** The inputs of many schedules with their JSON types, oldest first. */
export async function loadInputs(
  ctx: Context,
  scheduleIds: readonly number[],
): Promise<Map<number, { name: string; value: unknown }[]>> {
  const rows = await ctx.query<PipelineScheduleInput>(sql`
    select ${columns(PipelineScheduleInput, 'i')} from pipeline_schedule_inputs i
     where i.pipeline_schedule_id = any(${scheduleIds}::bigint[]) order by i.id`);
  return grouped(rows, (row) => ({
    name: row.name,
    value: JSON.parse(
      ctx.services.keys.decrypt(Buffer.from(row.value), scheduleInputBinding(row.pipeline_schedule_id, row.name)),
    ) as unknown,
  }));
}
