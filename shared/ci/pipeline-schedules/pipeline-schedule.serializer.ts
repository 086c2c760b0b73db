import type { UserSummary } from '../../tenancy/users/user.entity.js';
import type { ScheduleRecord, PipelineSchedule } from './pipeline-schedule.entity.js';
import type { Context } from '../../core/context/context.js';
import { load } from '../../core/context/loads.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import type { PlainVariable } from '../pipelines/insert-pipelines.js';
import { basicPipeline } from '../pipelines/pipeline.serializer.js';
import { settingFields } from '../../tenancy/namespaces/setting-fields.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { pipelineSchedulePolicy } from './pipeline-schedule.policy.js';
import { scheduleSettings } from './schedule-settings.js';
import { loadInputs, loadVariables } from './schedule-values.js';

type ListedSchedule = PipelineSchedule & { owner: UserSummary | null };

const itself = (schedule: ListedSchedule) => schedule;

/** What every list shows of a schedule (pipeline-schedules.md section 2). */
export const listedFields: Record<string, OutField<ListedSchedule>> = {
  id: out.integer((schedule) => schedule.id),
  description: out.text((schedule) => schedule.description),
  ref: out.text((schedule) => schedule.ref),
  cron: out.text((schedule) => schedule.cron),
  cron_timezone: out.text((schedule) => schedule.cron_timezone),
  next_run_at: out.nullableInstant((schedule) => schedule.next_run_at),
  active: out.boolean((schedule) => schedule.active),
  ...settingFields<ListedSchedule>(scheduleSettings, { record: itself, settings: itself }, {}),
  created_at: out.instant((schedule) => schedule.created_at),
  updated_at: out.instant((schedule) => schedule.updated_at),
  owner: out.nullableRecord(userSummary, (schedule) => schedule.owner),
};

/** A schedule in lists. */
export const listedSchedule = serializer<ScheduleRecord>('ListedPipelineSchedule', listedFields);

const inputSerializer = serializer<{ name: string; value: unknown }>('PipelineScheduleInput', {
  name: out.text((input) => input.name),
  value: out.any(
    (input) => input.value,
    { description: 'Value of the input: a string, array, number or boolean.' },
    { secret: true },
  ),
});

/** A variable as its own endpoints answer it. */
export const scheduleVariable = serializer<PlainVariable>('PipelineScheduleVariable', {
  key: out.text((variable) => variable.key),
  variable_type: out.text((variable) => variable.variable_type, { enum: ['env_var', 'file'] }),
  value: out.text((variable) => variable.value, { secret: true }),
  raw: out.boolean((variable) => variable.raw),
});

/** The answer to the removal of a variable: key and value only [seed]. */
export const deletedScheduleVariable = serializer<PlainVariable>('DeletedPipelineScheduleVariable', {
  key: out.text((variable) => variable.key),
  value: out.text((variable) => variable.value, { secret: true }),
});

const getId = ({ id }: Readonly<ScheduleRecord>) => id;

/** The inputs of schedules. A deleted schedule carries its inputs, because they are no longer in the database. */
export const scheduleInputs = load(getId, (ctx, schedules) => loadInputs(ctx, schedules.map(getId)));

const mayRead = (schedule: ScheduleRecord, ctx: Context) =>
  pipelineSchedulePolicy.read_pipeline_schedule_variables(ctx.caller, schedule);

/** Variables of those schedules whose variables the caller may read. */
export const scheduleVariables = load(getId, async (ctx, schedules) => {
  const readable = schedules.filter((schedule) => mayRead(schedule, ctx));
  return readable.length > 0 ? loadVariables(ctx, readable.map(getId)) : new Map<number, never>();
});

/** The answer to a change: with `last_pipeline` and `inputs`, without `variables`. */
export const changedSchedule = serializer<ScheduleRecord>(
  'ChangedPipelineSchedule',
  {
    ...listedFields,
    last_pipeline: out.nullableRecord(basicPipeline, (schedule) =>
      schedule.last_pipeline ? { ...schedule.last_pipeline, project: schedule.project } : null,
    ),
    inputs: out.records(inputSerializer, (schedule, ctx) => scheduleInputs.of(schedule, ctx) ?? []),
  },
  { loads: [scheduleInputs] },
);

/** One schedule: `variables` only for Maintainers and the owner. */
export const scheduleDetails = serializer<ScheduleRecord>(
  'PipelineSchedule',
  {
    ...changedSchedule.fields,
    variables: out.records(
      scheduleVariable,
      (schedule, ctx) => (mayRead(schedule, ctx) ? (scheduleVariables.of(schedule, ctx) ?? []) : undefined),
      { optional: true },
    ),
  },
  { loads: [scheduleInputs, scheduleVariables] },
);
