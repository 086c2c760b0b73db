import test from 'ava';
import { queueJob, RECURRING_KEY } from '../../../shared/core/context/jobs.js';
import { sql } from 'kysely';
import { syncZoneData, storedZoneDataVersion } from '../../../shared/ci/pipeline-schedules/sync-zone-data.js';
import { runPipelineSchedules } from '../../../shared/ci/ci.jobs.js';
import { pruneRuns, rescueRuns } from '../../../shared/ci/pipeline-schedule-runs/tend-runs.js';
import { tickSchedules } from '../../../shared/ci/pipeline-schedules/tick-schedules.js';
import { timeZoneDataVersion } from '../../../shared/ci/cron/time-zones.js';
import { sampleJob } from '../../../shared/instance/queue-jobs/queue-job.jobs.js';
import { openWorkerQueue } from '../../../shared/instance/pg-boss/queue-client.js';
import { toCron } from '../../../shared/instance/pg-boss/recurring-schedules.js';
import { ZoneDataWatch } from '../../../workers/ci/pipeline-schedules/zone-data.js';
import { run } from '../../../workers/ci/pipeline-schedules/run.js';
import { useApp } from '../../core/app.js';
import { create, getPath, getRuns } from './schedule-steps.js';
import { handled } from '../../core/handled.js';
import { eventually } from '../../core/processes.js';

const app = useApp(test);

async function hourly(more: object = {}) {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const { body } = await create(client, project, { cron: '0 * * * *', ...more });
  const read = async () => (await client.get(getPath(project, `/${body.id}`))).body;
  return { project, client, schedule: body as { id: number; next_run_at: string; updated_at: string }, read };
}

/** Claims due schedules, and drops the jobs. */
async function claimAndLose() {
  app.clock.advance('1 hour');
  await tickSchedules(app.context());
  await app.services.boss.deleteQueuedJobs(runPipelineSchedules.name);
}

// Contract: issue-03.6-zone-data
test.serial('other zone data moves every next run, a job does it, and the schedule is not edited by it', async (t) => {
  const { schedule, read } = await hourly();
  const due = await hourly();
  await app.context().query(sql`
    update pipeline_schedules set next_run_at = next_run_at + interval '30 minutes' where id = ${schedule.id}`);
  await app.context().query(sql`
    update pipeline_schedules set next_run_at = ${app.clock.now()} where id = ${due.schedule.id}`);
  await new ZoneDataWatch().start(app.services, app.services.boss);
  await app.work();
  t.is(await storedZoneDataVersion(app.context()), timeZoneDataVersion());
  const after = await read();
  t.is(after.next_run_at, schedule.next_run_at);
  t.is(after.updated_at, schedule.updated_at);
  t.is((await due.read()).next_run_at, app.clock.now().toISOString(), 'what is due stays due');
  t.is(await syncZoneData(app.context()), 0, 'repeated it moves nothing');
  await tickSchedules(app.context());
  await app.work();
});

test.serial('a worker with the zone data that is stored asks for nothing', async (t) => {
  await syncZoneData(app.context());
  const sent: string[] = [];
  const boss = { send: (name: string) => Promise.resolve(void sent.push(name)) };
  await new ZoneDataWatch().start(app.services, boss as never);
  t.deepEqual(sent, []);
});

// Contract: schedules-6.5
test.serial('a zone that the new data lacks stops the schedule, and its last run says so', async (t) => {
  const { schedule, read, project, client } = await hourly();
  await app.context().query(sql`
    update pipeline_schedules set cron_timezone = 'Atlantis/Old' where id = ${schedule.id}`);
  await syncZoneData(app.context());
  t.is((await read()).next_run_at, null);
  const { body } = await client.get(getPath(project, `/${schedule.id}/runs`));
  t.like(body[0], {
    state: 'failed',
    reason: 'The schedule does not run again: its time zone Atlantis/Old is unknown.',
  });
  await syncZoneData(app.context());
  t.is((await getRuns(app, schedule)).length, 1, 'told once');
  await app.context().query(sql`update pipeline_schedules set cron_timezone = 'UTC' where id = ${schedule.id}`);
  await syncZoneData(app.context());
  t.is((await read()).next_run_at, schedule.next_run_at, 'a zone that is known again starts it again');
});

// Contract: issue-03.7-lost-job
test.serial('a run whose job was lost gets another one', async (t) => {
  const { schedule } = await hourly();
  await claimAndLose();
  t.is((await getRuns(app, schedule))[0]?.state, 'pending');
  t.deepEqual(await rescueRuns(app.context()), { resent: 0, abandonedRuns: 0 }, 'not lost yet');
  app.clock.advance('11 minutes');
  t.true((await rescueRuns(app.context())).resent > 0);
  await rescueRuns(app.context());
  await app.work();
  t.deepEqual(
    (await getRuns(app, schedule)).map((found) => found.state),
    ['fired'],
  );
  t.deepEqual(await rescueRuns(app.context()), { resent: 0, abandonedRuns: 0 });
});

