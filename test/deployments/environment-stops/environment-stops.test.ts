import test from 'ava';
import { stopAndRemoveDue } from '../../../shared/deployments/environment-stops/tend-environments.js';
import { useApp } from '../../core/app.js';
import { deployingProject } from '../deploying-project.js';

const app = useApp(test);

const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000).toISOString();

async function setUp() {
  const setup = await deployingProject(app);
  const environments = `${setup.path}/environments`;
  const make = async (name: string, more: Record<string, unknown> = {}) =>
    (await setup.owner.post(environments, { name, ...more })).body as { id: number };
  const state = async ({ id }: { id: number }) => (await setup.owner.get(`${environments}/${id}`)).body.state;
  return { ...setup, environments, make, state };
}

// Contract: environments-1.stop
test.serial('stopping an environment is the same by force, and done twice', async (t) => {
  const { owner, environments, make } = await setUp();
  const { id } = await make('production', { auto_stop_at: '2031-01-01T00:00:00Z' });
  const { status, body } = await owner.post(`${environments}/${id}/stop`, {});
  t.is(status, 200);
  t.like(body, { id, state: 'stopped', auto_stop_at: null });
  t.like(await owner.post(`${environments}/${id}/stop`, { force: true }), { status: 200 });
  t.deepEqual((await owner.post(`${environments}/${id}/stop`, { force: 'x' })).body, { error: 'force is invalid' });
});

// Contract: environments-1.auto-stop
test.serial(
  'an environment whose time is up is stopped by a job, unless it waits for a job that stops it',
  async (t) => {
    const { make, state } = await setUp();
    const soon = new Date(app.clock.now().getTime() + 60_000).toISOString();
    const due = await make('due', { auto_stop_at: soon });
    const waiting = await make('waiting', { auto_stop_at: soon, auto_stop_setting: 'with_action' });
    const never = await make('never');
    await stopAndRemoveDue(app.context());
    t.is(await state(due), 'available');
    app.clock.advance('1 minute');
    await stopAndRemoveDue(app.context());
    await stopAndRemoveDue(app.context());
    t.deepEqual([await state(due), await state(waiting), await state(never)], ['stopped', 'available', 'available']);
  },
);

// Contract: environments-1.stop-stale
test.serial('what was neither changed nor deployed to since a day is stopped', async (t) => {
  const { owner, environments, make, state, deploy } = await setUp();
  const old = await make('old');
  const used = await make('used');
  app.clock.advance('20 days');
  const fresh = await make('fresh');
  await deploy({ environment: 'used' });
  const stale = (before: unknown) => owner.post(`${environments}/stop_stale`, { before });
  const invalid = { message: '400 Bad request - Invalid Date' };
  t.deepEqual((await owner.post(`${environments}/stop_stale`, {})).body, { error: 'before is missing' });
  t.deepEqual((await stale('x')).body, { error: 'before is invalid' });
  t.deepEqual((await stale(daysAgo(6))).body, invalid);
  t.deepEqual((await stale(daysAgo(3660))).body, invalid);
  const { status, body } = await stale(daysAgo(8));
  t.deepEqual([status, body], [200, { message: 'Successfully requested stop for all stale environments' }]);
  await app.work();
  t.deepEqual([await state(old), await state(used), await state(fresh)], ['stopped', 'available', 'available']);
});

// Contract: environments-1.review-apps
test.serial(
  '[unverified] stopped review apps are told by a dry run with 200, and removed a week after 202',
  async (t) => {
    const { owner, environments, make } = await setUp();
    const stopped = await make('review/a');
    const other = await make('staging');
    await make('review/running');
    for (const { id } of [stopped, other]) await owner.post(`${environments}/${id}/stop`, {});
    const remove = (query = '') => owner.delete(`${environments}/review_apps${query}`);
    const none = { scheduled_entries: [], unprocessable_entries: [] };
    t.deepEqual((await remove()).body, none);
    app.clock.advance('31 days');
    const dry = await remove();
    t.is(dry.status, 200);
    t.like(dry.body.scheduled_entries[0], { id: stopped.id, name: 'review/a' });
    t.deepEqual(Object.keys(dry.body.scheduled_entries[0]), [
      'id',
      'name',
      'slug',
      'external_url',
      'created_at',
      'updated_at',
    ]);
    for (const limit of ['0', '1001', 'x'])
      t.deepEqual((await remove(`?limit=${limit}`)).body, { error: 'limit is invalid' });
    const real = await remove('?dry_run=false&limit=1');
    t.deepEqual([real.status, real.body], [202, dry.body]);
    t.deepEqual((await remove()).body, none);
    app.clock.advance('6 days');
    await stopAndRemoveDue(app.context());
    t.is((await owner.get(environments)).body.length, 3);
    app.clock.advance('2 days');
    await stopAndRemoveDue(app.context());
    t.deepEqual(
      (await owner.get(environments)).body.map(({ name }: { name: string }) => name),
      ['staging', 'review/running'],
    );
  },
);

// Contract: environments-1.review-apps
test.serial('only Maintainers remove review apps', async (t) => {
  const { project, environments } = await setUp();
  const as = async (role: 'developer' | 'maintainer') => app.as(await app.build.member(project, role));
  t.is((await (await as('developer')).delete(`${environments}/review_apps`)).status, 403);
  t.is((await (await as('maintainer')).delete(`${environments}/review_apps`)).status, 200);
});
