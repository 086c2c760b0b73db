import test from 'ava';
import { UserCaller } from '../../../shared/core/context/callers.js';
import { detectConfigurations } from '../../../shared/ci/pipeline-creation/find-configurations.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { sql } from 'kysely';
import { playPipelineSchedule } from '../../../shared/ci/pipeline-schedule-runs/play-schedule.js';
import { runSchedules } from '../../../shared/ci/pipeline-schedule-runs/run-schedules.js';
import { tickSchedules } from '../../../shared/ci/pipeline-schedules/tick-schedules.js';
import { useApp } from '../../core/app.js';
import { create, getPath, ring, getRuns } from './schedule-steps.js';

const app = useApp(test);

/** A project with a schedule of every hour. These tests move the clock, so they run one after the other. */
async function hourly(more: object = {}) {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const { body } = await create(client, project, { cron: '0 * * * *', ...more });
  const one = (rest = '') => getPath(project, `/${body.id}${rest}`);
  const runs = async () => (await client.get(one('/runs?per_page=100'))).body;
  const newest = async () => (await runs())[0];
  return { project, client, schedule: body as { id: number; next_run_at: string }, one, runs, newest };
}

const inAnHour = async () => {
  app.clock.advance('1 hour');
  await ring(app);
};

// Contract: schedules-6.1, schedules-7.2
test.serial('a due schedule makes one pipeline, of its owner, on its ref, and moves to its next time', async (t) => {
  const { project, client, schedule, one } = await hourly();
  await inAnHour();
  const [run] = await getRuns(app, schedule);
  t.like(run, { state: 'fired', trigger: 'cron', reason: null, user_id: project.owner.id });
  t.is(run?.due_at.toISOString(), schedule.next_run_at);
  const [pipeline] = (await client.get(one('/pipelines'))).body;
  t.like(pipeline, { id: run?.pipeline_id, ref: 'main', source: 'scheduled', status: 'pending' });
  const { body: branch } = await client.get(`/projects/${project.id}/repository/branches/main`);
  t.is(pipeline.sha, branch.commit.id);
  const after = (await client.get(one())).body;
  t.is(Date.parse(after.next_run_at) - Date.parse(schedule.next_run_at), 3_600_000);
  t.is(after.updated_at, after.created_at, 'a run is no edit');
  t.is(after.last_pipeline.id, pipeline.id);
});

// Contract: schedules-7.1
test.serial('ticks and jobs that come twice make nothing twice', async (t) => {
  const { schedule } = await hourly();
  await inAnHour();
  await Promise.all([tickSchedules(app.context()), tickSchedules(app.context())]);
  const [before] = await app.context().query<{ id: number }>(sql`
    select x.id from pipeline_schedule_runs x where x.pipeline_schedule_id = ${schedule.id}`);
  for (let time = 0; time < 2; time += 1) {
    const ctx = app.context();
    await ctx.transaction(() => runSchedules(ctx, [before?.id as number]));
  }
  await app.work();
  t.is((await getRuns(app, schedule)).length, 1);
  const [count] = await app.context().query<{ count: number }>(sql`
    select count(*) as count from pipelines pl where pl.pipeline_schedule_id = ${schedule.id}`);
  t.is(count?.count, 1);
});

// Contract: schedules-7.1
test.serial('two ticks and two jobs at once still make one pipeline each', async (t) => {
  const all = await Promise.all(Array.from({ length: 8 }, () => hourly()));
  app.clock.advance('1 hour');
  await Promise.all([1, 2, 3].map(() => tickSchedules(app.context())));
  const ids = await app.context().query<{ id: number }>(sql`
    select x.id from pipeline_schedule_runs x where x.state = 'pending'`);
  t.true(ids.length >= all.length);
  await Promise.all(
    [1, 2, 3].map(async () => {
      const ctx = app.context();
      await ctx.transaction(() => runSchedules(ctx, ids.map(({ id }) => id).reverse()));
    }),
  );
  for (const { schedule } of all)
    t.deepEqual(
      (await getRuns(app, schedule)).map((run) => run.state),
      ['fired'],
    );
  const doubles = await app.context().query(sql`
    select pl.pipeline_schedule_id from pipelines pl where pl.pipeline_schedule_id is not null
     group by pl.pipeline_schedule_id, pl.created_at having count(*) > 1`);
  t.deepEqual(doubles, []);
  await app.work();
});

