import test from 'ava';
import type { ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { loadPending } from '../../../shared/ci/pipeline-schedule-runs/run-decision.js';
import { tickSchedules } from '../../../shared/ci/pipeline-schedules/tick-schedules.js';
import { useApp } from '../../core/app.js';
import type { Answer } from '../../core/client.js';
import { holding, somebodyWaits } from '../../core/holding.js';
import { create, getPath, ring, getRuns } from './schedule-steps.js';

const app = useApp(test);

/** A schedule at its due minute: due, and not claimed yet. */
async function atItsMinute(more: object = {}) {
  const project = await app.build.project();
  const maintainer = await app.build.member(project, 'maintainer');
  const client = app.as(project.owner);
  const { body } = await create(client, project, { cron: '0 * * * *', ...more });
  app.clock.set(body.next_run_at);
  const path = getPath(project, `/${body.id}`);
  return { project, maintainer, client, path, schedule: body as { id: number; next_run_at: string } };
}

async function states(schedule: { id: number }) {
  return (await getRuns(app, schedule)).map((run) => [run.due_at.toISOString(), run.state]);
}

// Contract: issue-03.8-edit
test.serial('editing a schedule at its very minute keeps the run that is due', async (t) => {
  const { client, path, schedule } = await atItsMinute();
  const { body } = await client.put(path, { description: 'Edited' });
  t.true(Date.parse(body.next_run_at) > Date.parse(schedule.next_run_at));
  await ring(app);
  t.deepEqual(await states(schedule), [[schedule.next_run_at, 'fired']]);
});

// Contract: issue-03.8-edit
test.serial('re-timing a schedule at its very minute fires the old time and moves to the new one', async (t) => {
  const { client, path, schedule } = await atItsMinute();
  const { body } = await client.put(path, { cron: '30 * * * *' });
  await ring(app);
  t.deepEqual(await states(schedule), [[schedule.next_run_at, 'fired']]);
  t.is(Date.parse(body.next_run_at) - Date.parse(schedule.next_run_at), 1_800_000);
});

// Contract: issue-03.8-deactivate
test.serial('deactivating a schedule at its very minute is told as the reason why it did not fire', async (t) => {
  const { client, path, schedule } = await atItsMinute();
  await client.put(path, { active: false });
  await ring(app);
  const [run, ...more] = await getRuns(app, schedule);
  t.deepEqual(more, []);
  t.like(run, { state: 'skipped', reason: 'The schedule was deactivated.' });
});

// Contract: issue-03.8-take-over
test.serial("taking over a schedule at its very minute makes the due pipeline the new owner's", async (t) => {
  const { maintainer, path, schedule } = await atItsMinute();
  await app.as(maintainer).post(`${path}/take_ownership`);
  await ring(app);
  const [run, ...more] = await getRuns(app, schedule);
  t.deepEqual(more, []);
  t.like(run, { state: 'fired', user_id: maintainer.id });
});

// Contract: issue-03.8-delete
test.serial('deleting a schedule at its very minute leaves neither run nor pipeline', async (t) => {
  const { project, client, path, schedule } = await atItsMinute();
  t.is((await client.delete(path)).status, 200);
  await ring(app);
  t.deepEqual(await getRuns(app, schedule), []);
  t.deepEqual((await client.get(`/projects/${project.id}/pipelines`)).body, []);
});

test.serial('an edit that is refused at the very minute leaves the run to the tick', async (t) => {
  const { client, path, schedule } = await atItsMinute();
  t.is((await client.put(path, { cron: 'never' })).status, 400);
  t.deepEqual(await getRuns(app, schedule), []);
  await ring(app);
  t.deepEqual(await states(schedule), [[schedule.next_run_at, 'fired']]);
});

test.serial('activating a schedule does not run what passed while it was inactive', async (t) => {
  const { client, path, schedule } = await atItsMinute({ active: false });
  await client.put(path, { active: true });
  await ring(app);
  t.deepEqual(await getRuns(app, schedule), []);
});

test.serial('a tick passes over a schedule that is being edited, and the edit claims what is due', async (t) => {
  const { client, path, schedule } = await atItsMinute();
  const answers = await Promise.all([
    client.put(path, { description: 'one' }),
    tickSchedules(app.context()),
    client.put(path, { description: 'two' }),
    tickSchedules(app.context()),
  ]);
  t.is((answers[0] as Answer).status, 200);
  t.is((answers[2] as Answer).status, 200);
  await ring(app);
  t.deepEqual(await states(schedule), [[schedule.next_run_at, 'fired']]);
});

test.serial('an owner whose schedule is taken over meanwhile may not edit it any more', async (t) => {
  const { client, path, schedule, maintainer } = await atItsMinute();
  const answer = (await holding(
    app,
    sql`update pipeline_schedules set owner_id = ${maintainer.id} where id = ${schedule.id}`,
    () => client.put(path, { description: 'mine' }),
  )) as Answer;
  t.is(answer.status, 403);
});

test.serial('an edit, a play and a new variable of a schedule that is deleted meanwhile are 404', async (t) => {
  for (const ask of ['edit', 'play', 'variable', 'delete', 'take']) {
    const { client, path, schedule, maintainer } = await atItsMinute();
    const answer = (await holding(app, sql`delete from pipeline_schedules where id = ${schedule.id}`, () => {
      if (ask === 'edit') return client.put(path, { description: 'x' });
      if (ask === 'play') return client.post(`${path}/play`);
      if (ask === 'delete') return client.delete(path);
      if (ask === 'take') return app.as(maintainer).post(`${path}/take_ownership`);
      return client.post(`${path}/variables`, { key: 'K', value: 'v' });
    })) as Answer;
    t.is(answer.status, 404, ask);
    t.deepEqual(answer.body, { message: '404 Pipeline Schedule Not Found' });
  }
});

async function waitsWithoutDeadlock(t: ExecutionContext, remove: ReturnType<typeof sql>, schedule: { id: number }) {
  await tickSchedules(app.context());
  const [run] = await app.context().query<{ id: number }>(sql`
    select x.id from pipeline_schedule_runs x where x.pipeline_schedule_id = ${schedule.id}`);
  const ctx = app.context();
  let removing: Promise<unknown> = Promise.resolve();
  await t.notThrowsAsync(() =>
    ctx.transaction(async () => {
      await loadPending(ctx, [run?.id as number]);
      let done = false;
      removing = app
        .context()
        .query(remove)
        .finally(() => {
          done = true;
        });
      await somebodyWaits(app, () => done);
      // The runner has already locked the rows it writes next.
      await ctx.query(sql`update pipeline_schedule_runs set state = 'fired' where id = ${run?.id}`);
      await ctx.query(sql`
        insert into pipelines (project_id, iid, ref, sha, before_sha, status, source, pipeline_schedule_id, created_at, updated_at)
        select s.project_id, 1, 'main', 'x', 'y', 'pending', 'schedule', s.id, now(), now()
          from pipeline_schedules s where s.id = ${schedule.id}`);
    }),
  );
  await t.notThrowsAsync(removing);
  await app.work();
}

test.serial('deleting a schedule waits for the runs being made, without a deadlock', async (t) => {
  const { schedule } = await atItsMinute();
  await waitsWithoutDeadlock(t, sql`delete from pipeline_schedules where id = ${schedule.id}`, schedule);
  t.deepEqual(await getRuns(app, schedule), []);
});

// Contract: issue-03.7-project
test.serial('deleting a project waits for the runs being made, without a deadlock', async (t) => {
  const { schedule, project } = await atItsMinute();
  await waitsWithoutDeadlock(t, sql`delete from projects where id = ${project.id}`, schedule);
  t.deepEqual(await getRuns(app, schedule), []);
});

// Contract: issue-03.7-clock
test.serial(
  'a worker whose clock is five minutes ahead fires early, and one whose clock is right does not fire again',
  async (t) => {
    const { schedule } = await atItsMinute();
    const right = app.clock.now();
    app.clock.set(new Date(right.getTime() + 3_300_000 + 300_000).toISOString());
    await ring(app);
    const ahead = await states(schedule);
    app.clock.set(right.toISOString());
    await ring(app);
    t.deepEqual(await states(schedule), ahead);
    app.clock.set(new Date(right.getTime() + 3_600_000).toISOString());
    await ring(app);
    const all = await states(schedule);
    t.is(new Set(all.map(([at]) => at)).size, all.length, 'no moment twice');
  },
);

test.serial('a clock set back does not fire a moment again', async (t) => {
  const { client, path, schedule } = await atItsMinute();
  await ring(app);
  app.clock.set(new Date(Date.parse(schedule.next_run_at) - 300_000).toISOString());
  // The edit computes the same time as the next run again.
  t.is((await client.put(path, { description: 'x' })).body.next_run_at, schedule.next_run_at);
  app.clock.set(schedule.next_run_at);
  await ring(app);
  t.deepEqual(await states(schedule), [[schedule.next_run_at, 'fired']]);
});
