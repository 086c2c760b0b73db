import test from 'ava';
import { sql } from 'kysely';
import { rebuildAllDora } from '../../../shared/deployments/dora/rebuild-dora.js';
import { refreshDays } from '../../../shared/deployments/dora/refresh-days.js';
import { useApp } from '../../core/app.js';
import { Delivery } from './dora-steps.js';
import type { StoredRow } from './dora-steps.js';

const app = useApp(test);
const delivery = new Delivery(app);
const HOUR = 3600;

test.serial.before(() => app.set({ dora_refresh_delay_seconds: 0 }));

/** The rows of a project once nothing waits. */
async function rows(project: { id: number }): Promise<Omit<StoredRow, 'environment_id'>[]> {
  await app.work();
  return (await delivery.rows(project)).map(({ environment_id: _id, ...row }) => row);
}

async function setUp() {
  const project = await app.build.project({ empty: true });
  return { project, owner: project.owner, production: await delivery.environment(project) };
}

/** An incident made now. */
async function incident(project: { id: number }, owner: Parameters<typeof app.as>[0], attributes: object = {}) {
  const response = await app.as(owner).post(`/projects/${project.id}/issues`, {
    title: 'Down',
    issue_type: 'incident',
    ...attributes,
  });
  return `/projects/${project.id}/issues/${response.body.iid}`;
}

// Contract: dora-3.deployment_frequency, dora-5.success
test('deployments count on the day, UTC, on which they finished', async (t) => {
  const { project, production } = await setUp();
  for (const at of [
    '2029-05-01T00:00:00Z',
    '2029-05-01T23:59:59.999Z',
    '2029-05-02T00:00:00Z',
    '2028-12-31T23:59:59.999Z',
  ])
    await delivery.deploy(project, production, at);
  t.deepEqual(
    (await rows(project)).map(({ date, frequency }) => [date, frequency]),
    [
      ['2028-12-31', 1],
      ['2029-05-01', 2],
      ['2029-05-02', 1],
    ],
  );
});

// Contract: dora-3.lead_time, dora-interface-2.4.lead_time_for_changes, dora-5.local
test('the lead time is the median of merge to deployment, late links and what is removed included', async (t) => {
  const { project, production } = await setUp();
  const one = await delivery.deploy(project, production, '2029-05-01T10:00:00Z');
  const two = await delivery.deploy(project, production, '2029-05-01T12:00:00Z');
  const lead = async () => (await rows(project)).map((row) => row.lead);
  t.deepEqual(await lead(), [null]);
  const merged = await Promise.all(
    ['2029-05-01T09:00:00Z', '2029-05-01T06:00:00Z', '2029-05-01T02:00:00Z'].map((at) => delivery.merged(project, at)),
  );
  const [first = 0, second = 0, third = 0] = merged;
  await delivery.link(project, production, one, first);
  t.deepEqual(await lead(), [HOUR]);
  await delivery.link(project, production, one, second);
  t.deepEqual(await lead(), [2.5 * HOUR]);
  await delivery.link(project, production, two, third);
  t.deepEqual(await lead(), [4 * HOUR]);
  await delivery.removeMergeRequest(project, third);
  t.deepEqual(await lead(), [2.5 * HOUR]);
  await delivery.removeDeployment(project, production, one);
  t.deepEqual(await lead(), [null]);
});

// Contract: dora-5.local
test('a deployment that is no success any more, or succeeds on another day, leaves its day', async (t) => {
  const { project, production } = await setUp();
  const deployment = await delivery.deploy(project, production, '2029-05-01T10:00:00Z');
  t.is((await rows(project)).length, 1);
  const failed = await delivery.setStatus(project, production, deployment, 'failed', new Date('2029-05-02T10:00:00Z'));
  t.deepEqual(await rows(project), []);
  await delivery.setStatus(project, production, failed, 'success', new Date('2029-05-03T10:00:00Z'));
  t.deepEqual(
    (await rows(project)).map(({ date }) => date),
    ['2029-05-03'],
  );
});

// Contract: dora-3.time_to_restore, dora-3.incidents_count, dora-interface-2.4.time_to_restore_service, dora-5.incidents
test.serial('incidents count where they are opened, and are restored where they are closed', async (t) => {
  const { project, owner } = await setUp();
  const now = app.clock.now().toISOString();
  t.teardown(() => app.clock.set(now));
  app.clock.set('2030-03-01T22:00:00Z');
  const one = await incident(project, owner);
  const two = await incident(project, owner);
  await incident(project, owner, { issue_type: 'issue' });
  const first = { date: '2030-03-01', frequency: 0, lead: null, restore: null, incidents: 2 };
  t.deepEqual(await rows(project), [first]);
  app.clock.set('2030-03-02T01:00:00Z');
  await app.as(owner).put(one, { state_event: 'close' });
  app.clock.set('2030-03-02T02:00:00Z');
  await app.as(owner).put(two, { state_event: 'close' });
  const second = { date: '2030-03-02', frequency: 0, lead: null, restore: 3.5 * HOUR, incidents: 0 };
  t.deepEqual(await rows(project), [first, second]);
  app.clock.set('2030-03-05T02:00:00Z');
  await app.as(owner).put(two, { state_event: 'reopen' });
  t.deepEqual(await rows(project), [first, { ...second, restore: 3 * HOUR }]);
  await app.as(owner).delete(one);
  t.deepEqual(await rows(project), [{ ...first, incidents: 1 }]);
  await app.as(owner).put(two, { issue_type: 'issue' });
  t.deepEqual(await rows(project), []);
  await app.as(owner).put(two, { issue_type: 'incident' });
  t.deepEqual(await rows(project), [{ ...first, incidents: 1 }]);
});

