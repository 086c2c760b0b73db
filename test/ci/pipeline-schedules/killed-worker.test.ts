import { once } from 'node:events';
import test from 'ava';
import { eventually, startService } from '../../core/processes.js';

// A long test: processes are killed and waited for.
// A process of its own: a worker is killed and waited for.

test('a worker that is killed between claim and run loses nothing and starts nothing twice', async (t) => {
  const service = await startService(t, { workers: 0 });
  const { root, database } = service;
  const project = (await root.post('/projects', { name: 'Sturdy', initialize_with_readme: true })).body;
  const path = `/projects/${project.id}/pipeline_schedules`;
  const first = (await root.post(path, { description: 'First', ref: 'main', cron: '0 0 1 1 *' })).body;
  const second = (await root.post(path, { description: 'Second', ref: 'main', cron: '0 0 1 1 *' })).body;

  // No pipeline gets its number while this transaction holds the counters: the run waits in the worker's hands.
  const blocker = await database.connect();
  t.teardown(() => blocker.release(true));
  await blocker.query('begin');
  await blocker.query('lock table project_counters in exclusive mode');
  await database.query('update pipeline_schedules set next_run_at = now() where id = $1', [first.id]);
  const doomed = await service.startWorker();
  await eventually(async () => {
    const { rows } = await database.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into "project_counters"%'`,
    );
    return rows.length > 0;
  });
  const exit = once(doomed, 'exit');
  doomed.kill('SIGKILL');
  await exit;
  await blocker.query('rollback');

  await service.startWorker();
  await database.query(
    `update pipeline_schedules set next_run_at = now() where id = $1 returning pg_notify('capstan_pipeline_schedules', '')`,
    [second.id],
  );
  await eventually(async () => (await root.get(`${path}/${second.id}/pipelines`)).body.length === 1);
  await eventually(async () => (await root.get(`${path}/${first.id}/pipelines`)).body.length === 1, 90);
  const { rows } = await database.query(
    'select state, count(*)::int as count from pipeline_schedule_runs group by state',
  );
  t.deepEqual(rows, [{ state: 'fired', count: 2 }]);
  t.is((await root.get(`/projects/${project.id}/pipelines`)).body.length, 2);
});

// Contract: jobs-6.6
test('what a killed worker had in hand runs again within seconds in another one, with no alarm ringing', async (t) => {
  const service = await startService(t, { workers: 0 });
  const { root, database } = service;
  const project = (await root.post('/projects', { name: 'Held', initialize_with_readme: true })).body;
  const path = `/projects/${project.id}/pipeline_schedules`;
  const schedule = (await root.post(path, { description: 'Held', ref: 'main', cron: '0 0 1 1 *' })).body;
  const blocker = await database.connect();
  t.teardown(() => blocker.release(true));
  await blocker.query('begin');
  await blocker.query('lock table project_counters in exclusive mode');
  const doomed = await service.startWorker();
  t.is((await root.post(`${path}/${schedule.id}/play`)).status, 201);
  const waiting = async () => {
    const { rows } = await database.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into "project_counters"%'`,
    );
    return rows.length;
  };
  await eventually(async () => (await waiting()) === 1);
  await service.startWorker();
  const exit = once(doomed, 'exit');
  doomed.kill('SIGKILL');
  await exit;
  // The job runs again while its previous attempt is still blocked. Without the end of the session that would only
  // happen once heartbeats are missed, after 10 s at the earliest.
  const again = await eventually(async () => {
    const { rows } = await database.query(
      `select a.attempt, a.outcome, w.lost_at is not null as gone, b.attempts
         from job_attempts a join queue_workers w on w.hostname || ':' || w.pid = a.worker
         join queue_batches b on a.job_id = any(b.job_ids) and b.ended_at is null
        where a.queue = 'pipeline_schedules.play'`,
    );
    return rows[0];
  }, 8);
  t.deepEqual(again, { attempt: 1, outcome: 'lost', gone: true, attempts: [2] });
  await blocker.query('rollback');
  await eventually(async () => (await root.get(`${path}/${schedule.id}/pipelines`)).body.length === 1);
  t.is((await root.get(`/projects/${project.id}/pipelines`)).body.length, 1);
});
