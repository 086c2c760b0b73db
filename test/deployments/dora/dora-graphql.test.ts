import test from 'ava';
import type { Environment } from '../../../shared/deployments/environments/environment.entity.js';
import { useApp } from '../../core/app.js';
import { Delivery } from './dora-steps.js';

const app = useApp(test);
const delivery = new Delivery(app);

async function measured() {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const empty = await app.build.projectIn(group);
  const reporter = await app.build.groupMember(group, 'reporter');
  const production: Environment = await delivery.environment(project);
  await delivery.environment(empty);
  await delivery.row(production, '2021-01-01', { frequency: 1, lead: 3, restore: 5, incidents: 7 });
  await delivery.row(production, '2021-02-27', { frequency: 56, lead: 4 });
  const roots = [`project(fullPath: "${project.full_path}")`, `group(fullPath: "${group.full_path}")`];
  return { group, project, reporter, roots };
}

const of = (root: string, field: string) => `{ root: ${root} { dora { ${field} } } }`;

// Contract: dora-6.dora, dora-6.gaps, dora-6.per-day
test('GraphQL shows metrics of projects and groups, with a point for every date that is asked for', async (t) => {
  const { roots, reporter } = await measured();
  for (const root of roots) {
    const ask = async (field: string) => {
      const { body, text } = await app.as(reporter).graphql(of(root, field));
      t.falsy(body.errors, text);
      return body.data.root.dora.metrics as unknown[];
    };
    const none = { deploymentFrequency: null, leadTimeForChanges: null };
    t.deepEqual(
      await ask(
        'metrics(startDate: "2020-12-31", endDate: "2021-01-02") { date deploymentFrequency leadTimeForChanges }',
      ),
      [
        { date: '2020-12-31', ...none },
        { date: '2021-01-01', deploymentFrequency: 1, leadTimeForChanges: 3 },
        { date: '2021-01-02', ...none },
      ],
    );
    t.deepEqual(await ask('metrics(startDate: "2020-12-31", endDate: "2021-01-02") { changeFailureRate }'), [
      { changeFailureRate: 7 },
    ]);
    const range = 'startDate: "2020-12-31", endDate: "2021-02-28"';
    t.deepEqual(await ask(`metrics(${range}, interval: MONTHLY) { date deploymentFrequency timeToRestoreService }`), [
      { date: '2020-12-01', deploymentFrequency: null, timeToRestoreService: null },
      { date: '2021-01-01', deploymentFrequency: 1 / 31, timeToRestoreService: 5 },
      { date: '2021-02-01', deploymentFrequency: 2, timeToRestoreService: null },
    ]);
    t.deepEqual(await ask(`metrics(${range}, interval: ALL) { date deploymentFrequency leadTimeForChanges }`), [
      { date: null, deploymentFrequency: 57 / 60, leadTimeForChanges: 3.5 },
    ]);
    t.deepEqual(await ask(`metrics(${range}, interval: ALL, environmentTiers: [STAGING]) { deploymentFrequency }`), [
      { deploymentFrequency: null },
    ]);
    t.is((await ask(`metrics(startDate: "2021-01-01", endDate: "2021-06-30") { date }`)).length, 181);
  }
});

// Contract: dora-6.errors
test('bad arguments are errors with the words of REST, and who may not read them has null', async (t) => {
  const { roots, reporter, group } = await measured();
  const guest = await app.build.groupMember(group, 'guest');
  for (const root of roots) {
    const error = async (args: string) =>
      (await app.as(reporter).graphql(of(root, `metrics(${args}) { date }`))).body.errors[0].message as string;
    t.is(
      await error('startDate: "2021-01-02", endDate: "2021-01-01"'),
      'The start date must be earlier than the end date.',
    );
    t.is(await error('startDate: "2021-01-01", endDate: "2021-07-01"'), 'Date range must be shorter than 180 days.');
    const { body } = await app.as(guest).graphql(of(root, 'metrics { date } projects { nodes { name } }'));
    t.deepEqual(body.data.root.dora, { metrics: null, projects: null });
  }
});

// Contract: dora-6.projects
test('the projects of a group are those with data in the range [unverified: in the order of their ids]', async (t) => {
  const { roots, reporter, project } = await measured();
  const ask = async (root: string | undefined, args: string) =>
    (await app.as(reporter).graphql(of(root ?? '', `projects(${args}) { nodes { fullPath } }`))).body.data.root.dora
      .projects as unknown;
  const found = { nodes: [{ fullPath: project.full_path }] };
  t.deepEqual(await ask(roots[1], 'startDate: "2021-01-01", endDate: "2021-01-02"'), found);
  t.deepEqual(await ask(roots[1], 'startDate: "2021-01-02", endDate: "2021-01-03"'), { nodes: [] });
  t.deepEqual(await ask(roots[0], 'startDate: "2021-01-01", endDate: "2021-01-02"'), found);
});