// Contract: dora-4.once, dora-3.other-tiers
test('a project with several environments of production has its incidents once', async (t) => {
  const { project, owner, production } = await setUp();
  const second = await delivery.environment(project);
  const staging = await delivery.environment(project, 'staging');
  await incident(project, owner);
  for (const environment of [production, second, staging]) await delivery.deploy(project, environment, app.clock.now());
  await app.work();
  t.deepEqual(
    (await delivery.rows(project)).map((row) => [row.environment_id, row.incidents]),
    [
      [production.id, 1],
      [second.id, 0],
      [staging.id, null],
    ],
  );
  const day = app.clock.now().toISOString().slice(0, 10);
  const { body } = await app.as(owner).get(`/projects/${project.id}/dora/metrics?metric=change_failure_rate`);
  t.deepEqual(body, [{ date: day, value: 0.5 }]);
});

// Contract: dora-5.no-production, dora-5.local
test('incidents follow the first environment of production as it comes, changes its tier and goes', async (t) => {
  const project = await app.build.project({ empty: true });
  await incident(project, project.owner);
  t.deepEqual(await rows(project), []);
  const staging = await delivery.environment(project, 'staging');
  t.deepEqual(await rows(project), []);
  const production = await delivery.environment(project);
  const at = async () => {
    await app.work();
    return (await delivery.rows(project)).map((row) => row.environment_id);
  };
  t.deepEqual(await at(), [production.id]);
  const promoted = await delivery.retier(project, staging, 'production');
  t.deepEqual(await at(), [staging.id]);
  await delivery.retier(project, promoted, 'staging');
  t.deepEqual(await at(), [production.id]);
  await delivery.removeEnvironment(project, production);
  t.deepEqual(await at(), []);
});

// Contract: dora-5.incidents
test('incidents that go with their author, or to another project, leave their days', async (t) => {
  const { project, owner } = await setUp();
  const author = await app.build.member(project, 'developer');
  await incident(project, author);
  const { project: other } = { project: await app.build.project({ owner, empty: true }) };
  await delivery.environment(other);
  const moving = await incident(project, owner);
  t.deepEqual(
    (await rows(project)).map((row) => row.incidents),
    [2],
  );
  await app.as(owner).post(`${moving}/move`, { to_project_id: other.id });
  t.deepEqual(
    (await rows(other)).map((row) => row.incidents),
    [1],
  );
  // The original stays in its project, closed.
  t.deepEqual(
    (await rows(project)).map((row) => row.restore),
    [0],
  );
  const admin = await app.build.admin();
  await app.as(admin).delete(`/users/${author.id}?hard_delete=true`);
  t.deepEqual(
    (await rows(project)).map((row) => row.incidents),
    [1],
  );
});

const waiting = (project: { id: number }) =>
  app.context().query<{ date: string; version: number; jobs: number; late: boolean }>(sql`
    select r.date::text as "date", r.version as "version",
           (select count(*)::int from pgboss.job j where j.name = 'dora.refresh_day' and j.state = 'created'
              and j.data ->> 'environment_id' = r.environment_id::text and j.data ->> 'date' = r.date::text) as "jobs",
           (select min(j.start_after) from pgboss.job j where j.name = 'dora.refresh_day' and j.state = 'created'
              and j.data ->> 'environment_id' = r.environment_id::text and j.data ->> 'date' = r.date::text)
             >= ${new Date(app.clock.now().getTime() + 300_000)} as "late"
      from dora_refreshes r join environments e on e.id = r.environment_id where e.project_id = ${project.id}
     order by r.date`);

// Contract: dora-5.delay
test.serial('a day waits once however often it is asked for, and incidents do not wait', async (t) => {
  await app.set({ dora_refresh_delay_seconds: 300 });
  t.teardown(() => app.set({ dora_refresh_delay_seconds: 0 }));
  const { project, owner, production } = await setUp();
  const now = app.clock.now();
  for (let count = 0; count < 5; count += 1) await delivery.deploy(project, production, now);
  const date = now.toISOString().slice(0, 10);
  t.deepEqual(await waiting(project), [{ date, version: 5, jobs: 1, late: true }]);
  const { body } = await app
    .as(owner)
    .get(`/projects/${project.id}/dora/explain?metric=deployment_frequency&date=${date}`);
  t.is(body.refresh_pending, true);
  await incident(project, owner);
  await incident(project, owner);
  t.deepEqual(await waiting(project), [{ date, version: 7, jobs: 2, late: false }]);
  t.deepEqual(
    (await rows(project)).map((row) => [row.frequency, row.incidents]),
    [[5, 2]],
  );
  t.deepEqual(await waiting(project), []);
});

