import test from 'ava';
import { GroupDORA4Metrics, ProjectDORA4Metrics } from '@gitbeaker/rest';
import { sql } from 'kysely';
import type { Environment } from '../../../shared/deployments/environments/environment.entity.js';
import type { ProjectRecord } from '../../../shared/tenancy/projects/project.entity.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { Delivery } from './dora-steps.js';

const app = useApp(test);
const delivery = new Delivery(app);

const DENIED = { message: 'You do not have permission to access dora metrics.' };
const RANGE = 'start_date=2021-01-01&end_date=2021-01-03';

interface Measured {
  project: ProjectRecord & { owner: BuiltUser };
  group: { id: number; full_path: string };
  reporter: BuiltUser;
  production: Environment;
  staging: Environment;
}

/** The rows of dora.md section 7. */
async function measured(): Promise<Measured> {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const reporter = await app.build.groupMember(group, 'reporter');
  const production = await delivery.environment(project);
  const staging = await delivery.environment(project, 'staging');
  await delivery.row(production, '2021-01-01', { frequency: 1, lead: 3, restore: 5, incidents: 7 });
  await delivery.row(production, '2021-01-02', { frequency: 2, lead: 4, restore: 6, incidents: 8 });
  await delivery.row(staging, '2021-01-02', { frequency: 100, lead: 200 });
  return { project, group, reporter, production, staging };
}

const get = async (user: BuiltUser, path: string, query: string) =>
  await app.as(user).get(`${path}/dora/metrics?${query}`);

