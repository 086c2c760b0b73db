import test from 'ava';
import { sql } from 'kysely';
import { applicationSettings } from '../../../shared/instance/application-settings/settings.js';
import { TestApp, useApp } from '../../core/app.js';
import { eventually } from '../../core/processes.js';

const app = useApp(test, [], { limitsOn: true });
const DEFAULTS = Object.fromEntries(
  Object.entries(applicationSettings).map(([name, { default: fallback }]) => [name, fallback]),
);
const ANSWER = { ...DEFAULTS, unsupported_settings: [] };

const stored = async () => {
  const rows = await app.services.db.query<{ name: string }>(
    sql`select s.name from instance_settings s order by s.name`,
  );
  return rows.map((row) => row.name);
};

test.serial.afterEach.always(() =>
  app.set({ ...DEFAULTS, ci_pipeline_schedules: 10, ci_daily_pipeline_schedule_triggers: 0 }),
);

// Contract: settings-2
test.serial('an administrator reads every setting with its default', async (t) => {
  const { status, body } = await app.as(await app.build.admin()).get('/application/settings');
  t.is(status, 200);
  t.deepEqual(body, ANSWER);
  t.like(body, {
    plan: 'ultimate',
    offering: 'self-managed',
    deletion_adjourned_period: 7,
    dora_refresh_delay_seconds: 300,
    max_import_size: 0,
    max_import_remote_file_size: 10_240,
    bulk_import_enabled: true,
    max_decompressed_archive_size: 25_600,
    max_artifacts_size: 100,
    receive_max_input_size: 0,
    offset_pagination_limit: 50_000,
    default_project_visibility: 'private',
    default_group_visibility: 'private',
    ci_pipeline_variables_minimum_override_role: 'developer',
    require_personal_access_token_expiry: false,
    monitoring_allowlist: ['127.0.0.0/8', '::1/128'],
    prometheus_metrics_enabled: true,
  });
});

// Contract: limits-3, settings-8
test.serial('the limits have the defaults of the contract', async (t) => {
  const { body } = await app.as(await app.build.admin()).get('/application/settings');
  t.like(body, {
    throttle_authenticated_api_enabled: false,
    throttle_authenticated_api_requests_per_period: 7200,
    throttle_authenticated_api_period_in_seconds: 3600,
    throttle_unauthenticated_api_enabled: false,
    throttle_unauthenticated_api_requests_per_period: 3600,
    throttle_unauthenticated_api_period_in_seconds: 3600,
    sign_in_limit: 10,
    sign_in_address_limit: 100,
    sign_in_account_limit: 100,
    token_guess_limit: 20,
    token_guess_address_limit: 200,
    graphql_requests_at_once_limit: 10,
    notes_create_limit: 300,
    group_export_limit: 6,
    group_download_export_limit: 1,
    group_import_limit: 6,
    project_export_limit: 6,
    project_download_export_limit: 1,
    project_import_limit: 6,
    pipeline_limit_per_project_user_sha: 0,
    members_delete_limit: 0,
    projects_api_limit: 0,
    users_api_limit: 0,
  });
});

// Contract: settings-1
test.serial(
  'settings are for administrators: 401 without a token, 403 for others, before any parameter is looked at',
  async (t) => {
    const user = await app.build.user();
    for (const path of ['/application/settings', '/application/plan_limits']) {
      t.is((await app.anonymous.get(path)).status, 401);
      t.is((await app.anonymous.put(path, { plan: 'gold' })).status, 401);
      t.deepEqual((await app.as(user).get(path)).body, { message: '403 Forbidden' });
      t.is((await app.as(user).put(path, { plan: 'gold' })).status, 403);
    }
  },
);

// Contract: settings-3
test.serial('PUT changes a subset and answers all settings', async (t) => {
  const admin = app.as(await app.build.admin());
  const { status, body } = await admin.put('/application/settings', {
    max_import_size: 50,
    default_project_visibility: 'internal',
    monitoring_allowlist: ['10.0.0.0/8', 'fd00::/8', '192.0.2.7'],
  });
  t.is(status, 200);
  const changed = {
    max_import_size: 50,
    default_project_visibility: 'internal',
    monitoring_allowlist: ['10.0.0.0/8', 'fd00::/8', '192.0.2.7'],
  };
  t.deepEqual(body, { ...ANSWER, ...changed });
  t.deepEqual((await admin.get('/application/settings')).body, { ...ANSWER, ...changed });
});

