import { compiled } from '../../shared/core/database/compile.js';
import type pg from 'pg';
import { ANONYMOUS } from '../../shared/core/context/callers.js';
import { Context } from '../../shared/core/context/context.js';
import { databaseWork } from '../../shared/core/database/database-work.js';
import type { OpenServices } from '../../shared/core/context/open-services.js';
import { doBulk } from '../../shared/instance/queue-bulks/do-bulk.js';
import type { JobFilter } from '../../shared/instance/pg-boss/find-jobs.js';
import { listFoundJobs } from '../../shared/instance/pg-boss/job.finder.js';
import { readJob } from '../../shared/instance/queue-jobs/job-detail.js';
import { jobOverview } from '../../shared/instance/pg-boss/job-stats.js';
import { readQueues, readQueueStates } from '../../shared/instance/pg-boss/list-queues.js';
import { countJobs, selectJobs } from '../../shared/instance/pg-boss/search-jobs.js';
import { openServices } from '../../shared/instance/process/services.js';
import { domains } from '../../shared/domains.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import { quantile } from './statistics.js';

const FINISHED = 1_000_000;
const WAITING = 100_000;
const QUEUES = 10;
const TURNS = 40;
const LIST_MS = 100;
const ERROR_MS = 500;
const BULK_SECONDS = 60;

/**
 * A tenth of the finished jobs failed, each with an attempt that contains the error; every hundredth job has a user.
 */
async function seed(db: pg.Pool, services: OpenServices) {
  for (let index = 0; index < QUEUES; index += 1) await services.boss.createQueue(`bench.admin-${index}`);
  await db.query(
    `insert into pgboss.job (name, state, policy, data, output, created_on, start_after, started_on, completed_on)
     select 'bench.admin-' || i % $1::int, case when i % 10 = 0 then 'failed' else 'completed' end::pgboss.job_state,
            'standard',
            jsonb_build_object('n', i, '_ctx', jsonb_build_object('user', case when i % 100 = 0 then 'user' || i % 7000 end,
              'project', case when i % 100 = 0 then 'group/project' || i % 9000 end, 'caller_id', 'bench')),
            case when i % 10 = 0 then jsonb_build_object('error_class', 'Error', 'message', 'failure ' || i) end,
            now() - i * interval '100 ms', now() - i * interval '100 ms', now() - i * interval '90 ms', now()
       from generate_series(1, $2::int) i`,
    [QUEUES, FINISHED],
  );
  await db.query(
    `insert into job_attempts (job_id, attempt, queue, worker, started_at, ended_at, outcome, error_class, message, stack, job_created_at)
     select j.id, 1, j.name, 'bench:1', j.started_on, j.completed_on, case when j.state = 'failed' then 'failed' else
            'completed' end, j.output ->> 'error_class', j.output ->> 'message', null, j.created_on
       from pgboss.job j where j.name like 'bench.admin-%'`,
  );
  await db.query(
    `insert into pgboss.job (name, state, policy, data, created_on, start_after)
     select 'bench.admin-' || i % $1::int, 'created', 'standard', '{"_ctx": {"user": "waiting"}}',
            now() - i * interval '10 ms', now() - i * interval '10 ms' from generate_series(1, $2::int) i`,
    [QUEUES, WAITING],
  );
  await db.query('vacuum analyze pgboss.job');
  await db.query('vacuum analyze job_attempts');
}

async function p90(turn: () => Promise<unknown>): Promise<number> {
  await turn();
  const times: number[] = [];
  for (let index = 0; index < TURNS; index += 1) {
    const began = performance.now();
    await turn();
    times.push(performance.now() - began);
  }
  return quantile(times, 0.9);
}

const goal = (name: string, target: number, measured: number, unit: string): Goal => ({
  name: `jobs-admin, ${name}`,
  target: `<= ${target} ${unit}`,
  measured: `${measured.toFixed(1)} ${unit}`,
  holds: measured <= target,
});

/** Prints the query plan of a search. */
async function explain(db: pg.Pool, name: string, filter: JobFilter) {
  const { text, values } = compiled(selectJobs(filter, { sort: 'desc', limit: 20 }));
  const { rows } = await db.query<{ 'QUERY PLAN': string }>(`explain (analyze, timing off) ${text}`, [...values]);
  report(`${name}:`);
  for (const row of rows) report(`  ${row['QUERY PLAN'].slice(0, 150)}`);
}

const SEARCHES: Record<string, JobFilter> = {
  'newest of all': {},
  'of a state': { state: ['failed'] },
  'of a queue and state': { queue: 'bench.admin-3', state: ['completed'] },
  'of a queue by a part of its name': { search: 'admin-7' },
  'of a user': { user: 'user700' },
  'of a user who waits': { user: 'waiting', state: ['failed'] },
  'of a project': { project: 'group/project900' },
  'within times': {
    created_after: new Date(Date.now() - 7_200_000),
    created_before: new Date(Date.now() - 3_600_000),
  },
};

async function readGoals(ctx: Context): Promise<Goal[]> {
  const goals: Goal[] = [];
  const list = async (name: string, turn: () => Promise<unknown>, most = LIST_MS) =>
    void goals.push(goal(name, most, await p90(turn), 'ms'));
  const page = (filter: JobFilter) => () =>
    listFoundJobs(ctx, filter, { sort: 'desc' }).keyset?.read(20) as Promise<object>;
  await list('queues', () => readQueues(ctx, {}));
  await list('one queue', () => readQueues(ctx, { name: 'bench.admin-1' }));
  await list('overview', () => jobOverview(ctx));
  await list('look of the events', () => readQueueStates(ctx));
  for (const [name, filter] of Object.entries(SEARCHES)) await list(`search ${name}`, page(filter));
  const [some] = (await page({})()) as unknown as { id: string }[];
  await list('detail', () => readJob(ctx, (some as { id: string }).id));
  await list('search by a rare error', page({ error: 'failure 12345' }), ERROR_MS);
  await list('search by the error of 100,000', page({ error: 'failure' }), ERROR_MS);
  await list('count of a state', () => countJobs(ctx, { state: ['created'] }, 2_000_000));
  return goals;
}

async function bulkGoal(services: OpenServices): Promise<Goal> {
  const ctx = new Context(services, ANONYMOUS);
  const [bulk] = await services.db.pool
    .query<{ id: string }>(
      `insert into queue_bulks (action, filter, expected, created_at)
       values ('cancel', '{"state": ["created"]}', $1, now()) returning id`,
      [WAITING],
    )
    .then(({ rows }) => rows);
  const began = performance.now();
  await doBulk(ctx, Number(bulk?.id));
  return goal('bulk of 100,000', BULK_SECONDS, (performance.now() - began) / 1000, 's');
}

/** What administrators look for and do among many jobs. */
export const jobsAdmin: Bench = {
  name: 'jobs-admin',
  async run(site): Promise<Goal[]> {
    const services = await openServices(domains, { ...site.config, logLevel: 'silent' }, 'bench', {
      work: databaseWork.worker,
    });
    try {
      await seed(site.db, services);
      for (const [name, filter] of Object.entries({ ...SEARCHES, 'by an error': { error: 'failure 12345' } }))
        await explain(site.db, name, filter);
      const goals = await readGoals(new Context(services, ANONYMOUS));
      return [...goals, await bulkGoal(services)];
    } finally {
      await site.db.query(`delete from pgboss.job where name like 'bench.admin-%'`);
      await site.db.query('truncate job_attempts');
      await services.close();
    }
  },
};
