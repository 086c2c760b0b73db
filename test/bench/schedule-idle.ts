import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Goal } from './goal.js';
import type { BenchSite } from './bench-site.js';

const SCHEDULES = 200_000;
const SETTLE_MS = 5000;
const WATCHED_MS = 20_000;
const PERCENT = 1;

async function fill(site: BenchSite) {
  await site.db.query(
    `insert into pipeline_schedules (project_id, owner_id, description, ref, cron, cron_timezone, active, next_run_at,
                                     created_at, updated_at)
     select 10001 + i % 8000, 1001, 'idle', 'refs/heads/main', '0 3 * * *', 'UTC', true,
            now() + interval '1 day' + make_interval(secs => i), now(), now()
       from generate_series(1, $1::int) i`,
    [SCHEDULES],
  );
  await site.db.query('vacuum analyze pipeline_schedules');
}

/** 200,000 schedules, none of them due: the cost of an idle worker. */
export const scheduleIdle: Bench = {
  name: 'schedule-idle',
  async run(site): Promise<Goal[]> {
    await fill(site);
    const worker = await site.worker();
    try {
      await sleep(SETTLE_MS);
      const [before, began] = [await worker.cpuMs(), performance.now()];
      await sleep(WATCHED_MS);
      const [after, end] = [await worker.cpuMs(), performance.now()];
      if (before === null || after === null) throw new Error('This system does not tell a process’s CPU time.');
      const percent = ((after - before) / (end - began)) * 100;
      const measured = `${percent.toFixed(2)} % over ${Math.round((end - began) / 1000)} s`;
      return [{ name: 'schedule-idle', target: `< ${PERCENT} % CPU`, measured, holds: percent < PERCENT }];
    } finally {
      await worker.stop();
      await site.db.query(`delete from pipeline_schedules where description = 'idle'`);
      await site.db.query('vacuum analyze pipeline_schedules');
    }
  },
};
