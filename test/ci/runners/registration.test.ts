import test from 'ava';
import { sql } from 'kysely';
import { digestRegistrationTokens } from '../../../shared/ci/ci.jobs.js';
import { digestOldTokens } from '../../../shared/ci/runners/registration-tokens.js';
import { useApp } from '../../core/app.js';
import type { Client } from '../../core/client.js';
import { RUNNER_KINDS } from './runner-owners.js';
import type { RunnerKind } from './runner-owners.js';

const app = useApp(test);

const INVALID = { message: '403 Forbidden - invalid token supplied' };

/** Who registers runners, and with which token. */
interface Registrar {
  kind: RunnerKind;
  id: number;
  client: Client;
  token: string;
}

const register = (token: string, attributes: object = {}) => app.anonymous.post('/runners', { token, ...attributes });

async function reset(client: Client, path: string): Promise<string> {
  const { status, body, text } = await client.post(`${path}/runners/reset_registration_token`);
  if (status !== 201) throw new Error(text);
  return (body as { token: string }).token;
}

async function buildRegistrar(kind: RunnerKind): Promise<Registrar> {
  if (kind === 'instance') {
    const client = app.as(await app.build.admin());
    return { kind, id: 0, client, token: await reset(client, '') };
  }
  const { id, owner } = await (kind === 'project' ? app.build.project({ empty: true }) : app.build.group());
  const client = app.as(owner);
  return { kind, id, client, token: (await client.get(`/${kind}s/${id}`)).body.runners_token as string };
}

test.beforeEach(() => app.set({ allow_runner_registration_token: true, ci_registered_project_runners: 1000 }));

// Contract: runners.register
test.serial('vector 48: registration is 410 unless the instance allows it', async (t) => {
  const { token } = await buildRegistrar('project');
  await app.set({ allow_runner_registration_token: false });
  for (const sent of [token, 'any']) {
    const { status, body } = await register(sent);
    t.deepEqual([status, body], [410, { message: '410 Gone - runner registration disallowed' }]);
  }
  t.is((await app.anonymous.post('/runners')).status, 400);
});

// Contract: runners.register
test.serial('a token of the instance, a group or a project registers a runner there', async (t) => {
  for (const kind of RUNNER_KINDS) {
    const { id, client, token } = await buildRegistrar(kind);
    // As an unmodified program sends it.
    const sent = {
      description: 'builder-7',
      maintenance_note: 'rack 3',
      info: { name: 'gitlab-runner', version: '17.0.0', features: {} },
      locked: true,
      paused: true,
      run_untagged: false,
      tag_list: 'linux, docker,linux',
      access_level: 'ref_protected',
      maximum_timeout: 1200,
    };
    const { status, body } = await app.withHeaders({ 'PRIVATE-TOKEN': token }).post('/runners', { token, ...sent });
    t.is(status, 201, kind);
    t.deepEqual(Object.keys(body), ['id', 'token', 'token_expires_at']);
    t.regex(body.token, /^glrtr-[\w-]{26}$/);
    const { body: runner } = await client.get(`/runners/${body.id}`);
    t.like(runner, {
      runner_type: `${kind}_type`,
      description: 'builder-7',
      maintenance_note: 'rack 3',
      locked: true,
      paused: true,
      active: false,
      run_untagged: false,
      tag_list: ['linux', 'docker'],
      access_level: 'ref_protected',
      maximum_timeout: 1200,
      created_by: null,
      status: 'never_contacted',
    });
    t.deepEqual(
      runner.projects?.map((one: { id: number }) => one.id),
      kind === 'project' ? [id] : undefined,
    );
    t.deepEqual(
      runner.groups?.map((one: { id: number }) => one.id),
      kind === 'group' ? [id] : undefined,
    );
    const verified = await app.anonymous.post('/runners/verify', { token: body.token });
    t.deepEqual([verified.status, verified.body.id], [200, body.id]);
    const log = kind === 'instance' ? '/audit_events?entity_type=Instance' : `/${kind}s/${id}/audit_events`;
    const [noted] = (await client.get(log)).body;
    t.is(noted.details.custom_message, `Registered ${kind} runner #${body.id} with a registration token`);
    t.false(JSON.stringify(noted).includes(token));
  }
});

// Contract: runners.register, runners.unregister
test.serial('a reset keeps the kind of token that a registered runner has', async (t) => {
  const { client, token } = await buildRegistrar('project');
  const { id, token: first } = (await register(token)).body;
  const own = await app.anonymous.post('/runners/reset_authentication_token', { token: first });
  t.is(own.status, 201);
  t.regex(own.body.token, /^glrtr-[\w-]{26}$/);
  const byUser = await client.post(`/runners/${id}/reset_authentication_token`);
  t.is(byUser.status, 201);
  t.regex(byUser.body.token, /^glrtr-[\w-]{26}$/);
});