test.serial('a batch of runs takes the same number of statements however many there are', async (t) => {
  /** @param isKnown whether their commits were looked at before */
  const count = async (schedules: number, isKnown: boolean) => {
    const owner = await app.build.user();
    const projectIds: number[] = [];
    for (let index = 0; index < schedules; index += 1) {
      const project = await app.build.project({ owner });
      projectIds.push(project.id);
      const { body } = await create(app.as(owner), project, { cron: '0 * * * *', inputs: [{ name: 'n', value: 1 }] });
      await app.as(owner).post(getPath(project, `/${body.id}/variables`), { key: 'K', value: 'v' });
    }
    app.clock.advance('1 hour');
    await tickSchedules(app.context());
    const runs = await app.context().query<{ id: number; project_id: number; sha: string }>(sql`
      select x.id, x.project_id, r.target_sha as sha from pipeline_schedule_runs x
        join pipeline_schedules s on s.id = x.pipeline_schedule_id
        join repository_refs r on r.project_id = s.project_id and r.full_name = s.ref
       where x.state = 'pending' and x.project_id = any(${projectIds})`);
    const commits = runs.map((run) => ({ ...run, path: '.gitlab-ci.yml' }));
    if (isKnown) await detectConfigurations(app.context(), commits);
    const before = app.services.db.statements;
    const ctx = app.context();
    await ctx.transaction(() =>
      runSchedules(
        ctx,
        runs.map(({ id }) => id),
      ),
    );
    const used = app.services.db.statements - before;
    await app.work();
    return used;
  };
  for (const [isKnown, most] of [
    [true, 10],
    [false, 12],
  ] as const) {
    const few = await count(1, isKnown);
    const many = await count(6, isKnown);
    t.is(many, few);
    t.true(few <= most, `${few} statements`);
  }
});

// Contract: interface-3.1.play
test.serial('playing makes a run by play, which needs no cron, and leaves the next run alone', async (t) => {
  const { client, one, schedule, newest } = await hourly();
  await client.post(one('/play'));
  await app.work();
  t.like(await newest(), { state: 'fired', by: 'play', lateness_ms: 0 });
  t.is((await client.get(one())).body.next_run_at, schedule.next_run_at);
});

// Contract: schedules-7.3
test.serial('an owner who is gone makes the run fail with that reason, and the schedule stays active', async (t) => {
  const { client, schedule, one, newest } = await hourly();
  await app.context().query(sql`update pipeline_schedules s set owner_id = null where s.id = ${schedule.id}`);
  await inAnHour();
  t.like(await newest(), {
    state: 'failed',
    reason: 'The schedule has no owner: somebody must take ownership of it.',
    pipeline_id: null,
  });
  const { body } = await client.get(one());
  t.is(body.active, true);
  t.is(body.owner, null);
});

// Contract: schedules-7.6
test.serial('a deleted owner leaves the schedule without one', async (t) => {
  const { project, client } = await hourly();
  const maintainer = await app.build.member(project, 'maintainer');
  const { body: theirs } = await create(app.as(maintainer), project, { cron: '0 * * * *' });
  await app.context().query(sql`delete from users where id = ${maintainer.id}`);
  await inAnHour();
  const { body } = await client.get(getPath(project, `/${theirs.id}`));
  t.is(body.owner, null);
  t.is(body.active, true);
  t.is((await getRuns(app, theirs))[0]?.state, 'failed');
});

// Contract: schedules-7.5
test.serial(
  'blocking an owner deactivates their schedules, says so in the runs, and leaves updated_at alone',
  async (t) => {
    const { project, client } = await hourly();
    const maintainer = await app.build.member(project, 'maintainer');
    const { body: theirs } = await create(app.as(maintainer), project, { cron: '0 * * * *' });
    app.clock.advance('1 minute');
    t.is((await app.as(await app.build.admin()).post(`/users/${maintainer.id}/block`)).status, 201);
    const path = getPath(project, `/${theirs.id}`);
    const { body } = await client.get(path);
    t.is(body.active, false);
    t.is(body.updated_at, theirs.updated_at);
    const reason = `The schedule was deactivated, because its owner ${maintainer.username} is blocked.`;
    t.like((await client.get(`${path}/runs`)).body[0], { state: 'skipped', reason });
    await inAnHour();
    t.deepEqual((await client.get(`${path}/pipelines`)).body, []);
  },
);

// Contract: readme-decision-8
test.serial('a blocked owner of a schedule that is active all the same makes the run fail', async (t) => {
  const { project } = await hourly();
  const maintainer = await app.build.member(project, 'maintainer');
  const { body: theirs } = await create(app.as(maintainer), project, { cron: '0 * * * *' });
  await app.context().query(sql`update users set state = 'blocked' where id = ${maintainer.id}`);
  await inAnHour();
  t.is((await getRuns(app, theirs))[0]?.reason, `The owner ${maintainer.username} is blocked.`);
});

