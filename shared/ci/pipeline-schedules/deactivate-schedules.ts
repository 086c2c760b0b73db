import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { nested } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import type { ScheduleSummary } from '../ci.events.js';
import { notifyAlarms } from './notify-alarms.js';

interface StoppedSchedule extends ScheduleSummary {
  owner: { username: string; state: string };
}

/**
 * Deactivates every active schedule of a user who was blocked or deactivated, and records the reason in its runs. The
 * schedules were not edited, so their `updated_at` is unchanged (pipeline-schedules.md section 7).
 */
export async function deactivateSchedulesOf(ctx: Context<Caller>, userId: number): Promise<void> {
  const now = ctx.clock.now();
  const stopped = await ctx.em
    .getKysely<CiDatabase>()
    .with('stopped', (db) =>
      db
        .updateTable('pipeline_schedules as s')
        .from('users as u')
        .set({ active: false })
        .where('s.owner_id', '=', userId)
        .where('s.active', '=', constant(true))
        .whereRef('u.id', '=', 's.owner_id')
        .returning(['s.id', 's.description', 's.project_id', 's.owner_id', 'u.username', 'u.state']),
    )
    .with('skipped_runs', (db) =>
      db
        .insertInto('pipeline_schedule_runs')
        .columns([
          'project_id',
          'pipeline_schedule_id',
          'due_at',
          'trigger',
          'user_id',
          'state',
          'cause',
          'reason',
          'created_at',
        ])
        .expression((eb) =>
          eb
            .selectFrom('stopped as x')
            .select((of) => [
              'x.project_id',
              'x.id',
              of.val(now).as('due_at'),
              constant('cron').as('trigger'),
              'x.owner_id',
              constant('skipped').as('state'),
              constant('inactive').as('cause'),
              of
                .fn<string>('concat', [
                  constant('The schedule was deactivated, because its owner '),
                  'x.username',
                  constant(' is '),
                  of.fn('replace', ['x.state', constant('_'), constant(' ')]),
                  constant('.'),
                ])
                .as('reason'),
              of.val(now).as('created_at'),
            ]),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['project_id', 'pipeline_schedule_id', 'due_at'])
            .where('trigger', '=', constant('cron'))
            .doUpdateSet((eb) => ({ reason: eb.ref('excluded.reason') }))
            .where('pipeline_schedule_runs.state', '=', constant('skipped')),
        ),
    )
    .selectFrom('stopped as x')
    .innerJoin('projects as p', 'p.id', 'x.project_id')
    .innerJoin('routes as r', 'r.project_id', 'p.id')
    .select((eb) => [
      'x.id',
      'x.description',
      ...nested('project', Project, 'p', { only: ['id', 'namespace_id'], more: { full_path: eb.ref('r.path') } }),
      eb.ref('x.username').as('owner.username'),
      eb.ref('x.state').as('owner.state'),
    ])
    .orderBy('x.id')
    .$castTo<StoppedSchedule>()
    .execute();
  for (const { owner, ...schedule } of stopped)
    ctx.record({ type: 'pipeline_schedule.owner_stopped', schedule, owner });
  if (stopped.length > 0) await notifyAlarms(ctx, null);
}
