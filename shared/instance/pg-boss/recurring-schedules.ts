import type { PgBoss } from 'pg-boss';
import { JOB_CONTEXT_KEY } from '../../core/values/job-context.js';
import { RECURRING_KEY } from '../../core/context/jobs.js';
import type { JobKind } from '../../core/context/jobs.js';

/** Who sends them, in their context. */
const CALLER = 'recurring_jobs';

const MINUTES_OF_HOUR = 60;
const HOURS_OF_DAY = 24;

/**
 * The cron expression, in UTC, of a job that comes at each whole multiple of so many seconds.
 * @throws Error where minutes or hours cannot say it
 */
export function toCron(everySeconds: number): string {
  const minutes = everySeconds / 60;
  if (Number.isInteger(minutes) && minutes < MINUTES_OF_HOUR && MINUTES_OF_HOUR % minutes === 0)
    return `*/${minutes} * * * *`;
  const hours = minutes / MINUTES_OF_HOUR;
  if (Number.isInteger(hours) && hours < HOURS_OF_DAY && HOURS_OF_DAY % hours === 0) return `0 */${hours} * * *`;
  if (hours === HOURS_OF_DAY) return '0 0 * * *';
  throw new Error(`A recurring job comes every so many minutes or hours, not every ${everySeconds} seconds.`);
}

/** Has the queue send the jobs of recurring kinds, and no others. Safe to repeat. */
export async function scheduleRecurring(boss: PgBoss, kinds: readonly JobKind<object>[]): Promise<void> {
  const recurring = new Map(kinds.flatMap((kind) => (kind.everySeconds === undefined ? [] : [[kind.name, kind]])));
  for (const { name, key } of await boss.getSchedules())
    if (!recurring.has(name) || key !== RECURRING_KEY) await boss.unschedule(name, key);
  for (const { name, category, everySeconds } of recurring.values())
    await boss.schedule(
      name,
      toCron(everySeconds as number),
      // Each job begins something of its own: it has no id of a request in common with the others.
      { [JOB_CONTEXT_KEY]: { caller_id: CALLER, feature_category: category } },
      { tz: 'UTC', key: RECURRING_KEY, singletonKey: RECURRING_KEY, missed: 'once' },
    );
}
