import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { Conflict, NotFound } from '../../core/values/errors.js';
import {
  boolean,
  instant,
  list,
  object,
  optional,
  oneOf,
  presentText,
  text,
  withDefault,
} from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import type { CiDatabase } from '../ci.entities.js';
import {
  declaredProblems,
  initialSettings,
  getSettingParams,
  readDeclaredSettings,
} from '../../tenancy/namespaces/declared-settings.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { cronHint } from '../cron/cron-hint.js';
import { byStoredIds, changeVariables, VARIABLE_TYPES } from './schedule-variable-list.js';
import { notifyAlarms } from './notify-alarms.js';
import { PipelineSchedule } from './pipeline-schedule.entity.js';
import { findSchedule, pipelineSchedule } from './pipeline-schedule.finder.js';
import { pipelineSchedulePolicy } from './pipeline-schedule.policy.js';
import { changedInputs, inputParams, inputProblems, saveInputs } from './schedule-inputs.js';
import {
  limitProblems,
  lockProjectForSchedules,
  nextRunAt,
  nextRunOnSave,
  assertNoProblems,
  requireRef,
  requireScheduleRef,
  scheduleProblems,
} from './schedule-rules.js';
import { scheduleSettings } from './schedule-settings.js';
import { loadInputs, editTime } from './schedule-values.js';
import { claimBeforeEdit } from './tick-schedules.js';

/** Variables in the same request as their schedule: saved with it, or nothing is. */
const variableParams = {
  variables: optional(
    list(
      object({
        key: text()
          .describe('Key of the variable.')
          .meta({ examples: ['STAGE'] }),
        value: optional(text()).describe('Value of the variable.'),
        variable_type: optional(oneOf(VARIABLE_TYPES)).describe(
          'Type of the variable: a variable, or a file that holds the value.',
        ),
        destroy: optional(boolean()).describe('If `true`, removes the variable with this key.'),
      }),
    ),
  ).describe('Variables of the pipelines, by key: each is set or removed; all others remain.'),
};

/** Create a schedule, owned by the caller. Its first run is the next time its cron matches. */
export const createPipelineSchedule = operation({
  name: 'createPipelineSchedule',
  summary: 'Create a pipeline schedule',
  resource: project,
  can: can(projectPolicy, 'create_pipeline_schedule'),
  kind: 'write',
  params: {
    description: text()
      .describe('Description of the schedule.')
      .meta({ examples: ['Nightly build'] }),
    ref: presentText()
      .describe('Branch or tag of the pipelines, as a short or full name.')
      .meta({ examples: ['main'] }),
    cron: text()
      .describe('Five-field cron expression.')
      .meta({ examples: ['30 2 * * *'] }),
    // An empty text is a value, and no time zone.
    cron_timezone: text()
      .default('UTC')
      .meta({ type: 'string', default: 'UTC', description: 'IANA name or long display name of the time zone.' }),
    active: withDefault(boolean(), true).describe('If `false`, the schedule starts deactivated.'),
    ...getSettingParams(scheduleSettings),
    ...inputParams,
    ...variableParams,
  },
  async run(ctx, found, input) {
    const inputs = input.inputs ?? [];
    const ref = await requireRef(ctx, found, input.ref);
    await requireScheduleRef(ctx, found, ref, 'create');
    const now = ctx.clock.now();
    await lockProjectForSchedules(ctx, found);
    assertNoProblems(
      {
        ...scheduleProblems(input, now),
        ...declaredProblems(scheduleSettings, input),
        ...inputProblems(inputs),
        ...(await limitProblems(ctx, found)),
      },
      cronHint(input.cron),
    );
    const values = {
      project_id: found.id,
      owner_id: ctx.caller.user.id,
      description: input.description,
      ref,
      cron: input.cron.trim(),
      cron_timezone: input.cron_timezone,
      active: input.active,
      ...initialSettings(scheduleSettings),
      ...readDeclaredSettings(ctx, scheduleSettings, input).settings,
      next_run_at: nextRunAt(input, now),
      created_at: now,
      updated_at: now,
    };
    const schedule = { id: await ctx.em.insert(PipelineSchedule, values), ...values };
    await saveInputs(ctx, schedule, inputs);
    await notifyAlarms(ctx, schedule.next_run_at);
    const newSchedule = await findSchedule(ctx, found, schedule.id);
    ctx.record({ type: 'pipeline_schedule.created', schedule: newSchedule });
    await changeVariables(ctx, newSchedule, await byStoredIds(ctx, newSchedule, input.variables ?? []));
    return newSchedule;
  },
});

