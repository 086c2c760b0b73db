import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { adminUrl } from '../../core/databases.js';
import { eventually, startService } from '../../core/processes.js';
import type { StartedService } from '../../core/processes.js';

// A long test: processes are killed and waited for.
// A process of its own: processes are killed and waited for.

/** `npm run test:faults` takes its time; `npm test` has a short version of the same. */
const LONG = process.env.CAPSTAN_FAULTS === 'long';
const SCHEDULES = LONG ? 500 : 60;
const SECONDS = LONG ? 40 : 4;
const KILLS = LONG ? 25 : 3;

interface Running {
  service: StartedService;
  /** Ids of schedules that come due, one after the other, within the requested seconds. */
  ids: number[];
}

/** A service whose schedules come due within some seconds from now, each once: their cron is yearly. */
async function comingDue(t: ExecutionContext, schedules: number, seconds: number, workers: number): Promise<Running> {
  const service = await startService(t, { workers: 0 });
  // A database that goes away takes idle connections along.
  service.database.on('error', () => undefined);
  const project = (await service.root.post('/projects', { name: 'Sturdy', initialize_with_readme: true })).body;
  const response = await service.root.post(`/projects/${project.id}/pipeline_schedules`, {
    description: 'One of many',
    ref: 'main',
    cron: '0 0 1 1 *',
  });
  for (let count = 0; count < workers; count += 1) await service.startWorker();
  // Limits are for people: the test makes its many schedules at once.
  await service.database.query(
    `insert into pipeline_schedules (project_id, owner_id, description, ref, cron, cron_timezone, active, next_run_at,
                                     created_at, updated_at)
     select s.project_id, s.owner_id, s.description || n, s.ref, s.cron, s.cron_timezone, true,
            now() + interval '1 second' + n * interval '1 second' * $2::float8 / $3::float8, s.created_at, s.updated_at
       from pipeline_schedules s, generate_series(1, $3::int) n where s.id = $1`,
    [response.body.id, seconds, schedules],
  );
  const { rows } = await service.database.query<{ id: number }>(
    `select id::int as id, pg_notify('capstan_pipeline_schedules', '') from pipeline_schedules where id <> $1`,
    [response.body.id],
  );
  return { service, ids: rows.map((row) => row.id) };
}

/** Waits until no run is pending or still to come, then returns the outcome of each schedule. */
async function settled({ service, ids }: Running): Promise<Record<string, number>> {
  await eventually(
    async () => {
      const { rows } = await service.database.query<{ open: number; done: number }>(
        `select (select count(*)::int from pipeline_schedules where next_run_at < now() and active) as open,
                (select count(*)::int from pipeline_schedule_runs where state <> 'pending') as done`,
      );
      return rows[0]?.open === 0 && (rows[0]?.done ?? 0) >= ids.length;
    },
    LONG ? 300 : 100,
  );
  const { rows } = await service.database.query<{ outcome: string; count: number }>(
    `select outcome, count(*)::int as count from (
       select (select string_agg(x.state, '+') from pipeline_schedule_runs x where x.pipeline_schedule_id = s.id)
              || ' ' || (select count(*) from pipelines pl where pl.pipeline_schedule_id = s.id) as outcome
         from pipeline_schedules s where s.id = any($1)) o group by outcome`,
    [ids],
  );
  return Object.fromEntries(rows.map((row) => [row.outcome, row.count]));
}

async function killOne(service: StartedService, which: RegExp, restart: () => Promise<unknown>) {
  const victims = service.children.filter(
    (child) => child.exitCode === null && child.signalCode === null && which.test(child.spawnargs.join(' ')),
  );
  const victim = victims[Math.floor(Math.random() * victims.length)];
  if (!victim) return;
  const gone = once(victim, 'exit');
  victim.kill('SIGKILL');
  await gone;
  await restart();
}

// Contract: issue-03.7-kills
test.serial(
  'schedules come due while workers and API are killed at random: one pipeline each, each run recorded',
  async (t) => {
    t.timeout(LONG ? 600_000 : 180_000);
    const running = await comingDue(t, SCHEDULES, SECONDS, 2);
    const { service } = running;
    for (let kill = 0; kill < KILLS; kill += 1) {
      await pause(Math.random() * ((SECONDS * 1000) / KILLS));
      if (kill % 4 === 3) await killOne(service, /api/, () => service.startApi());
      else await killOne(service, /worker/, () => service.startWorker());
    }
    t.deepEqual(await settled(running), { 'fired 1': SCHEDULES });
    t.is((await service.root.get('/user')).status, 200, 'the API is there');
  },
);

// Contract: issue-03.7-database
test.serial(
  'schedules come due while the database is away: no process ends, and each makes one pipeline',
  async (t) => {
    t.timeout(LONG ? 600_000 : 180_000);
    const running = await comingDue(t, SCHEDULES, SECONDS, 2);
    const { service } = running;
    const name = new URL(service.env.DATABASE_URL as string).pathname.slice(1);
    const admin = new pg.Client({ connectionString: adminUrl() });
    await admin.connect();
    for (let time = 0; time < (LONG ? 4 : 1); time += 1) {
      // A restart from the clients' perspective: connections are closed, and new ones are refused for a while.
      await admin.query(`alter database ${name} allow_connections false`);
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      await pause(2500);
      await admin.query(`alter database ${name} allow_connections true`);
      await pause(LONG ? 5000 : 500);
    }
    await admin.end();
    t.deepEqual(await settled(running), { 'fired 1': SCHEDULES });
    t.deepEqual(
      service.children.map((child) => [child.exitCode, child.signalCode]),
      service.children.map(() => [null, null]),
    );
    t.is((await service.root.get('/user')).status, 200, 'the API is there');
  },
);

/** Loaded before everything else, it sets the clock of a process wrong. */
const wrongBy = (ms: number) =>
  `--import data:text/javascript,${encodeURIComponent(`
    const RightDate = Date;
    const wrong = () => RightDate.now() + ${ms};
    globalThis.Date = class extends RightDate {
      constructor(...args) { if (args.length === 0) super(wrong()); else super(...args); }
      static now() { return wrong(); }
    };`)}`;

// Contract: issue-03.7-clock
test.serial(
  'workers whose system clocks are five minutes wrong fire on time by the clock of the database',
  async (t) => {
    t.timeout(180_000);
    const running = await comingDue(t, 10, 2, 0);
    const { service, ids } = running;
    await service.startWorker({ NODE_OPTIONS: wrongBy(300_000) });
    await service.startWorker({ NODE_OPTIONS: wrongBy(-300_000) });
    // Due once both are there.
    await service.database.query(
      `update pipeline_schedules set next_run_at = now() + interval '1500 milliseconds' + (id % 10) * interval '100 milliseconds'
      where id = any($1) returning pg_notify('capstan_pipeline_schedules', '')`,
      [ids],
    );
    await settled(running);
    const { rows } = await service.database.query<{ early: number; count: number }>(
      `select count(*) filter (where pl.created_at < x.due_at - interval '20 milliseconds')::int as early,
            count(distinct pl.id)::int as count
       from pipeline_schedule_runs x join pipelines pl on pl.id = x.pipeline_id where x.state = 'fired'`,
    );
    t.is(rows[0]?.early, 0, 'never early');
    t.true((rows[0]?.count ?? 0) >= 10);
  },
);
