import type { Problems } from '../../core/values/errors.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { refHint } from '../../repositories/repositories/ref-hint.js';
import { expandRef, findRef, shortRef } from '../../repositories/repositories/repository-ref.finder.js';
import { mayRunOnRef } from '../pipelines/pipeline-rights.js';
import { parseCron } from '../cron/cron.js';
import { nextRunWithDailyLimit } from '../cron/next-run.js';
import { resolveTimeZone } from '../cron/time-zones.js';
import { PipelineSchedule } from './pipeline-schedule.entity.js';

interface ScheduleLimits {
  /** Schedules of one project at most, inactive ones included; 0 is no limit. */
  perProject: number;
  /** Runs of one schedule a day at most; 0 is no limit. */
  runsPerDay: number;
}

/** The limits of the instance (contract decision 12). */
export function scheduleLimits(ctx: Context): ScheduleLimits {
  const { ci_pipeline_schedules: perProject, ci_daily_pipeline_schedule_triggers: runsPerDay } = ctx.settings;
  return { perProject, runsPerDay };
}

/** Expands the ref from the request to a full ref. @throws Invalid `{ref: ["is ambiguous"]}`, alone in the body */
export async function requireRef(ctx: Context, project: ProjectRecord, ref: string): Promise<string> {
  const expansion = await expandRef(ctx, project.id, ref);
  if (expansion === 'ambiguous')
    throw new Invalid({ ref: ['is ambiguous'] }).hinting(await refHint(ctx, project.id, ref));
  return expansion.fullName;
}

/** @throws Invalid (400, not 403): the role suffices, the ref's protection does not */
export async function requireScheduleRef(
  ctx: Context,
  project: ProjectRecord,
  ref: string,
  action: 'create' | 'update',
): Promise<void> {
  if (await mayRunOnRef(ctx, project, ref)) return;
  const missing = (await findRef(ctx, project.id, ref)) === null;
  const hint = missing ? await refHint(ctx, project.id, ref) : `The branch or tag "${shortRef(ref)}" is protected.`;
  throw new Invalid({ base: [`The current user is not authorized to ${action} the pipeline schedule`] }).hinting(hint);
}

/** Validates a schedule's own values (pipeline-schedules.md section 4). Impossible dates are reported immediately. */
export function scheduleProblems(
  schedule: Pick<PipelineSchedule, 'description' | 'cron' | 'cron_timezone'>,
  now: Date,
): Problems {
  const problems: Problems = {};
  const cron = parseCron(schedule.cron);
  if (!cron.ok) problems.cron = [cron.message];
  else if (resolveTimeZone(schedule.cron_timezone) !== null && nextRunAt(schedule, now) === null)
    problems.cron = ['never runs in this time zone'];
  if (resolveTimeZone(schedule.cron_timezone) === null) problems.cron_timezone = ['syntax is invalid'];
  if (schedule.description.trim() === '') problems.description = ["can't be blank"];
  return problems;
}

/** Counts inactive ones too. Expects the project locked (`lockProject`): else two at once both take the last slot. */
export async function limitProblems(ctx: Context, project: ProjectRecord): Promise<Problems> {
  const { perProject } = scheduleLimits(ctx);
  if (perProject === 0) return {};
  return (await ctx.em.count(PipelineSchedule, { project_id: project.id })) < perProject
    ? {}
    : { base: [`Maximum number of ci pipeline schedules (${perProject}) exceeded`] };
}

/** One maker of schedules at a time in a project. A statement of its own: what it waits for, the next one sees. */
export async function lockProjectForSchedules(ctx: Context, project: ProjectRecord): Promise<void> {
  await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('projects as p')
    .select('p.id')
    .where('p.id', '=', project.id)
    .forNoKeyUpdate()
    .execute();
}

/** @throws Invalid with every problem, and with a hint where there is one */
export function assertNoProblems(problems: Problems, hint: string | null = null): void {
  if (Object.keys(problems).length > 0) throw new Invalid(problems).hinting(hint);
}

/**
 * The next run after an instant (section 6).
 * @param lastRun when it last ran, and @param perDay its runs a day at most (0 is no limit): together they keep two runs apart
 */
export function nextRunAt(
  schedule: Pick<PipelineSchedule, 'cron' | 'cron_timezone'>,
  after: Date,
  lastRun: Date | null = null,
  perDay = 0,
): Date | null {
  return nextRunWithDailyLimit(schedule.cron, schedule.cron_timezone, after, lastRun, perDay);
}

/** The next run of a schedule that is being saved, computed on every save, also for inactive ones (section 6). */
export async function nextRunOnSave(ctx: Context, schedule: PipelineSchedule, now: Date): Promise<Date | null> {
  const { runsPerDay } = scheduleLimits(ctx);
  if (runsPerDay === 0) return nextRunAt(schedule, now);
  return nextRunAt(schedule, now, await lastClaimed(ctx, schedule.id), runsPerDay);
}

/** States of runs that were neither missed nor skipped. */
export const RAN = [constant('pending'), constant('fired'), constant('failed')];

/** When a schedule was last due and not missed, or null. */
export async function lastClaimed(ctx: Context, scheduleId: number): Promise<Date | null> {
  const last = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('pipeline_schedule_runs as x')
    .select('x.due_at')
    .where('x.pipeline_schedule_id', '=', scheduleId)
    .where('x.trigger', '=', constant('cron'))
    .where('x.state', 'in', RAN)
    .orderBy('x.id', 'desc')
    .limit(constant(1))
    .executeTakeFirst();
  return last?.due_at ?? null;
}