/** Edit a schedule. Every edit recomputes its next run. */
export const updatePipelineSchedule = operation({
  name: 'updatePipelineSchedule',
  summary: 'Edit a pipeline schedule',
  example: { description: 'Nightly build', cron: '30 2 * * *' },
  resource: pipelineSchedule,
  can: can(pipelineSchedulePolicy, 'update_pipeline_schedule'),
  kind: 'write',
  params: {
    description: maybeText('Description of the schedule.'),
    ref: maybePresentText('Branch or tag name, short or fully qualified.'),
    cron: maybeText('Five-field cron expression.'),
    cron_timezone: maybeText('Time zone, as an IANA name or a long display name.'),
    active: optional(boolean()).describe('If `true`, the schedule fires.'),
    ...getSettingParams(scheduleSettings),
    unchanged_since: optional(instant()).describe(
      'Value of `updated_at` that the caller saw; fails with 409 if the schedule was changed after that time.',
    ),
    ...inputParams,
    ...variableParams,
  },
  async run(ctx, found, input) {
    const inputs = input.inputs ?? [];
    const ref = await requireRef(ctx, found.project, input.ref ?? found.ref);
    await requireScheduleRef(ctx, found.project, ref, 'update');
    await claimBeforeEdit(ctx, found.id);
    const stored = await storedSchedule(ctx, found.id);
    if (input.unchanged_since && stored.updated_at > input.unchanged_since)
      throw new Conflict('409 Conflict: the schedule was changed meanwhile');
    const names = inputs.length > 0 ? await inputNames(ctx, stored.id) : [];
    const now = ctx.clock.now();
    const edited = {
      description: input.description ?? stored.description,
      ref,
      cron: (input.cron ?? stored.cron).trim(),
      cron_timezone: input.cron_timezone ?? stored.cron_timezone,
      active: input.active ?? stored.active,
      ...readDeclaredSettings(ctx, scheduleSettings, input).settings,
      updated_at: editTime(stored.updated_at, now),
    };
    const schedule = { ...stored, ...edited };
    assertNoProblems(
      {
        ...scheduleProblems(schedule, now),
        ...declaredProblems(scheduleSettings, input),
        ...inputProblems(inputs, names),
      },
      cronHint(schedule.cron),
    );
    const next = await nextRunOnSave(ctx, schedule, now);
    await ctx.em.nativeUpdate(PipelineSchedule, { id: schedule.id }, { ...edited, next_run_at: next });
    await saveInputs(ctx, schedule, inputs);
    await notifyAlarms(ctx, next);
    const after = await findSchedule(ctx, found.project, schedule.id);
    ctx.record({ type: 'pipeline_schedule.updated', before: found, after, inputs: changedInputs(inputs) });
    await changeVariables(ctx, after, await byStoredIds(ctx, after, input.variables ?? []));
    return after;
  },
});

/** The row of a schedule as it is now. @throws NotFound */
export async function storedSchedule(ctx: Context, id: number): Promise<PipelineSchedule> {
  const stored = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('pipeline_schedules as s')
    .select(columns(PipelineSchedule, 's'))
    .where('s.id', '=', id)
    .executeTakeFirst();
  if (!stored) throw new NotFound('Pipeline Schedule');
  return stored;
}

async function inputNames(ctx: Context, scheduleId: number): Promise<string[]> {
  const inputs = await loadInputs(ctx, [scheduleId]);
  return (inputs.get(scheduleId) ?? []).map((input) => input.name);
}

function maybeText(description: string) {
  return text().optional().describe(description);
}

function maybePresentText(description: string) {
  return presentText().optional().describe(description);
}