const values = async (user: BuiltUser, path: string, query: string): Promise<unknown[]> => {
  const { status, body } = await get(user, path, `${RANGE}&${query}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return (body as { value: unknown }[]).map(({ value }) => value);
};

const getPaths = ({ project, group }: Measured) => [`/projects/${project.id}`, `/groups/${group.id}`];

// Contract: dora-interface-2.4.point, dora-interface-4.4.project, dora-interface-4.4.group, dora-1.paging, dora-4.daily
// Contract: dora-7.deployment_frequency, dora-7.deployment_frequency.tiers, dora-7.deployment_frequency.all
// Contract: dora-7.lead_time, dora-7.lead_time.all, dora-7.restore, dora-7.restore.all, dora-7.rate, dora-7.rate.all
// Contract: dora-interface-2.4.deployment_frequency, dora-interface-2.4.change_failure_rate, dora-interface-2.4.medians, dora-1.tiers
test('a project and its group have the values of their rows', async (t) => {
  const setup = await measured();
  for (const path of getPaths(setup)) {
    const ask = (query: string) => values(setup.reporter, path, query);
    const { body, headers } = await get(setup.reporter, path, `${RANGE}&metric=deployment_frequency`);
    t.deepEqual(body, [
      { date: '2021-01-01', value: 1 },
      { date: '2021-01-02', value: 2 },
    ]);
    t.is(headers.get('x-total'), null);
    t.is(headers.get('link'), null);
    const both = 'environment_tiers[]=production&environment_tiers[]=staging';
    t.deepEqual(await ask(`metric=deployment_frequency&${both}`), [1, 102]);
    t.deepEqual(await ask('metric=deployment_frequency&interval=all'), [3]);
    t.deepEqual(await ask('metric=lead_time_for_changes'), [3, 4]);
    t.deepEqual(await ask('metric=lead_time_for_changes&interval=all'), [3.5]);
    t.deepEqual(await ask('metric=time_to_restore_service'), [5, 6]);
    t.deepEqual(await ask('metric=time_to_restore_service&interval=all'), [5.5]);
    t.deepEqual(await ask('metric=change_failure_rate'), [7, 4]);
    t.deepEqual(await ask('metric=change_failure_rate&interval=all'), [5]);
  }
});

// Contract: dora-4.monthly, dora-4.all, dora-4.no-division, dora-4.nulls, dora-4.rate
test('months have the date of their first day, all of a range none, and what has no data is null', async (t) => {
  const setup = await measured();
  const { production, staging, reporter } = setup;
  await delivery.row(production, '2021-02-28', { frequency: 4, incidents: 0 });
  await delivery.row(production, '2021-03-01', { frequency: 0, incidents: 2 });
  await delivery.row(staging, '2021-04-01', { frequency: 3 });
  for (const path of getPaths(setup)) {
    const ask = async (query: string) =>
      (await get(reporter, path, `start_date=2021-01-02&end_date=2021-05-01&${query}`)).body;
    t.deepEqual(await ask('metric=deployment_frequency&interval=monthly'), [
      { date: '2021-01-01', value: 2 },
      { date: '2021-02-01', value: 4 },
      { date: '2021-03-01', value: 0 },
    ]);
    t.deepEqual(await ask('metric=deployment_frequency&interval=all'), [{ date: null, value: 6 }]);
    t.deepEqual(await ask('metric=lead_time_for_changes'), [
      { date: '2021-01-02', value: 4 },
      { date: '2021-02-28', value: null },
      { date: '2021-03-01', value: null },
    ]);
    t.deepEqual(await ask('metric=change_failure_rate&interval=monthly'), [
      { date: '2021-01-01', value: 4 },
      { date: '2021-02-01', value: 0 },
      { date: '2021-03-01', value: 2 },
    ]);
    t.deepEqual(await ask('metric=change_failure_rate&environment_tiers[]=staging&interval=all'), [
      { date: null, value: null },
    ]);
    t.deepEqual(await ask('metric=deployment_frequency&environment_tiers[]=other&interval=all'), [
      { date: null, value: null },
    ]);
    t.deepEqual(await ask('metric=deployment_frequency&environment_tiers[]=other'), []);
  }
});

// Contract: dora-1.defaults, dora-interface-4.4.params
test('unless told the range is the last three months of the calendar, both ends in it, of production by day', async (t) => {
  const { project, production, staging, reporter } = await measured();
  const now = app.clock.now();
  t.teardown(() => app.clock.set(now.toISOString()));
  app.clock.set('2023-05-31T23:30:00Z');
  await delivery.row(production, '2023-02-27', { frequency: 1 });
  await delivery.row(production, '2023-02-28', { frequency: 2 });
  await delivery.row(production, '2023-05-31', { frequency: 3 });
  await delivery.row(production, '2023-06-01', { frequency: 4 });
  await delivery.row(staging, '2023-05-30', { frequency: 5 });
  const { body } = await get(reporter, `/projects/${project.id}`, 'metric=deployment_frequency');
  t.deepEqual(body, [
    { date: '2023-02-28', value: 2 },
    { date: '2023-05-31', value: 3 },
  ]);
});

const range = 'Date range must be shorter than 180 days.';
const earlier = 'The start date must be earlier than the end date.';
const interval = 'The interval must be one of all,monthly,daily.';
const metric =
  'The metric must be one of deployment_frequency,lead_time_for_changes,time_to_restore_service,change_failure_rate.';
const tier = 'The environment tiers must be from production, staging, testing, development, other.';

// Contract: dora-2.metric-missing, dora-2.date-invalid, dora-2.range, dora-2.order-of-dates, dora-2.interval
// Contract: dora-2.metric, dora-2.tier, dora-2.order
test('what is wrong is told in the order of the contract', async (t) => {
  const setup = await measured();
  const bad = 'metric=x&interval=x&environment_tiers[]=x';
  const cases: [string, object][] = [
    ['start_date=2021-01-01', { error: 'metric is missing' }],
    [`${bad}&start_date=x`, { error: 'start_date is invalid' }],
    [`${bad}&start_date=2021-02-29`, { error: 'start_date is invalid' }],
    [`${bad}&end_date=2021-13-01`, { error: 'end_date is invalid' }],
    [`${bad}&start_date=2021-01-01&end_date=2021-07-01`, { message: range }],
    [`${bad}&start_date=0000-01-01`, { message: range }],
    [`${bad}&end_date=9999-12-31`, { message: range }],
    [`${bad}&start_date=2021-01-01&end_date=2021-01-01`, { message: earlier }],
    [`${bad}&start_date=2021-01-02&end_date=2021-01-01`, { message: earlier }],
    [`${bad}&${RANGE}`, { message: interval }],
    [`metric=x&environment_tiers[]=x&${RANGE}`, { message: metric }],
    [`metric=&${RANGE}`, { message: metric }],
    [`metric=deployment_frequency&environment_tiers[]=production&environment_tiers[]=x&${RANGE}`, { message: tier }],
    [`metric=deployment_frequency&environment_tiers[]=&${RANGE}`, { message: tier }],
    [`metric=deployment_frequency&environment_tiers[]=Production&${RANGE}`, { message: tier }],
  ];
  for (const path of getPaths(setup))
    for (const [query, body] of cases) {
      const rejection = await get(setup.reporter, path, query);
      t.is(rejection.status, 400, query);
      t.deepEqual(rejection.body, body, query);
    }
});

// Contract: dora-2.range
test('180 days, leap days and the ends of the calendar are days like others', async (t) => {
  const { project, reporter, production } = await measured();
  await delivery.row(production, '2020-02-29', { frequency: 9 });
  const path = `/projects/${project.id}`;
  const count = async (start: string, end: string) => {
    const query = `metric=deployment_frequency&start_date=${start}&end_date=${end}`;
    const { status, body } = await get(reporter, path, query);
    t.is(status, 200, query);
    return (body as unknown[]).length;
  };
  t.is(await count('2021-01-01', '2021-06-30'), 2);
  t.is(await count('2020-02-29', '2020-03-01'), 1);
  t.is(await count('2020-12-31', '2021-01-01'), 1);
  t.is(await count('0000-01-01', '0000-01-02'), 0);
  t.is(await count('9999-12-30', '9999-12-31'), 0);
});

// Contract: dora-1.tiers
test('tiers as one text, with commas, doubled, empty or a thousand times are understood [unverified: lenient]', async (t) => {
  const { project, reporter } = await measured();
  const ask = (query: string) => values(reporter, `/projects/${project.id}`, `metric=deployment_frequency&${query}`);
  t.deepEqual(await ask('environment_tiers=production'), [1, 2]);
  t.deepEqual(await ask('environment_tiers=production,staging'), [1, 102]);
  t.deepEqual(await ask('environment_tiers='), [1, 2]);
  t.deepEqual(await ask('environment_tiers[]=staging&environment_tiers[]=staging'), [100]);
  const many = Array.from({ length: 400 }, () => 'environment_tiers[]=staging').join('&');
  t.deepEqual(await ask(many), [100]);
});

// Contract: dora-1.role, dora-2.invisible, dora-2.permission, dora-7.guest
test('Reporters read metrics; others are told 401, and 404 of what they do not see', async (t) => {
  const setup = await measured();
  const { group, project } = setup;
  const outsider = await app.build.user();
  const query = 'metric=x';
  for (const [kind, base] of [
    ['Group', `/groups/${group.id}`],
    ['Project', `/projects/${project.id}`],
  ] as const) {
    const guest = await app.build.groupMember(group, 'guest');
    for (const path of ['dora/metrics?metric=x&start_date=2000-01-01', 'dora/explain?metric=x&date=2021-01-01']) {
      const rejection = await app.as(guest).get(`${base}/${path}`);
      t.is(rejection.status, 401);
      t.deepEqual(rejection.body, DENIED);
    }
    for (const client of [app.as(outsider), app.anonymous]) {
      const hidden = await client.get(`${base}/dora/metrics?${query}`);
      t.is(hidden.status, 404);
      t.deepEqual(hidden.body, { message: `404 ${kind} Not Found` });
      t.is((await client.get(`${base}/dora/metrics`)).status, 400);
    }
  }
  const open = await app.build.project({ visibility: 'public' });
  for (const client of [app.as(outsider), app.anonymous]) {
    const rejection = await client.get(`/projects/${open.id}/dora/metrics?${query}`);
    t.is(rejection.status, 401);
    t.deepEqual(rejection.body, DENIED);
  }
});

// Contract: dora-2.plan
test.serial('without the plan everybody is told the same 401', async (t) => {
  const { project, reporter } = await measured();
  await app.set({ plan: 'premium' });
  t.teardown(() => app.set({ plan: 'ultimate' }));
  const rejection = await get(reporter, `/projects/${project.id}`, 'metric=deployment_frequency');
  t.is(rejection.status, 401);
  t.deepEqual(rejection.body, DENIED);
});

// Contract: dora-4.group, dora-4.stopped
test('a group has what lies in it and below it, stopped and archived too, and not what is shared with it', async (t) => {
  const { group, project, reporter, production } = await measured();
  const below = await app.build.projectIn(
    await app.build.group({ parent: { ...group, owner: project.owner } as never }),
  );
  const other = await app.build.project();
  const shared = await app
    .as(other.owner)
    .post(`/projects/${other.id}/share`, { group_id: group.id, group_access: 30 });
  t.not(shared.status, 500);
  await delivery.row(await delivery.environment(below), '2021-01-01', { frequency: 10, lead: 5 });
  await delivery.row(await delivery.environment(other), '2021-01-01', { frequency: 1000 });
  await app.context().query(sql`update environments set state = 'stopped' where id = ${production.id}`);
  await app.as(project.owner).post(`/projects/${below.id}/archive`);
  t.deepEqual(await values(reporter, `/groups/${group.id}`, 'metric=deployment_frequency'), [11, 2]);
  t.deepEqual(await values(reporter, `/groups/${group.id}`, 'metric=lead_time_for_changes'), [4, 4]);
});

// Contract: dora-local.metrics, dora-local.csv
test('several metrics come in one call, and any as a table', async (t) => {
  const setup = await measured();
  for (const path of getPaths(setup)) {
    const several = `${RANGE}&metrics[]=deployment_frequency&metrics[]=change_failure_rate`;
    t.deepEqual((await get(setup.reporter, path, several)).body, [
      { date: '2021-01-01', deployment_frequency: 1, change_failure_rate: 7 },
      { date: '2021-01-02', deployment_frequency: 2, change_failure_rate: 4 },
    ]);
    const table = await get(setup.reporter, path, `${several}&format=csv`);
    t.is(table.headers.get('content-type'), 'text/csv; charset=utf-8');
    t.is(table.text, 'date,deployment_frequency,change_failure_rate\n2021-01-01,1,7\n2021-01-02,2,4\n');
    const one = await get(setup.reporter, path, `${RANGE}&metric=lead_time_for_changes&interval=all&format=csv`);
    t.is(one.text, 'date,value\n,3.5\n');
    t.deepEqual((await get(setup.reporter, path, `${several}&metrics[]=x`)).body, { message: metric });
  }
});

// Contract: dora-gitbeaker
test('@gitbeaker/rest reads the metrics of projects and groups', async (t) => {
  const { project, group, reporter } = await measured();
  const options = { host: app.url, token: reporter.token };
  const variables = { startDate: '2021-01-01', endDate: '2021-01-03', environmentTiers: ['production'] };
  const points = [
    { date: '2021-01-01', value: 1 },
    { date: '2021-01-02', value: 2 },
  ];
  const ofProject = new ProjectDORA4Metrics(options);
  t.deepEqual(await ofProject.all(project.id, 'deployment_frequency', variables as never), points as never);
  const ofGroup = new GroupDORA4Metrics(options);
  t.deepEqual(await ofGroup.all(group.id, 'deployment_frequency', variables as never), points as never);
});

// Contract: dora-1.analytics
test('a project whose analytics are switched off has no metrics for anybody, a private one only for its members', async (t) => {
  const { project, reporter } = await measured();
  const owner = app.as(project.owner);
  const admin = await app.build.admin();
  const query = `metric=deployment_frequency&${RANGE}`;
  const metricsStatus = async (user: BuiltUser) => {
    const { status } = await get(user, `/projects/${project.id}`, query);
    const { body } = await app.as(user).graphql(`{ project(fullPath: "${project.full_path}") {
      dora { metrics(startDate: "2021-01-01", endDate: "2021-01-03") { date } } } }`);
    const inGraphql = (body.data?.project?.dora?.metrics ?? null) !== null;
    t.is(inGraphql, status === 200);
    return status;
  };
  for (const [level, status] of [
    ['enabled', 200],
    ['private', 200],
    ['disabled', 401],
  ] as const) {
    t.is((await owner.put(`/projects/${project.id}`, { analytics_access_level: level })).status, 200);
    for (const user of [reporter, project.owner, admin]) t.is(await metricsStatus(user), status, level);
  }
  t.is(
    (await app.as(reporter).get(`/projects/${project.id}/dora/explain?metric=deployment_frequency&date=2021-01-01`))
      .status,
    401,
  );
});
