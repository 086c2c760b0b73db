import test from 'ava';
import { UserCaller } from '../../../shared/core/context/callers.js';
import { sql } from 'kysely';
import { insertToken } from '../../../shared/auth/personal-access-tokens/create-token.js';
import { tickSchedules } from '../../../shared/ci/pipeline-schedules/tick-schedules.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

const schedule = { description: 'x', ref: 'main', cron: '*/10 * * * *' };

// Contract: settings-10
test.serial('a project takes no more pipeline schedules than the plan limit says, and any number at 0', async (t) => {
  const project = await app.build.project();
  const create = () => app.as(project.owner).post(`/projects/${project.id}/pipeline_schedules`, schedule);
  await app.set({ ci_pipeline_schedules: 1 });
  t.is((await create()).status, 201);
  const rejection = await create();
  t.is(rejection.status, 400);
  t.deepEqual(rejection.body, { message: { base: ['Maximum number of ci pipeline schedules (1) exceeded'] } });
  await app.set({ ci_pipeline_schedules: 0 });
  t.is((await create()).status, 201);
  await app.set({ ci_pipeline_schedules: 10 });
});

// Contract: settings-11
test.serial('with a limit of runs a day a tick moves the next run away from the last', async (t) => {
  const { id, project_id, ownedBy } = await app.build.schedule({ cron: '*/10 * * * *' });
  await app.set({ ci_daily_pipeline_schedule_triggers: 24 });
  app.clock.advance('10 minutes');
  await tickSchedules(app.context());
  const nextRun = async () =>
    (await app.as(ownedBy).get(`/projects/${project_id}/pipeline_schedules/${id}`)).body.next_run_at;
  t.is(await nextRun(), '2030-01-01T01:10:00.000Z');
  app.clock.advance('5 minutes');
  await app.as(ownedBy).put(`/projects/${project_id}/pipeline_schedules/${id}`, { cron: '*/15 * * * *' });
  t.is(await nextRun(), '2030-01-01T01:15:00.000Z', 'an edit keeps the distance');
  await app.set({ ci_daily_pipeline_schedule_triggers: 0 });
  await app.as(ownedBy).put(`/projects/${project_id}/pipeline_schedules/${id}`, { cron: '*/20 * * * *' });
  t.is(await nextRun(), '2030-01-01T00:20:00.000Z', 'without a limit it is the next time of the cron');
});

// Contract: settings-12
test.serial('a project that names no visibility takes the default of the instance', async (t) => {
  const user = app.as(await app.build.user());
  t.is((await user.post('/projects', { name: 'one' })).body.visibility, 'private');
  await app.set({ default_project_visibility: 'public' });
  t.is((await user.post('/projects', { name: 'two' })).body.visibility, 'public');
  t.is((await user.post('/projects', { name: 'three', visibility: 'private' })).body.visibility, 'private');
  await app.set({ default_project_visibility: 'private' });
});

// Contract: settings-17
test.serial(
  'a group that names no visibility takes the default of the instance, a subgroup no wider one than its parent',
  async (t) => {
    const user = app.as(await app.build.user());
    await app.set({ default_group_visibility: 'internal' });
    const open = (await user.post('/groups', { name: 'open', path: 'open-default' })).body;
    t.is(open.visibility, 'internal');
    const closed = (await user.post('/groups', { name: 'closed', path: 'closed-default', visibility: 'private' })).body;
    t.is((await user.post('/groups', { name: 'sub', path: 'sub', parent_id: closed.id })).body.visibility, 'private');
    await app.set({ default_group_visibility: 'private', default_project_visibility: 'public' });
    t.is((await user.post('/projects', { name: 'in', namespace_id: closed.id })).body.visibility, 'private');
    await app.set({ default_project_visibility: 'private' });
  },
);

// Contract: settings-13
test.serial('the role that overrides pipeline variables in a new project is the default of the instance', async (t) => {
  const user = app.as(await app.build.user());
  await app.set({ ci_pipeline_variables_minimum_override_role: 'maintainer' });
  const { body } = await user.post('/projects', { name: 'one' });
  t.is(body.ci_pipeline_variables_minimum_override_role, 'maintainer');
  await app.set({ ci_pipeline_variables_minimum_override_role: 'developer' });
});

// Contract: settings-16
test.serial('offset pagination reaches as far as the setting says, and any distance at 0', async (t) => {
  const user = app.as(await app.build.user());
  const page = (number: number) => user.get(`/projects?page=${number}&per_page=20`);
  await app.set({ offset_pagination_limit: 100 });
  t.is((await page(5)).status, 200);
  const rejection = await page(6);
  t.is(rejection.status, 405);
  t.regex(rejection.body.error, /maximum allowed offset of 100 for/);
  await app.set({ offset_pagination_limit: 0 });
  t.is((await page(6)).status, 200);
  await app.set({ offset_pagination_limit: 50_000 });
});

// Contract: settings-14
test.serial('new personal access tokens begin with the prefix of the instance', async (t) => {
  const user = await app.build.user();
  t.regex(user.token, /^pat-[\w-]{20,}$/);
  await app.set({ personal_access_token_prefix: 'acme_' });
  const ctx = app.context(new UserCaller(user));
  const { plain } = await ctx.transaction(() => insertToken(ctx, { user_id: user.id, name: 'x', scopes: ['api'] }));
  t.regex(plain, /^acme_[\w-]{20,}$/);
  t.is((await app.as({ ...user, token: plain }).get('/user')).status, 200);
  t.is((await app.as(user).get('/user')).status, 200, 'tokens of the old prefix stay good');
  await app.set({ personal_access_token_prefix: 'pat-' });
});

// Contract: settings-15
test.serial('where tokens must expire, a new one does so within 365 days', async (t) => {
  const [admin, user] = [app.as(await app.build.admin()), await app.build.user()];
  const create = (expires_at?: string) =>
    admin.post(`/users/${user.id}/personal_access_tokens`, { name: 'x', scopes: ['api'], expires_at });
  t.is((await create()).status, 201);
  await app.set({ require_personal_access_token_expiry: true });
  const rejection = await create();
  t.is(rejection.status, 400);
  t.deepEqual(rejection.body, { message: "Expiration date can't be blank" });
  t.is((await create('2031-01-02')).status, 400);
  t.is((await create('2031-01-01')).status, 201);
  await app.set({ require_personal_access_token_expiry: false });
});

// Contract: settings-7
test.serial('a database that is away leaves the settings as they were', async (t) => {
  await app.set({ max_import_size: 5 });
  await app.services.db.query(sql`alter table instance_settings rename to gone`);
  await app.services.settings.refresh();
  t.is(app.services.settings.current.max_import_size, 5);
  await app.services.db.query(sql`alter table gone rename to instance_settings`);
  await app.set({ max_import_size: 0 });
});
