import { PipelineScheduleVariable } from '../pipeline-schedules/pipeline-schedule.entity.js';
import type { ScheduleRecord } from '../pipeline-schedules/pipeline-schedule.entity.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { NotFound } from '../../core/values/errors.js';
import { optional, oneOf, text, withDefault } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import type { CiDatabase } from '../ci.entities.js';
import type { PlainVariable } from '../pipelines/insert-pipelines.js';
import { noteEdit, plainVariable, scheduleVariableBinding } from '../pipeline-schedules/schedule-values.js';
import { pipelineSchedule } from '../pipeline-schedules/pipeline-schedule.finder.js';
import { pipelineSchedulePolicy } from '../pipeline-schedules/pipeline-schedule.policy.js';
import { assertNoProblems } from '../pipeline-schedules/schedule-rules.js';
import { keyProblems, VARIABLE_TYPES } from '../pipeline-schedules/schedule-variable-list.js';

const key = text()
  .describe('Key of the variable.')
  .meta({ examples: ['STAGE'] });
const value = text()
  .describe('Value of the variable.')
  .meta({ examples: ['production'] });

/** @throws NotFound "404 Pipeline Schedule Variable Not Found" */
async function findVariable(ctx: Context, schedule: ScheduleRecord, key: string): Promise<PlainVariable> {
  return plainVariable(ctx, await requireStored(ctx, schedule, key));
}

async function stored(ctx: Context, schedule: ScheduleRecord, key: string): Promise<PipelineScheduleVariable | null> {
  const found = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('pipeline_schedule_variables as v')
    .select(columns(PipelineScheduleVariable, 'v'))
    .where('v.project_id', '=', schedule.project_id)
    .where('v.pipeline_schedule_id', '=', schedule.id)
    .where('v.key', '=', key)
    .executeTakeFirst();
  return found ?? null;
}

/** @throws NotFound "404 Pipeline Schedule Variable Not Found" */
async function requireStored(ctx: Context, schedule: ScheduleRecord, key: string): Promise<PipelineScheduleVariable> {
  const found = await stored(ctx, schedule, key);
  if (!found) throw new NotFound('Pipeline Schedule Variable');
  return found;
}

/** Give a schedule's pipelines a variable. Its value is stored encrypted. */
export const createScheduleVariable = operation({
  name: 'createScheduleVariable',
  summary: 'Create a variable of a pipeline schedule',
  resource: pipelineSchedule,
  can: can(pipelineSchedulePolicy, 'set_pipeline_schedule_variables'),
  kind: 'write',
  params: {
    key,
    value,
    variable_type: withDefault(oneOf(VARIABLE_TYPES), 'env_var').describe(
      'Type of the variable: a variable, or a file that holds the value.',
    ),
  },
  async run(ctx, schedule, input) {
    const trimmed = input.key.trim();
    const problems = keyProblems(trimmed);
    // The schedule is locked, so no other caller takes the key meanwhile.
    if (problems.length === 0 && (await stored(ctx, schedule, trimmed))) problems.push('has already been taken');
    assertNoProblems(problems.length > 0 ? { key: problems } : {});
    const now = ctx.clock.now();
    const variable: PlainVariable = {
      key: trimmed,
      value: input.value,
      variable_type: input.variable_type,
      raw: false,
    };
    await ctx.em.insert(PipelineScheduleVariable, {
      ...variable,
      project_id: schedule.project_id,
      pipeline_schedule_id: schedule.id,
      value: ctx.services.keys.encrypt(input.value, scheduleVariableBinding(schedule.id, trimmed)),
      created_at: now,
      updated_at: now,
    });
    await noteEdit(ctx, schedule);
    ctx.record({ type: 'pipeline_schedule_variable.created', schedule, key: trimmed });
    return variable;
  },
});

/** Read one variable; requires permission to read its value. */
export const getScheduleVariable = operation({
  name: 'getScheduleVariable',
  summary: 'Read a variable of a pipeline schedule',
  resource: pipelineSchedule,
  can: can(pipelineSchedulePolicy, 'read_pipeline_schedule_variables'),
  kind: 'read',
  statements: 4,
  params: { key },
  run: (ctx, schedule, input) => findVariable(ctx, schedule, input.key),
});

/** Change a variable's value or type. */
export const updateScheduleVariable = operation({
  name: 'updateScheduleVariable',
  summary: 'Edit a variable of a pipeline schedule',
  resource: pipelineSchedule,
  can: can(pipelineSchedulePolicy, 'set_pipeline_schedule_variables'),
  kind: 'write',
  params: {
    key,
    value,
    variable_type: optional(oneOf(VARIABLE_TYPES)).describe(
      'Type of the variable: a variable, or a file that holds the value.',
    ),
  },
  async run(ctx, schedule, input) {
    const row = await requireStored(ctx, schedule, input.key);
    const edited = {
      value: ctx.services.keys.encrypt(input.value, scheduleVariableBinding(schedule.id, row.key)),
      variable_type: input.variable_type ?? row.variable_type,
      updated_at: ctx.clock.now(),
    };
    await ctx.em.nativeUpdate(PipelineScheduleVariable, { id: row.id }, edited);
    await noteEdit(ctx, schedule);
    ctx.record({ type: 'pipeline_schedule_variable.updated', schedule, key: row.key });
    return plainVariable(ctx, { ...row, ...edited });
  },
});

/** Remove a variable. */
export const deleteScheduleVariable = operation({
  name: 'deleteScheduleVariable',
  summary: 'Delete a variable of a pipeline schedule',
  resource: pipelineSchedule,
  can: can(pipelineSchedulePolicy, 'destroy_pipeline_schedule_variables'),
  kind: 'write',
  params: { key },
  async run(ctx, schedule, input) {
    const row = await requireStored(ctx, schedule, input.key);
    requireUnmodified(ctx, row);
    await ctx.em.nativeDelete(PipelineScheduleVariable, { id: row.id });
    await noteEdit(ctx, schedule);
    ctx.record({ type: 'pipeline_schedule_variable.deleted', schedule, key: row.key });
    return plainVariable(ctx, row);
  },
});
