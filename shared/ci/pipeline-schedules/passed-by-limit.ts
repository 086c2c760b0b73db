import type { Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import type { PlannedRun } from './missed-runs.js';
import { nextRunAt, RAN } from './schedule-rules.js';

/** Maximum number of due times counted per gap: schedules that are due together wait for each other's count. */
const COUNTED_AT_MOST = 20;

interface Claimed {
  id: number;
  cron: string;
  cron_timezone: string;
  next_run_at: Date;
}

const findLastRuns = prepareQuery((db: Kysely<CiDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom('pipeline_schedules as s')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('pipeline_schedule_runs as x')
          .select('x.due_at')
          .whereRef('x.pipeline_schedule_id', '=', 's.id')
          .where('x.trigger', '=', constant('cron'))
          .where('x.state', 'in', RAN)
          .orderBy('x.id', 'desc')
          .limit(constant(1))
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(({ fn }) => ['s.id', fn<Date>('greatest', ['last.due_at', 's.updated_at']).as('since')])
    .where('s.id', '=', anyOf(ids, 'bigint')),
);

/** The time since which only the limit has kept each schedule from running: its last run, or a later edit. */
async function lastRuns(ctx: Context, ids: readonly number[]): Promise<Map<number, Date>> {
  const rows = await findLastRuns(ctx, { ids });
  return new Map(rows.map(({ id, since }) => [id, since]));
}

function formatDueTimes(count: number, last: Date, more: boolean): string {
  if (more) return `more than ${count} moments`;
  return count === 1 ? 'this moment' : `${count} moments, the last at ${last.toISOString()}`;
}

function passedBetween(schedule: Claimed, since: Date, perDay: number): PlannedRun | null {
  const first = nextRunAt(schedule, since);
  let count = 0;
  let last = first;
  let at = first;
  for (; at && at < schedule.next_run_at && count < COUNTED_AT_MOST; at = nextRunAt(schedule, at)) {
    count += 1;
    last = at;
  }
  if (!first || !last || count === 0) return null;
  const more = at !== null && at < schedule.next_run_at;
  return {
    dueAt: first,
    state: 'skipped',
    cause: 'daily_limit',
    reason: `The limit of ${perDay} runs a day passes over ${formatDueTimes(count, last, more)}.`,
  };
}

/**
 * The due times that the daily run limit suppressed for each of many schedules between its last run and the current
 * one: one record per schedule, dated at the first of them. One statement; none if there is no limit.
 */
export async function passedByLimit(
  ctx: Context,
  due: readonly Claimed[],
  perDay: number,
): Promise<Map<number, PlannedRun>> {
  if (perDay === 0 || due.length === 0) return new Map();
  const since = await lastRuns(
    ctx,
    due.map(({ id }) => id),
  );
  const found = due.map((schedule) => {
    const from = since.get(schedule.id);
    return [schedule.id, from ? passedBetween(schedule, from, perDay) : null] as const;
  });
  return new Map(found.filter((entry): entry is [number, PlannedRun] => entry[1] !== null));
}