// Contract: settings-7
test.serial('only what differs from its default is stored', async (t) => {
  const admin = app.as(await app.build.admin());
  await admin.put('/application/settings?max_import_size=50&offset_pagination_limit=50000');
  t.deepEqual(await stored(), ['max_import_size']);
  await admin.put('/application/settings', { max_import_size: '0' });
  t.deepEqual(await stored(), []);
});

// Contract: settings-4, settings-18
test.serial('a bad value is 400, names its parameter, and changes nothing', async (t) => {
  const admin = app.as(await app.build.admin());
  const cases: [Record<string, unknown>, string][] = [
    [{ plan: 'gold' }, 'plan does not have a valid value'],
    [{ offering: 'cloud' }, 'offering does not have a valid value'],
    [{ max_import_size: -1 }, 'max_import_size is invalid'],
    [{ max_import_size: 'many' }, 'max_import_size is invalid'],
    [{ max_import_size: 1.5 }, 'max_import_size is invalid'],
    [{ max_import_size: 2 ** 31 }, 'max_import_size is invalid'],
    [{ max_import_size: null }, 'max_import_size is invalid'],
    [{ max_import_size: '' }, 'max_import_size is invalid'],
    [{ throttle_authenticated_api_period_in_seconds: 0 }, 'throttle_authenticated_api_period_in_seconds is invalid'],
    [{ throttle_authenticated_api_enabled: 'maybe' }, 'throttle_authenticated_api_enabled is invalid'],
    [{ personal_access_token_prefix: 'a b' }, 'personal_access_token_prefix is invalid'],
    [{ compatibility_prefix: 'Git/lab' }, 'compatibility_prefix is invalid'],
    [{ compatibility_prefix: 'x'.repeat(33) }, 'compatibility_prefix is invalid'],
    [{ deploy_token_prefix: 'x'.repeat(21) }, 'deploy_token_prefix is invalid'],
    [{ deploy_token_username_prefix: '' }, 'deploy_token_username_prefix is invalid'],
    [{ deploy_token_username_prefix: 'a b' }, 'deploy_token_username_prefix is invalid'],
    [{ monitoring_allowlist: ['10.0.0.0/8', '10.0.0.0/33'] }, 'monitoring_allowlist is invalid'],
    [{ monitoring_allowlist: ['localhost'] }, 'monitoring_allowlist is invalid'],
    [
      { ci_pipeline_variables_minimum_override_role: 'guest' },
      'ci_pipeline_variables_minimum_override_role does not have a valid value',
    ],
    [{ plan: 'gold', max_import_size: 'x' }, 'plan does not have a valid value, max_import_size is invalid'],
  ];
  for (const [bad, error] of cases) {
    const { status, body } = await admin.put('/application/settings', { max_artifacts_size: 7, ...bad });
    t.is(status, 400, JSON.stringify(bad));
    t.deepEqual(body, { error });
  }
  t.deepEqual(await stored(), []);
  t.deepEqual((await admin.get('/application/settings')).body, ANSWER);
});

// Contract: settings-5
test.serial(
  'the name of no setting is refused as unknown, where other resources ignore unknown parameters',
  async (t) => {
    const admin = app.as(await app.build.admin());
    const { status, body } = await admin.put('/application/settings', { max_artifacts_size: 7, plann: 'free' });
    t.is(status, 400);
    t.deepEqual(body, { error: 'plann is unknown' });
    t.deepEqual(await stored(), []);
  },
);

// Contract: settings-5
test.serial('a token in the query is not taken for a setting', async (t) => {
  const { token } = await app.build.admin();
  t.is((await app.anonymous.put(`/application/settings?private_token=${token}&max_import_size=3`)).status, 200);
});

