import type { Context } from '../core/context.js';
import { Invalid } from '../core/errors.js';
import { sql } from '../core/sql.js';
import type { ProjectRecord } from '../projects/project.finder.js';
import { expandRef } from '../repositories/repository-ref.finder.js';
import { mayRunOnRef } from '../repositories/ref-rules.js';
import { parseCron } from './cron.js';
import { nextRunWithDailyLimit } from './next-run.js';
import type { PipelineSchedule } from './pipeline-schedule.entity.js';
import { resolveTimeZone } from './time-zones.js';

type Problems = Record<string, string[]>;

/** Full ref of what the caller sent. @throws Invalid `{ref: ["is ambiguous"]}`, alone in the body */
export async function requireRef(ctx: Context, project: ProjectRecord, ref: string): Promise<string> {
  const expansion = await expandRef(ctx, project.id, ref);
  if (expansion === 'ambiguous') throw new Invalid({ ref: ['is ambiguous'] });
  return expansion.fullName;
}

/** @throws Invalid (400, not 403): the role suffices, the ref's protection does not */
export async function requireRefAllowed(
  ctx: Context,
  project: ProjectRecord,
  ref: string,
  action: 'create' | 'update',
): Promise<void> {
  if (await mayRunOnRef(ctx, project, ref)) return;
  throw new Invalid({ base: [`The current user is not authorized to ${action} the pipeline schedule`] });
}

/** Rules about a schedule's own values (pipeline-schedules.md section 4). */
export function valueProblems(
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

/** README decision 12. Counts inactive ones too; the project's row is locked, so that two at once can't both take the last place. */
export async function limitProblems(ctx: Context, project: ProjectRecord): Promise<Problems> {
  const limit = ctx.settings.ci_pipeline_schedules;
  if (limit === 0) return {};
  const row = await ctx.queryOne<{ count: number }>(sql`
    with locked as (select p.id from projects p where p.id = ${project.id} for no key update)
    select count(*) as count from pipeline_schedules s where s.project_id in (select id from locked)`);
  return (row?.count ?? 0) < limit
    ? {}
    : { base: [`Maximum number of ci pipeline schedules (${limit}) exceeded`] };
}

/** @throws Invalid with every problem */
export function refuse(problems: Problems): void {
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

/**
 * The next run after now, computed on every save, also for inactive schedules (section 6).
 * @param perDay runs of one schedule a day at most; 0 is no limit
 */
export function nextRunAt(
  schedule: Pick<PipelineSchedule, 'cron' | 'cron_timezone'>,
  now: Date,
  lastRun: Date | null = null,
  perDay = 0,
): Date | null {
  return nextRunWithDailyLimit(schedule.cron, schedule.cron_timezone, now, lastRun, perDay);
}

/** The next run of a schedule that was edited. Only a limit of runs a day asks for its last run. */
export async function nextRunAfterEdit(
  ctx: Context,
  schedule: Pick<PipelineSchedule, 'id' | 'cron' | 'cron_timezone'>,
): Promise<Date | null> {
  const perDay = ctx.settings.ci_daily_pipeline_schedule_triggers;
  const last =
    perDay > 0
      ? await ctx.queryOne<{ due_at: Date }>(sql`
          select r.due_at from pipeline_schedule_runs r
           where r.pipeline_schedule_id = ${schedule.id} and r.trigger = 'cron'
             and r.state in ('pending', 'fired', 'failed')
           order by r.id desc limit 1`)
      : null;
  return nextRunAt(schedule, ctx.clock.now(), last?.due_at ?? null, perDay);
}
