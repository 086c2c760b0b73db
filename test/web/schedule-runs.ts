import { sql } from 'kysely';
import type { TestApp } from '../core/app.js';

const HOUR_MS = 3_600_000;

/** The outcome of a run: its state, its delay in milliseconds, and the cause and reason if it did not fire. */
export type Fate = readonly [state: string, lateMs: number | null, cause: string | null, reason: string | null];

export const FIRED: Fate = ['fired', 12, null, null];
export const LATE: Fate = ['fired', 45_000, null, null];
export const MISSED: Fate = ['missed', null, 'service_down', 'The service was down.'];
export const FAILED: Fate = ['failed', 30, 'ref_missing', 'The branch main does not exist.'];
export const SKIPPED: Fate = ['skipped', null, 'daily_limit', 'The limit of 24 runs a day passes over this moment.'];

const EVERY_KIND = [FIRED, LATE, MISSED, FAILED, SKIPPED];

/**
 * Thirty runs of a schedule, an hour apart up to now.
 * @param fates every sixth run's, from the newest on; all others fired
 */
export async function thirtyRuns(
  app: TestApp,
  schedule: { id: number; project_id: number },
  fates: readonly Fate[] = EVERY_KIND,
): Promise<void> {
  const now = Math.floor(app.clock.now().getTime() / HOUR_MS) * HOUR_MS;
  for (let ago = 30; ago > 0; ago -= 1) {
    const [state, late, cause, reason] = ago % 6 === 0 ? fates[(ago / 6) % fates.length]! : FIRED;
    const due = new Date(now - ago * HOUR_MS);
    await app.context().query(sql`
      insert into pipeline_schedule_runs (project_id, pipeline_schedule_id, due_at, trigger, state, cause, reason,
                                          started_at, created_at)
      values (${schedule.project_id}, ${schedule.id}, ${due}, 'cron', ${state}, ${cause}, ${reason},
              ${late === null ? null : new Date(due.getTime() + late)}, ${due})`);
  }
}