// Contract: settings-9
test.serial('plan limits are read and changed for the plan called default', async (t) => {
  const admin = app.as(await app.build.admin());
  const defaults = {
    ci_pipeline_schedules: 10,
    ci_daily_pipeline_schedule_triggers: 0,
    ci_max_artifact_size: 0,
    ci_jobs_trace_size_limit: 100,
    ci_pipeline_size: 2000,
    project_ci_variables: 8000,
    group_ci_variables: 30_000,
    ci_instance_level_variables: 25,
    ci_registered_group_runners: 1000,
    ci_registered_project_runners: 1000,
  };
  t.deepEqual((await admin.get('/application/plan_limits')).body, defaults);
  t.deepEqual((await admin.get('/application/plan_limits?plan_name=default')).body, defaults);
  const { status, body } = await admin.put('/application/plan_limits', {
    plan_name: 'default',
    ci_pipeline_schedules: 2,
  });
  t.is(status, 200);
  t.deepEqual(body, { ...defaults, ci_pipeline_schedules: 2 });
  t.deepEqual((await admin.get('/application/plan_limits')).body, body);
});

// Contract: settings-9
test.serial('changing plan limits needs the name of a plan, and whole numbers', async (t) => {
  const admin = app.as(await app.build.admin());
  const answer = async (body: object) => (await admin.put('/application/plan_limits', body)).body;
  t.deepEqual(await answer({ ci_pipeline_schedules: 2 }), {
    error: 'plan_name is missing, plan_name does not have a valid value',
  });
  t.deepEqual(await answer({ plan_name: 'gold' }), { error: 'plan_name does not have a valid value' });
  t.deepEqual(await answer({ plan_name: 'default', ci_pipeline_schedules: -1 }), {
    error: 'ci_pipeline_schedules is invalid',
  });
  t.deepEqual(await answer({ plan_name: 'default', plan: 'free' }), { error: 'plan is unknown' });
  t.is((await admin.get('/application/plan_limits?plan_name=gold')).status, 400);
});

// Contract: settings-6
test.serial('another process follows a change within a second, and reading a setting costs no statement', async (t) => {
  const other = new TestApp([], { beside: app });
  await other.start();
  t.teardown(() => other.stop());
  const admin = await app.build.admin();
  await app.as(admin).put('/application/settings', { max_import_size: 77 });
  const readLimit = async () => (await other.as(admin).get('/application/settings')).body.max_import_size as number;
  t.true(await eventually(async () => (await readLimit()) === 77, 1));
  await app.as(admin).get('/application/plan_limits');
  const before = app.services.db.statements;
  await app.as(admin).get('/application/plan_limits');
  t.is(app.services.db.statements, before);
});

test.serial(
  'what another program changes is followed, also while nothing is heard, and each change costs one statement',
  async (t) => {
    const other = new TestApp([], { beside: app });
    await other.start();
    t.teardown(() => other.stop());
    const store = (value: number) =>
      app.services.db.query(sql`
      insert into instance_settings (name, value, updated_at) values ('max_import_size', ${String(value)}::jsonb, now())
      on conflict (name) do update set value = excluded.value`);
    const storeAndSync = async (value: number) => {
      await store(value);
      await eventually(() => Promise.resolve(other.services.settings.current.max_import_size === value));
    };
    await storeAndSync(41);
    const before = other.services.db.statements;
    for (const value of [42, 43, 44]) await storeAndSync(value);
    t.is(other.services.db.statements, before + 3, 'a change is read once');
    await app.services.db.query(sql`
    select pg_terminate_backend(a.pid) from pg_stat_activity a
     where a.datname = current_database() and a.application_name = 'capstan-listener'`);
    await storeAndSync(45);
    await app.services.db.query(sql`delete from instance_settings`);
  },
);

// Contract: settings-7
test.serial('what a newer version stored, or a value no longer valid, leaves the defaults', async (t) => {
  await app.services.db.query(sql`
    insert into instance_settings (name, value, updated_at)
    values ('of_the_future', '1', ${app.clock.now()}), ('plan', '"gold"', ${app.clock.now()}), ('max_import_size', '9', ${app.clock.now()})`);
  await app.services.settings.refresh();
  const { body } = await app.as(await app.build.admin()).get('/application/settings');
  t.deepEqual(body, { ...ANSWER, max_import_size: 9 });
  await app.services.db.query(sql`delete from instance_settings`);
});
