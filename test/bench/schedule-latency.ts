import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { SCHEDULES_CHANNEL } from '../../shared/ci/pipeline-schedules/notify-alarms.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import type { BenchSite } from './bench-site.js';
import { median, quantile } from './statistics.js';

const SAMPLES = 40;
const P50_MS = 40;
const P99_MS = 200;
/** How far ahead a schedule is made due, in milliseconds, and how much that varies. */
const AHEAD_MS = 300;
const JITTER_MS = 200;
const GIVE_UP_MS = 15_000;

/** Makes a schedule due shortly, and notifies the workers as the API does. */
export async function makeDue(
  db: PoolClient,
  { projectId, userId }: { projectId: number; userId: number },
): Promise<{ id: string; due: number }> {
  const ahead = AHEAD_MS + Math.round(Math.random() * JITTER_MS);
  await db.query('begin');
  const { rows } = await db.query<{ id: string; due: number }>(
    `insert into pipeline_schedules (project_id, owner_id, description, ref, cron, cron_timezone, active, next_run_at,
                                     created_at, updated_at)
     values ($1, $2, 'due in a moment', 'refs/heads/main', '0 3 * * *', 'UTC', true,
             clock_timestamp() + make_interval(secs => $3), now(), now())
     returning id, extract(epoch from next_run_at)::float8 * 1000 as due`,
    [projectId, userId, ahead / 1000],
  );
  const schedule = rows[0] as { id: string; due: number };
  await db.query('select pg_notify($1, $2)', [SCHEDULES_CHANNEL, String(Math.round(schedule.due))]);
  await db.query('commit');
  return schedule;
}

/** Milliseconds by the database's clock from the due time until others can see the pipeline; Infinity for never. */
async function visibleAfter(db: PoolClient, schedule: { id: string; due: number }): Promise<number> {
  await sleep(AHEAD_MS - 50);
  const deadline = performance.now() + GIVE_UP_MS;
  while (performance.now() < deadline) {
    const { rows } = await db.query<{ now: number; visible: boolean }>({
      name: 'poll',
      text: `select extract(epoch from clock_timestamp())::float8 * 1000 as now,
                    exists (select 1 from pipelines where pipeline_schedule_id = $1) as visible`,
      values: [schedule.id],
    });
    if (rows[0]?.visible) return rows[0].now - schedule.due;
    await sleep(1);
  }
  return Infinity;
}

/** Makes one schedule due. @returns how late its pipeline is, in milliseconds; Infinity when there is none after 15 s */
export async function latenessOfOne(db: PoolClient, site: BenchSite): Promise<number> {
  return visibleAfter(db, await makeDue(db, site.data));
}

async function measure(site: BenchSite): Promise<number[]> {
  const db = await site.db.connect();
  try {
    const times: number[] = [];
    // The first two warm the worker up.
    for (let sample = -2; sample < SAMPLES; sample += 1) {
      const time = await latenessOfOne(db, site);
      if (time === Infinity) throw new Error('A due schedule made no pipeline.');
      if (sample >= 0) times.push(time);
    }
    return times;
  } finally {
    db.release();
  }
}

/** One schedule due, a real worker and the real queue: from the due time to the pipeline's row. */
export const scheduleLatency: Bench = {
  name: 'schedule-latency',
  async run(site): Promise<Goal[]> {
    const worker = await site.worker();
    try {
      const times = await measure(site);
      const [p50, p99] = [median(times), quantile(times, 0.99)];
      report(`${times.length} schedules: ${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)} ms`);
      return [
        {
          name: 'schedule-latency p50',
          target: `<= ${P50_MS} ms`,
          measured: `${p50.toFixed(1)} ms`,
          holds: p50 <= P50_MS,
        },
        {
          name: 'schedule-latency p99',
          target: `<= ${P99_MS} ms`,
          measured: `${p99.toFixed(1)} ms`,
          holds: p99 <= P99_MS,
        },
      ];
    } finally {
      await worker.stop();
    }
  },
};
