import { constant } from '../../core/database/expressions.js';
import { Forbidden } from '../../core/values/errors.js';
import { optional, oneOf, withDefault } from '../../core/operations/fields.js';
import { byId } from '../../core/database/list.js';
import { can, operation } from '../../core/operations/operation.js';
import { commonConditions, commonFilterParams } from '../pipelines/pipeline.filters.js';
import { onPipelines, findPipelines } from '../pipelines/pipeline.finder.js';
import type { PipelineRecord } from '../pipelines/pipeline.finder.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { notifyAlarms } from './notify-alarms.js';
import { PipelineSchedule } from './pipeline-schedule.entity.js';
import { findSchedule, onSchedules, pipelineSchedule, findSchedules } from './pipeline-schedule.finder.js';
import { pipelineSchedulePolicy } from './pipeline-schedule.policy.js';
import { scheduleInputs } from './pipeline-schedule.serializer.js';
import { pipelineScheduleInFull } from './schedule-in-full.js';
import { nextRunOnSave } from './schedule-rules.js';
import { loadInputs, editTime } from './schedule-values.js';
import { claimBeforeEdit } from './tick-schedules.js';
import { storedSchedule } from './edit-pipeline-schedule.js';

/** List a project's schedules. */
export const listPipelineSchedules = operation({
  name: 'listPipelineSchedules',
  summary: "List a project's pipeline schedules",
  resource: project,
  can: can(projectPolicy, 'read_pipeline_schedule'),
  kind: 'read',
  statements: 4,
  params: { scope: optional(oneOf(['active', 'inactive'])).describe('Filter by scope: active or inactive schedules.') },
  run(_ctx, found, { scope }) {
    const where = scope === undefined ? [] : [onSchedules('s.active', '=', constant(scope === 'active'))];
    return Promise.resolve(findSchedules(found, where));
  },
});

/** Read one schedule with its inputs, and with its variables if the caller may read them. */
export const getPipelineSchedule = operation({
  name: 'getPipelineSchedule',
  summary: 'Read a pipeline schedule',
  resource: pipelineScheduleInFull,
  kind: 'read',
  statements: 6,
  run: (_ctx, schedule) => Promise.resolve(schedule),
});

/** List the pipelines that a schedule has made, oldest first. */
export const listPipelinesOfSchedule = operation({
  name: 'listPipelinesOfSchedule',
  summary: 'List the pipelines of a schedule',
  resource: pipelineSchedule,
  kind: 'read',
  statements: 6,
  params: {
    ...commonFilterParams,
    sort: withDefault(oneOf(['asc', 'desc']), 'asc').describe('Direction of the order by ID.'),
  },
  run(ctx, schedule, input) {
    if (!projectPolicy.read_pipeline(ctx.caller, schedule.project)) throw new Forbidden();
    const list = findPipelines(schedule.project, [
      onPipelines('pl.pipeline_schedule_id', '=', schedule.id),
      ...commonConditions(input),
    ]);
    return Promise.resolve({ ...list, order: [byId<PipelineRecord>('pl', input.sort)] });
  },
});

/** Make the caller the owner: pipelines then run with the caller's rights. Active stays what it is. */
export const takeOwnershipOfPipelineSchedule = operation({
  name: 'takeOwnershipOfPipelineSchedule',
  summary: 'Take ownership of a pipeline schedule',
  resource: pipelineSchedule,
  can: can(pipelineSchedulePolicy, 'admin_pipeline_schedule'),
  kind: 'write',
  async run(ctx, found) {
    if (found.owner_id === ctx.caller.id) return { ...found, unchanged: true };
    await claimBeforeEdit(ctx, found.id);
    const now = ctx.clock.now();
    const next = await nextRunOnSave(ctx, await storedSchedule(ctx, found.id), now);
    const changes = { owner_id: ctx.caller.user.id, next_run_at: next, updated_at: editTime(found.updated_at, now) };
    await ctx.em.nativeUpdate(PipelineSchedule, { id: found.id }, changes);
    await notifyAlarms(ctx, next);
    ctx.record({ type: 'pipeline_schedule.ownership_taken', schedule: found, owner_id: changes.owner_id });
    return { ...(await findSchedule(ctx, found.project, found.id)), unchanged: false };
  },
});

/** Delete a schedule with its variables and inputs. Its pipelines stay. */
export const deletePipelineSchedule = operation({
  name: 'deletePipelineSchedule',
  summary: 'Delete a pipeline schedule',
  resource: pipelineSchedule,
  can: can(pipelineSchedulePolicy, 'admin_pipeline_schedule'),
  kind: 'write',
  conditional: true,
  async run(ctx, schedule) {
    const inputs = await loadInputs(ctx, [schedule.id]);
    await ctx.em.nativeDelete(PipelineSchedule, { id: schedule.id });
    ctx.record({ type: 'pipeline_schedule.deleted', schedule });
    const deleted = { ...schedule, deleted: true };
    scheduleInputs.put(ctx, deleted, inputs.get(schedule.id) ?? []);
    return deleted;
  },
});
