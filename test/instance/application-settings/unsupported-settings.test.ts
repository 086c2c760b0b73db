import test from 'ava';
import { sql } from 'kysely';
import { applicationSettings, planLimits } from '../../../shared/instance/application-settings/settings.js';
import { unsupportedNames } from '../../../shared/instance/application-settings/unsupported-names.js';
import { unsupportedSettings } from '../../../shared/instance/application-settings/unsupported-settings.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);
const PATH = '/application/settings';

const admin = async () => app.as(await app.build.admin());
const stored = () =>
  app.services.db.query<{ name: string; value: unknown }>(sql`
    select s.name, s.value from instance_settings s order by s.name`);

test.serial.afterEach.always(() => app.services.db.query(sql`delete from instance_settings`));

/** One valid value of each kind, as JSON, and the value read back. */
const VALUES = {
  signup_enabled: false,
  default_projects_limit: 10,
  rsa_key_restriction: -1,
  ci_partitions_size_limit: 107_374_182_400,
  polling_interval_multiplier: 1.25,
  after_sign_up_text: '',
  domain_allowlist: ['example.com', '*.example.org'],
  git_rate_limit_users_alertlist: [1, 2],
  default_branch_protection_defaults: { allow_force_push: false, allowed_to_push: [{ access_level: 40 }] },
  default_snippet_visibility: 'internal',
  restricted_visibility_levels: ['public'],
  email_confirmation_setting: 'hard',
};

// Contract: settings-19
test.serial('settings of the public API without effect are stored, shown and named', async (t) => {
  const as = await admin();
  t.deepEqual((await as.get(PATH)).body.unsupported_settings, []);
  const { status, body } = await as.put(PATH, { ...VALUES, max_artifacts_size: 7 });
  t.is(status, 200, JSON.stringify(body));
  const names = Object.keys(VALUES).sort();
  t.like(body, { ...VALUES, max_artifacts_size: 7 });
  t.deepEqual(body.unsupported_settings, names);
  t.deepEqual((await as.get(PATH)).body, body, 'what was written is what is read');
  const again = await as.put(PATH, body);
  t.is(again.status, 200, 'an answer can be sent back');
  t.deepEqual(again.body, body);
});

// Contract: settings-19
test.serial('forms and queries set them too, and null or an empty value clears them', async (t) => {
  const as = await admin();
  await as.put(`${PATH}?signup_enabled=false&default_projects_limit=5&domain_denylist=a.example,b.example`);
  t.like((await as.get(PATH)).body, {
    signup_enabled: false,
    default_projects_limit: 5,
    domain_denylist: ['a.example', 'b.example'],
  });
  const { body } = await as.put(PATH, { signup_enabled: null, default_projects_limit: '', domain_denylist: null });
  t.deepEqual(body.unsupported_settings, []);
  t.false('signup_enabled' in body);
  t.deepEqual(await stored(), []);
});

// Contract: settings-20
test.serial('a malformed value is 400, names its parameter, and changes nothing', async (t) => {
  const as = await admin();
  const malformed: [Record<string, unknown>, string][] = [
    [{ signup_enabled: 'maybe' }, 'signup_enabled is invalid'],
    [{ default_projects_limit: 'many' }, 'default_projects_limit is invalid'],
    [{ default_projects_limit: 1.5 }, 'default_projects_limit is invalid'],
    [{ polling_interval_multiplier: 'fast' }, 'polling_interval_multiplier is invalid'],
    [{ terms: 'x'.repeat(65_537) }, 'terms is invalid'],
    [{ terms: { a: 1 } }, 'terms is invalid'],
    [{ domain_allowlist: { a: 1 } }, 'domain_allowlist is invalid'],
    [{ domain_allowlist: Array.from({ length: 1001 }, () => 'a') }, 'domain_allowlist is invalid'],
    [{ git_rate_limit_users_alertlist: ['me'] }, 'git_rate_limit_users_alertlist is invalid'],
    [{ sign_in_restrictions: 'none' }, 'sign_in_restrictions is invalid'],
    [{ sign_in_restrictions: [1] }, 'sign_in_restrictions is invalid'],
    [{ sign_in_restrictions: { a: 'x'.repeat(10_001) } }, 'sign_in_restrictions is invalid'],
    [{ default_snippet_visibility: 'secret' }, 'default_snippet_visibility does not have a valid value'],
    [{ email_confirmation_setting: 'often' }, 'email_confirmation_setting does not have a valid value'],
    [{ sign_up_enabled: true }, 'sign_up_enabled is unknown'],
  ];
  for (const [bad, error] of malformed) {
    const { status, body } = await as.put(PATH, { max_artifacts_size: 7, gravatar_enabled: true, ...bad });
    t.is(status, 400, JSON.stringify(bad));
    t.deepEqual(body, { error });
  }
  t.deepEqual(await stored(), []);
});

// Contract: settings-21
test.serial(
  'a secret without effect is encrypted and masked, and the audit log has it without its value',
  async (t) => {
    const caller = await app.build.admin();
    const as = app.as(caller);
    const { body } = await as.put(PATH, { elasticsearch_password: 'hunter2hunter2', signup_enabled: true });
    t.is(body.elasticsearch_password, '********');
    t.deepEqual(body.unsupported_settings, ['elasticsearch_password', 'signup_enabled']);
    t.false(JSON.stringify(await stored()).includes('hunter2'));
    const before = await stored();
    await as.put(PATH, body);
    t.deepEqual(await stored(), before, 'the mask changes nothing');
    await as.put(PATH, { elasticsearch_password: null, signup_enabled: null });
    t.deepEqual(await stored(), []);
    const events = (await as.get('/audit_events')).body;
    const messages = events.map(({ details }: { details: Record<string, unknown> }) => JSON.stringify(details));
    t.true(messages.some((one: string) => one.includes('signup_enabled')));
    t.true(messages.some((one: string) => one.includes('elasticsearch password')));
    t.false(messages.some((one: string) => one.includes('hunter2')));
  },
);

// Contract: settings-19
test('no name is both obeyed and unsupported, and none is listed twice', (t) => {
  const names = Object.values(unsupportedNames).flat();
  t.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
  t.deepEqual(
    Object.keys({ ...applicationSettings, ...planLimits }).filter((name) => name in unsupportedSettings),
    [],
  );
});