// Contract: issue-03.7-lost-job
test.serial('a run that could not start within a day is recorded as failed', async (t) => {
  const { schedule } = await hourly();
  await claimAndLose();
  app.clock.advance('25 hours');
  t.true((await rescueRuns(app.context())).abandonedRuns > 0);
  t.like((await getRuns(app, schedule))[0], {
    state: 'failed',
    reason: 'The service could not start it within a day.',
  });
  await app.work();
  t.is((await getRuns(app, schedule))[0]?.state, 'failed');
});

// Contract: issue-03.runs-kept
test.serial('runs older than ninety days are removed, younger ones stay', async (t) => {
  const { schedule } = await hourly();
  await app.context().query(sql`
    insert into pipeline_schedule_runs
      (project_id, pipeline_schedule_id, due_at, trigger, state, created_at)
    select s.project_id, s.id, u.at, 'cron', 'missed', u.at
      from pipeline_schedules s,
           unnest(${[89, 91, 92].map((days) => new Date(app.clock.now().getTime() - days * 86_400_000))}::timestamptz[]) as u (at)
     where s.id = ${schedule.id}`);
  t.is(await pruneRuns(app.context()), 2);
  t.is((await getRuns(app, schedule)).length, 1);
  t.is(await pruneRuns(app.context()), 0, 'repeated it removes nothing');
});

// Contract: issue-03.7-lost-job
test.serial('a run that cannot be made holds no other up', async (t) => {
  const [broken, whole] = [await hourly(), await hourly()];
  // An internal error: an id that already exists as the pipeline's number, which is not the user's fault.
  await app.context().query(sql`
    insert into pipelines (project_id, iid, ref, sha, before_sha, status, source, created_at, updated_at)
    select ${broken.project.id}, n, 'main', 'x', 'y', 'pending', 'api', now(), now() from generate_series(1, 3) n`);
  app.clock.advance('1 hour');
  await tickSchedules(app.context());
  const runs = await app.context().query<{ run_id: number }>(sql`
    select x.id as run_id from pipeline_schedule_runs x where x.state = 'pending'`);
  await t.throwsAsync(() => handled(app, run, runs));
  t.is((await getRuns(app, broken.schedule))[0]?.state, 'pending');
  t.is((await getRuns(app, whole.schedule))[0]?.state, 'fired');
  await app.context().query(sql`delete from pipelines where project_id = ${broken.project.id}`);
  await handled(app, run, runs);
  t.is((await getRuns(app, broken.schedule))[0]?.state, 'fired');
  t.is((await getRuns(app, whole.schedule)).length, 1);
  await app.work();
});

test.serial('while a recurring job waits, as in a queue that is paused, no other one is sent', async (t) => {
  const kind = queueJob<Record<string, never>>('test.recurring', { everySeconds: 60 });
  const { boss } = app.services;
  await boss.createQueue(kind.name, kind.queue);
  const send = () => boss.send(kind.name, {}, { singletonKey: RECURRING_KEY });
  t.not(await send(), null);
  t.is(await send(), null);
  const byHand = await app.services.jobs.send(kind, {});
  t.not(byHand, null);
  const waiting = await boss.fetch(kind.name, { batchSize: 10 });
  t.is(waiting.length, 2);
  await boss.complete(
    kind.name,
    waiting.map(({ id }) => id),
  );
  t.not(await send(), null);
});

test.serial('a recurring job is sent once for its time by however many workers', async (t) => {
  const kind = sampleJob;
  const open = () =>
    openWorkerQueue(app.services.config.databaseUrl, (error) => t.log(error.message), { recurring: true });
  const workers = await Promise.all([open(), open(), open()]);
  t.teardown(() => Promise.all(workers.map((boss) => boss.stop({ graceful: false, close: true }))));
  const sent = () => app.context().query(sql`select j.data from pgboss.job j where j.name = ${kind.name}`);
  await eventually(async () => {
    for (const boss of workers) for (const { id } of boss.getWipData({ includeInternal: true })) boss.notifyWorker(id);
    return (await sent()).length > 0;
  });
  t.is((await sent()).length, 1);
  const [minutely, hourly, daily] = [60, 3600, 86_400].map(toCron);
  t.deepEqual([minutely, hourly, daily], ['*/1 * * * *', '0 */1 * * *', '0 0 * * *']);
  t.throws(() => toCron(90));
});
