import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { NamedSchedule } from '../ci.events.js';
import { notifyAlarms } from './notify-alarms.js';

interface StoppedSchedule extends NamedSchedule {
  owner: { username: string; state: string };
}

/**
 * Deactivates every active schedule of a user who was blocked or deactivated, and says so in its runs. Nobody edited
 * them, so their `updated_at` stays (pipeline-schedules.md section 7).
 */
export async function deactivateSchedulesOf(ctx: Context<Caller>, userId: number): Promise<void> {
  const now = ctx.clock.now();
  const stopped = await ctx.query<StoppedSchedule>(sql`
    with stopped as (
      update pipeline_schedules s set active = false from users u
       where s.owner_id = ${userId} and s.active and u.id = s.owner_id
      returning s.id, s.description, s.project_id, s.owner_id, u.username, u.state), told as (
    insert into pipeline_schedule_runs
      (project_id, pipeline_schedule_id, due_at, trigger, user_id, state, cause, reason, created_at)
    select project_id, id, ${now}, 'cron', owner_id, 'skipped', 'inactive',
           'The schedule was deactivated, because its owner ' || username || ' is ' || replace(state, '_', ' ') || '.', ${now}
      from stopped
    on conflict (project_id, pipeline_schedule_id, due_at) where trigger = 'cron'
      do update set reason = excluded.reason where pipeline_schedule_runs.state = 'skipped')
    select x.id, x.description, p.id as "project.id", p.namespace_id as "project.namespace_id",
           r.path as "project.full_path", x.username as "owner.username", x.state as "owner.state"
      from stopped x join projects p on p.id = x.project_id join routes r on r.project_id = p.id
     order by x.id`);
  for (const { owner, ...schedule } of stopped)
    ctx.record({ type: 'pipeline_schedule.owner_stopped', schedule, owner });
  if (stopped.length > 0) await notifyAlarms(ctx, null);
}