// Contract: dora-5.delay
test.serial('what is asked for while a day is computed gets another job', async (t) => {
  const { project, production } = await setUp();
  await delivery.deploy(project, production, '2029-05-01T10:00:00Z');
  const day = { environment_id: production.id, date: '2029-05-01' };
  await app.work();
  await delivery.deploy(project, production, '2029-05-01T11:00:00Z');
  const ctx = app.context();
  let done: Promise<void> | undefined;
  // Deployed by a transaction that is not committed when the day is read.
  await delivery.within(async (open) => {
    await open.query(sql`
      update dora_refreshes set version = version + 1 where environment_id = ${production.id}`);
    done = refreshDays(ctx, [day]);
    while ((await blocked()) === 0);
  });
  await done;
  t.is((await waiting(project)).length, 1);
  t.is((await waiting(project))[0]?.jobs, 2);
  await app.work();
  t.deepEqual(await waiting(project), []);
});

/** How many connections wait for a row. */
async function blocked(): Promise<number> {
  const found = await app.context().query(sql`
    select 1 from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from "dora_refreshes"%'`);
  return found.length;
}

// Contract: dora-5.rebuild
test.serial('a rebuild writes what is missing or wrong, removes what is too much, and leaves the rest', async (t) => {
  const { project, owner, production } = await setUp();
  await delivery.deploy(project, production, '2029-05-01T10:00:00Z');
  await delivery.deploy(project, production, '2029-05-02T10:00:00Z');
  await incident(project, owner);
  const right = await rows(project);
  t.is((await rebuildAllDora(app.context())).changed, 0);
  await app.context().query(sql`
    update dora_daily_metrics set deployment_frequency = 7 where project_id = ${project.id} and date = '2029-05-01'`);
  await app.context().query(sql`
    delete from dora_daily_metrics where project_id = ${project.id} and date = '2029-05-02'`);
  await delivery.row(production, '2029-05-03', { frequency: 1 });
  t.is((await rebuildAllDora(app.context())).changed, 3);
  t.deepEqual(await rows(project), right);
});

// Contract: dora-local.explain
test('a point is explained by what is behind it, as far as the caller sees that', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group, { empty: true });
  const reporter = await app.build.groupMember(group, 'reporter');
  const production = await delivery.environment(project);
  const deployment = await delivery.deploy(project, production, '2029-05-01T10:00:00Z');
  const merged = await delivery.merged(project, '2029-05-01T09:00:00Z');
  await delivery.link(project, production, deployment, merged);
  await app.work();
  for (const path of [`/projects/${project.id}`, `/groups/${group.id}`]) {
    const explain = async (metric: string, date = '2029-05-01') =>
      (await app.as(reporter).get(`${path}/dora/explain?metric=${metric}&date=${date}`)).body;
    const frequency = await explain('deployment_frequency');
    t.like(frequency, { value: 1, arithmetic: 'sum(1) = 1', refresh_pending: false });
    t.is(frequency.rows[0].environment.id, production.id);
    t.like(frequency.deployments, { count: 1, hidden: 0 });
    t.is(frequency.deployments.items[0].id, deployment.id);
    const lead = await explain('lead_time_for_changes');
    t.like(lead, { value: HOUR, arithmetic: `median(${HOUR}) = ${HOUR}` });
    t.like(lead.merge_requests.items[0], { id: merged, deployment_id: deployment.id, lead_time: HOUR });
    t.like(await explain('change_failure_rate'), {
      value: 0,
      arithmetic: '0 / max(1, 1) = 0',
      incidents: { count: 0 },
    });
    t.like(await explain('time_to_restore_service', '2029-05-02'), { value: null, arithmetic: null, rows: [] });
    t.like(await explain('time_to_restore_service', '0000-01-01'), { value: null });
    t.like(await explain('deployment_frequency', '9999-12-31'), { value: null });
    t.regex((await explain('x')).message, /^The metric must be one of/);
  }
  await app.as(project.owner).put(`/projects/${project.id}`, { merge_requests_access_level: 'disabled' });
  const query = 'metric=lead_time_for_changes&date=2029-05-01';
  const { body } = await app.as(reporter).get(`/projects/${project.id}/dora/explain?${query}`);
  t.is(body.value, HOUR);
  t.deepEqual(body.merge_requests, { count: 1, hidden: 1, items: [] });
  t.is(
    (await app.as(reporter).get(`/projects/${project.id}/dora/explain`)).body.error,
    'metric is missing, date is missing',
  );
});
