import { setTimeout as sleep } from 'node:timers/promises';
import { SCHEDULES_CHANNEL } from '../../shared/ci/pipeline-schedules/notify-alarms.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import type { BenchSite } from './bench-site.js';
import { median, withSpread } from './statistics.js';

const DUE = 10_000;
const GOAL_SECONDS = 5;
const AHEAD_MS = 1500;
const GIVE_UP_MS = 60_000;
/** Two workers count as slower only beyond what runs of one differ among themselves. */
const NOISE = 1.1;
const ROUNDS = 3;

/** Makes 10,000 schedules due at one time, with a realistic variety of time zones and owners. */
async function makeDue(site: BenchSite): Promise<{ due: number }> {
  const { rows } = await site.db.query<{ due: number }>(
    `with moment as (select date_trunc('second', clock_timestamp() + make_interval(secs => $2)) as at),
          zones as (select array['UTC', 'Europe/Berlin', 'Asia/Tokyo', 'America/New_York', 'Australia/Sydney'] as names),
          made as (
            insert into pipeline_schedules (project_id, owner_id, description, ref, cron, cron_timezone, active,
                                            next_run_at, created_at, updated_at)
            select 10001 + i % 2000, m.user_id, 'burst', 'refs/heads/main', i % 60 || ' 3 * * *',
                   zones.names[1 + i % 5], true, moment.at, now(), now()
              from generate_series(1, $1::int) i, moment, zones,
                   lateral (select g.user_id from group_members g join namespaces n on g.namespace_id = any(n.traversal_ids)
                              join projects p on p.namespace_id = n.id
                             where p.id = 10001 + i % 2000 and g.access_level >= 30 order by g.user_id limit 1) m
            returning 1)
     select extract(epoch from moment.at)::float8 * 1000 as due from moment where (select count(*) from made) = $1`,
    [DUE, AHEAD_MS / 1000],
  );
  if (!rows[0]) throw new Error('Not every schedule was made.');
  await site.db.query('select pg_notify($1, $2)', [SCHEDULES_CHANNEL, String(Math.round(rows[0].due))]);
  return rows[0];
}

/** The newest pipeline's id: those of a burst have larger ones, so that counting them costs almost nothing. */
async function newestPipeline(site: BenchSite): Promise<string> {
  const { rows } = await site.db.query<{ id: string }>('select coalesce(max(id), 0) as id from pipelines');
  return rows[0]?.id ?? '0';
}

/** Seconds by the database's clock from the due time until all pipelines can be seen. */
async function secondsUntilDone(site: BenchSite, due: number, after: string): Promise<number> {
  const deadline = performance.now() + GIVE_UP_MS;
  while (performance.now() < deadline) {
    const { rows } = await site.db.query<{ now: number; pipelines: number }>(
      `select extract(epoch from clock_timestamp())::float8 * 1000 as now, count(*)::int as pipelines
         from pipelines where id > $1`,
      [after],
    );
    if (rows[0]?.pipelines === DUE) return (rows[0].now - due) / 1000;
    await sleep(50);
  }
  throw new Error('Not every schedule made its pipeline.');
}

async function clear(site: BenchSite) {
  await site.db.query(`delete from pipelines pl using pipeline_schedules s
    where s.id = pl.pipeline_schedule_id and s.description = 'burst'`);
  await site.db.query(`delete from pipeline_schedules where description = 'burst'`);
  await site.db.query('vacuum analyze pipeline_schedules, pipelines, pipeline_schedule_runs, project_counters');
}

async function burst(site: BenchSite, workers: number): Promise<number> {
  const running = await Promise.all(Array.from({ length: workers }, () => site.worker()));
  try {
    const newest = await newestPipeline(site);
    const { due } = await makeDue(site);
    const seconds = await secondsUntilDone(site, due, newest);
    const cpu = await Promise.all(running.map((worker) => worker.cpuMs()));
    report(
      `${workers} worker(s): ${seconds.toFixed(2)} s, CPU s since start ${cpu.map((ms) => ((ms ?? 0) / 1000).toFixed(2)).join(' + ')}`,
    );
    return seconds;
  } finally {
    for (const worker of running) await worker.stop();
    await clear(site);
  }
}

/** 10,000 schedules due at one time: the time until the last pipeline, with one worker and with two, alternating. */
export const scheduleBurst: Bench = {
  name: 'schedule-burst',
  async run(site): Promise<Goal[]> {
    const one: number[] = [];
    const two: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      one.push(await burst(site, 1));
      two.push(await burst(site, 2));
    }
    return [
      {
        name: 'schedule-burst, one worker',
        target: `${DUE} pipelines in <= ${GOAL_SECONDS} s`,
        measured: withSpread(one, 2, ' s'),
        holds: median(one) <= GOAL_SECONDS,
      },
      {
        name: 'schedule-burst, two workers',
        target: 'not slower than one',
        measured: withSpread(two, 2, ' s'),
        holds: median(two) <= median(one) * NOISE,
      },
    ];
  },
};