// Contract: runners.register
test.serial('what is not sent has defaults; older names are taken; bad values are 400', async (t) => {
  const { client, token } = await buildRegistrar('project');
  const { body } = await register(token, { active: false, maintainer_note: 'old' });
  t.like((await client.get(`/runners/${body.id}`)).body, {
    description: null,
    paused: true,
    locked: false,
    run_untagged: true,
    tag_list: [],
    access_level: 'not_protected',
    maximum_timeout: null,
    maintenance_note: 'old',
  });
  for (const [attributes, error] of [
    [{ active: true, paused: false }, { error: 'active, paused are mutually exclusive' }],
    [{ access_level: 'all' }, { error: 'access_level does not have a valid value' }],
    [{ maximum_timeout: 599 }, { message: { maximum_timeout: ['needs to be at least 10 minutes'] } }],
    [
      { run_untagged: false },
      { message: { tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'] } },
    ],
  ] as const) {
    const refused = await register(token, attributes);
    t.deepEqual([refused.status, refused.body], [400, error]);
  }
  await app.set({ allow_runner_registration_token: true, ci_registered_project_runners: 1 });
  t.is((await register(token)).status, 400);
});

// Contract: runners.register
test.serial('a token that is unknown, of a runner or too long is 403', async (t) => {
  const { token } = await buildRegistrar('project');
  const { token: userToken } = await app.build.admin();
  const runner = (await register(token)).body.token as string;
  for (const sent of [runner, 'unknown', '', 'x'.repeat(300), `${token}x`, userToken]) {
    const { status, body } = await register(sent);
    t.deepEqual([status, body], [403, INVALID]);
  }
});

// Contract: runners.registration-token
test.serial('a reset token is worth nothing at once, and the new one registers', async (t) => {
  for (const kind of RUNNER_KINDS) {
    const { id, client, token } = await buildRegistrar(kind);
    const path = kind === 'instance' ? '' : `/${kind}s/${id}`;
    t.is((await register(token)).status, 201);
    const answer = await client.post(`${path}/runners/reset_registration_token`);
    t.deepEqual([answer.status, Object.keys(answer.body)], [201, ['token', 'token_expires_at']]);
    const renewed = answer.body.token as string;
    t.not(renewed, token);
    t.deepEqual((await register(token)).body, INVALID);
    t.is((await register(renewed)).status, 201);
    if (kind !== 'instance') t.is((await client.get(path)).body.runners_token, renewed);
    const { text } = await client.get(
      kind === 'instance' ? '/audit_events?entity_type=Instance' : `${path}/audit_events`,
    );
    t.true(text.includes('Reset the runner registration token'));
    t.false(text.includes(renewed));
    const stored = await app.context().query(sql`
      select 1 from project_settings s where s::text like ${`%${renewed}%`} union all
      select 1 from group_settings g where g::text like ${`%${renewed}%`} union all
      select 1 from instance_registration_tokens i where i::text like ${`%${renewed}%`}`);
    t.deepEqual(stored, []);
  }
});

// Contract: runners.registration-token
test.serial('administrators, Owners of a group and Maintainers of a project reset tokens, nobody else', async (t) => {
  const [project, group] = [await app.build.project({ empty: true }), await app.build.group()];
  const developer = app.as(await app.build.member(project, 'developer'));
  const maintainer = app.as(await app.build.groupMember(group, 'maintainer'));
  const own = app.as(project.owner);
  const renew = async (client: Client, path: string) =>
    (await client.post(`${path}/runners/reset_registration_token`)).status;
  t.is(await renew(developer, `/projects/${project.id}`), 403);
  t.is(await renew(app.as(await app.build.member(project, 'maintainer')), `/projects/${project.id}`), 201);
  t.is(await renew(maintainer, `/groups/${group.id}`), 403);
  t.false('runners_token' in (await maintainer.get(`/groups/${group.id}`)).body);
  t.is(await renew(own, ''), 403);
  t.is(await renew(app.anonymous, ''), 401);
});

// Contract: runners.register
test.serial('the instance says which containers register runners; those that take nothing new do not', async (t) => {
  const [project, group, instance] = [
    await buildRegistrar('project'),
    await buildRegistrar('group'),
    await buildRegistrar('instance'),
  ];
  const statuses = async () => {
    const answers = [await register(project.token), await register(group.token), await register(instance.token)];
    return answers.map(({ status }) => status);
  };
  for (const [registrars, expected] of [
    [['project'], [201, 403, 201]],
    [['group'], [403, 201, 201]],
    [[], [403, 403, 201]],
    [
      ['project', 'group'],
      [201, 201, 201],
    ],
  ] as const) {
    await instance.client.put('/application/settings', { valid_runner_registrars: registrars });
    t.deepEqual(await statuses(), [...expected], registrars.join(' '));
  }
  await project.client.post(`/projects/${project.id}/archive`);
  await group.client.delete(`/groups/${group.id}`);
  t.deepEqual(await statuses(), [403, 403, 201]);
});

// Contract: runners.registration-token
test.serial('tokens that are older than their digests are found once these are made', async (t) => {
  const registrars = [await buildRegistrar('project'), await buildRegistrar('group')];
  const unreadable = await buildRegistrar('group');
  const ctx = app.context();
  await ctx.query(sql`update project_settings set runners_token_digest = null`);
  await ctx.query(sql`update group_settings set runners_token_digest = null`);
  await ctx.query(sql`update group_settings set runners_token = 'x' where namespace_id = ${unreadable.id}`);
  for (const { token } of registrars) t.is((await register(token)).status, 403);
  await app.services.jobs.send(digestRegistrationTokens, {});
  await app.work();
  for (const { token } of registrars) t.is((await register(token)).status, 201);
  // What has no token, or one that cannot be read, is not counted as digested.
  const { id } = await app.build.project({ empty: true });
  await ctx.query(
    sql`update project_settings set runners_token = null, runners_token_digest = null where project_id = ${id}`,
  );
  t.is(await digestOldTokens(ctx), 0);
});