// Contract: schedules-7.4
test.serial('an owner who lost the role makes the run fail with that reason', async (t) => {
  const { project } = await hourly();
  const maintainer = await app.build.member(project, 'maintainer');
  const { body: theirs } = await create(app.as(maintainer), project, { cron: '0 * * * *' });
  await app.build.member(project, 'reporter', maintainer);
  await inAnHour();
  const reason = `The owner ${maintainer.username} may not create pipelines in this project: that needs at least the Developer role.`;
  t.like((await getRuns(app, theirs))[0], { state: 'failed', reason });
  await app.build.member(project, 'developer', maintainer);
  await inAnHour();
  const [, second] = await getRuns(app, theirs);
  t.is(second?.reason, `The owner ${maintainer.username} may not run pipelines on the protected branch main.`);
  await app.build.member(project, 'maintainer', maintainer);
  await inAnHour();
  t.is((await getRuns(app, theirs))[2]?.state, 'fired');
});

// Contract: protected-tags-5.6, readme-decision-8
test.serial('a protected tag runs only for owners whom its create rule admits', async (t) => {
  const { project, client } = await hourly();
  await client.post(`/projects/${project.id}/repository/tags`, { tag_name: 'v1', ref: 'main' });
  const developer = await app.build.member(project, 'developer');
  const { body: theirs } = await create(app.as(developer), project, { cron: '0 * * * *', ref: 'v1' });
  await inAnHour();
  await client.post(`/projects/${project.id}/protected_tags`, { name: 'v*' });
  await inAnHour();
  const [first, second] = await getRuns(app, theirs);
  t.is(first?.state, 'fired');
  t.is(second?.reason, `The owner ${developer.username} may not run pipelines on the protected tag v1.`);
  const [pipeline] = (await client.get(getPath(project, `/${theirs.id}/pipelines`))).body;
  t.is(pipeline.ref, 'v1');
});

// Contract: schedules-7.4
test.serial('a ref that is gone makes the run fail, and the schedule stays', async (t) => {
  const { client, project, one, newest } = await hourly({ ref: 'refs/heads/gone' });
  await inAnHour();
  t.like(await newest(), { state: 'failed', reason: 'The branch gone does not exist.' });
  t.is((await client.get(one())).body.active, true);
  await client.post(`/projects/${project.id}/repository/branches`, { branch: 'gone', ref: 'main' });
  await inAnHour();
  t.is((await newest()).state, 'fired');
});

// Contract: schedules-7.9
test.serial(
  'archived projects, projects marked for deletion and projects without pipelines say why they do not run',
  async (t) => {
    for (const [change, state, reason] of [
      [sql`archived = true`, 'skipped', 'The project is archived.'],
      [sql`marked_for_deletion_at = now()`, 'skipped', 'The project is marked for deletion.'],
      [sql`builds_access_level = 'disabled'`, 'failed', 'Pipelines are switched off in this project.'],
    ] as const) {
      const { project, schedule } = await hourly();
      await app.context().query(sql`update projects set ${change} where id = ${project.id}`);
      await inAnHour();
      t.like((await getRuns(app, schedule))[0], { state, reason });
    }
  },
);

// Contract: issue-03.7-project
test.serial('a deleted project takes its schedules and what was claimed of them along', async (t) => {
  const { project, schedule } = await hourly();
  app.clock.advance('1 hour');
  await tickSchedules(app.context());
  await app.context().query(sql`delete from projects where id = ${project.id}`);
  await t.notThrowsAsync(() => app.work());
  t.deepEqual(await getRuns(app, schedule), []);
});

test.serial('the user of a play who is blocked before the job runs gets no pipeline', async (t) => {
  const { project, one, newest } = await hourly();
  const maintainer = await app.build.member(project, 'maintainer');
  await app.as(maintainer).post(one('/play'));
  await app.context().query(sql`update users set state = 'blocked' where id = ${maintainer.id}`);
  await app.work();
  t.like(await newest(), { state: 'failed', by: 'play', reason: `The user ${maintainer.username} is blocked.` });
});

// Contract: schedules-6.5
test.serial('a schedule that no longer validates stops, and its last run says why', async (t) => {
  const { schedule, client, one, newest } = await hourly();
  await app
    .context()
    .query(sql`update pipeline_schedules s set cron_timezone = 'Mars/Base' where s.id = ${schedule.id}`);
  await inAnHour();
  t.like(await newest(), {
    state: 'fired',
    reason: 'The schedule does not run again: its time zone Mars/Base is unknown.',
  });
  t.is((await client.get(one())).body.next_run_at, null);
  await inAnHour();
  t.is((await getRuns(app, schedule)).length, 1);
  t.deepEqual((await client.get(one('/next_runs'))).body, []);
});

// Contract: issue-03.5-runs
test.serial('runs are told newest first, with lateness, and by their state', async (t) => {
  const { client, one, runs, schedule } = await hourly();
  app.clock.set(new Date(Date.parse(schedule.next_run_at) + 2000).toISOString());
  await ring(app);
  await client.post(one('/play'));
  await app.work();
  const all = await runs();
  t.deepEqual(
    all.map((run: { by: string; state: string; lateness_ms: number }) => [run.by, run.state, run.lateness_ms]),
    [
      ['play', 'fired', 0],
      ['cron', 'fired', 2000],
    ],
  );
  t.deepEqual(Object.keys(all[0]), [
    'id',
    'due_at',
    'started_at',
    'lateness_ms',
    'state',
    'outcome',
    'cause',
    'reason',
    'pipeline_id',
    'by',
    'first_job',
    'first_log_at',
  ]);
  t.is((await client.get(one('/runs?state=fired'))).body.length, 2);
  t.deepEqual((await client.get(one('/runs?state=failed'))).body, []);
  t.deepEqual((await client.get(one('/runs?state=late'))).body, { error: 'state does not have a valid value' });
  t.is((await client.get(one('/runs?per_page=1'))).headers.get('x-total'), '2');
});

// Contract: issue-03.5-runs
test.serial('an inactive schedule tells the moment that it let pass, and why', async (t) => {
  const { client, one, runs, schedule } = await hourly();
  await client.put(one(), { active: false });
  t.deepEqual(await runs(), [], 'nothing has passed yet');
  await inAnHour();
  t.deepEqual(await runs(), [
    {
      id: null,
      due_at: schedule.next_run_at,
      started_at: null,
      lateness_ms: null,
      state: 'skipped',
      outcome: 'skipped',
      cause: 'inactive',
      reason: 'The schedule is inactive: it does not run until it is activated.',
      pipeline_id: null,
      by: 'cron',
      first_job: null,
      first_log_at: null,
    },
  ]);
  t.deepEqual((await client.get(one('/runs?state=fired'))).body, []);
  t.regex((await client.get(one('/next_runs?count=1'))).body[0].note, /^The schedule is inactive/);
});

// Contract: issue-03.5-next-runs
test.serial('the next runs are told with local time, offset and what a change of the clock does', async (t) => {
  app.clock.set('2030-03-29T12:00:00.000Z');
  const project = await app.build.project();
  const client = app.as(project.owner);
  const { body } = await create(client, project, { cron: '30 2 * * *', cron_timezone: 'Berlin' });
  const next = async (query = '') => (await client.get(getPath(project, `/${body.id}/next_runs${query}`))).body;
  t.is((await next()).length, 5);
  t.deepEqual(await next('?count=2'), [
    { at: '2030-03-30T01:30:00.000Z', local_time: '2030-03-30T02:30:00', offset: '+01:00', note: null },
    {
      at: '2030-03-31T01:00:00.000Z',
      local_time: '2030-03-31T03:00:00',
      offset: '+02:00',
      note: '02:30 does not exist on 2030-03-31 in Europe/Berlin; runs at 03:00',
    },
  ]);
  t.is((await next('?count=100')).length, 100);
  for (const count of ['0', '101', '-1'])
    t.deepEqual(await next(`?count=${count}`), { error: 'count does not have a valid value' });
  t.deepEqual(await next('?count=x'), { error: 'count is invalid' });
});

test.serial('with a limit of runs a day, ticks, edits and the next runs told keep two runs apart', async (t) => {
  app.clock.set('2031-05-01T00:00:00.000Z');
  await app.set({ ci_daily_pipeline_schedule_triggers: 24 });
  t.teardown(() => app.set({ ci_daily_pipeline_schedule_triggers: 0 }));
  const { client, one, schedule } = await hourly({ cron: '*/10 * * * *' });
  t.is(schedule.next_run_at, '2031-05-01T00:10:00.000Z', 'it never ran');
  const next = async () =>
    (await client.get(one('/next_runs?count=3'))).body.map((run: { at: string }) => run.at.slice(11, 16));
  t.deepEqual(await next(), ['00:10', '01:10', '02:10']);
  app.clock.set('2031-05-01T00:10:00.000Z');
  await ring(app);
  t.is((await client.get(one())).body.next_run_at, '2031-05-01T01:10:00.000Z');
  t.deepEqual(await next(), ['01:10', '02:10', '03:10']);
  const { body } = await client.put(one(), { description: 'Edited' });
  t.is(body.next_run_at, '2031-05-01T01:10:00.000Z');
});

test.serial('a schedule deleted while play is asked for is 404, not an error of ours', async (t) => {
  const { project, schedule } = await hourly();
  const ctx = app.context(new UserCaller(project.owner));
  await app.context().query(sql`delete from pipeline_schedules s where s.id = ${schedule.id}`);
  await t.throwsAsync(
    () => invoke(ctx, playPipelineSchedule, { id: String(project.id), pipeline_schedule_id: String(schedule.id) }),
    { message: '404 Pipeline Schedule Not Found' },
  );
});
