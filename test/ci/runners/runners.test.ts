import test from 'ava';
import { useApp } from '../../core/app.js';
import { createOwnedRunner, createRunnerAs, RUNNER_KINDS } from './runner-owners.js';

const app = useApp(test);

// Contract: runners.create, runners.record
test('a runner is created with its defaults, and its token is shown once', async (t) => {
  for (const kind of RUNNER_KINDS) {
    const runner = await createOwnedRunner(app, kind);
    t.deepEqual(Object.keys(runner).slice(0, 3), ['id', 'token', 'token_expires_at']);
    t.regex(runner.token, /^glrt-[\w-]{20,}$/);
    const { status, body, text } = await runner.client.get(`/runners/${runner.id}`);
    t.is(status, 200);
    t.false(text.includes(runner.token));
    const { created_by: creator, created_at: createdAt, projects, groups, ...rest } = body;
    t.is(creator.username, runner.owner.username);
    t.is(createdAt, app.clock.now().toISOString());
    t.deepEqual(rest, {
      id: runner.id,
      description: null,
      ip_address: '',
      active: true,
      paused: false,
      is_shared: kind === 'instance',
      runner_type: `${kind}_type`,
      name: null,
      online: null,
      status: 'never_contacted',
      job_execution_status: 'idle',
      tag_list: [],
      run_untagged: true,
      locked: false,
      maximum_timeout: null,
      access_level: 'not_protected',
      version: null,
      revision: null,
      platform: null,
      architecture: null,
      contacted_at: null,
      maintenance_note: null,
    });
    t.deepEqual(
      projects?.map(({ id }: { id: number }) => id),
      kind === 'project' ? [runner.ownerId] : undefined,
    );
    t.deepEqual(
      groups?.map(({ id }: { id: number }) => id),
      kind === 'group' ? [runner.ownerId] : undefined,
    );
  }
});

// Contract: runners.values
test('what a runner is created with has bounds', async (t) => {
  const { owner, id } = await app.build.project({ empty: true });
  const client = app.as(owner);
  const create = async (attributes: Record<string, unknown>) => {
    const { status, body } = await client.post('/user/runners', {
      runner_type: 'project_type',
      project_id: id,
      ...attributes,
    });
    return [status, body.message ?? body.error];
  };
  const untagged = 'can not be empty when runner is not allowed to pick untagged jobs';
  t.deepEqual(await create({ run_untagged: false }), [400, { tags_list: [untagged] }]);
  t.deepEqual(await create({ run_untagged: false, tag_list: ' , ' }), [400, { tags_list: [untagged] }]);
  t.deepEqual(await create({ maximum_timeout: 599 }), [400, { maximum_timeout: ['needs to be at least 10 minutes'] }]);
  t.deepEqual(await create({ maximum_timeout: 2 ** 31 }), [
    400,
    { maximum_timeout: ['must be less than or equal to 2147483647'] },
  ]);
  t.deepEqual(await create({ maintenance_note: 'n'.repeat(1025) }), [
    400,
    { maintenance_note: ['is too long (maximum is 1024 characters)'] },
  ]);
  t.deepEqual(await create({ description: 'd'.repeat(1025) }), [
    400,
    { description: ['is too long (maximum is 1024 characters)'] },
  ]);
  t.is((await create({ tag_list: Array.from({ length: 51 }, (_, index) => `t${index}`) }))[0], 400);
  t.is((await create({ tag_list: ['t'.repeat(256)] }))[0], 400);
  t.deepEqual(await create({ access_level: 'any' }), [400, 'access_level does not have a valid value']);
  t.deepEqual(await create({ group_id: 1 }), [400, 'group_id, project_id are mutually exclusive']);
  t.deepEqual(await create({ project_id: undefined }), [400, 'project_id is missing']);
  t.deepEqual(await create({ project_id: undefined, runner_type: 'group_type' }), [400, 'group_id is missing']);
  t.deepEqual(await create({ runner_type: undefined }), [
    400,
    'runner_type is missing, runner_type does not have a valid value',
  ]);
  const { id: runnerId } = await createRunnerAs(client, {
    runner_type: 'project_type',
    project_id: id,
    tag_list: 'a, b,,a',
    run_untagged: false,
    maximum_timeout: 600,
    access_level: 'ref_protected',
    locked: true,
    paused: true,
    description: 'Builder',
    maintenance_note: 'On the shelf',
  });
  t.like((await client.get(`/runners/${runnerId}`)).body, {
    tag_list: ['a', 'b'],
    run_untagged: false,
    maximum_timeout: 600,
    access_level: 'ref_protected',
    locked: true,
    paused: true,
    active: false,
    description: 'Builder',
    maintenance_note: 'On the shelf',
  });
});

// Contract: runners.update
test('an edit changes what is sent, and needs something to change', async (t) => {
  const { client, id } = await createOwnedRunner(app, 'project', { tag_list: ['a'], maximum_timeout: 700 });
  const path = `/runners/${id}`;
  t.deepEqual(await client.put(path, {}).then(({ status, body }) => [status, body]), [
    400,
    {
      error:
        'description, paused, locked, run_untagged, tag_list, access_level, maximum_timeout, maintenance_note, active are missing, at least one parameter must be provided',
    },
  ]);
  t.like((await client.put(path, { active: false })).body, { active: false, paused: true, tag_list: ['a'] });
  t.is((await client.put(path, { active: true, paused: true })).status, 400);
  t.like((await client.put(path, { run_untagged: false })).body, { run_untagged: false, paused: true });
  t.deepEqual((await client.put(path, { tag_list: [] })).body, {
    message: { tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'] },
  });
  const changes = { tag_list: ['b', 'c'], maximum_timeout: null, description: 'New', paused: false };
  t.like((await client.put(path, changes)).body, { ...changes, run_untagged: false });
});

// Contract: runners.delete, runners.token
test('a new token takes the place of the old one at once, and a deleted runner is gone', async (t) => {
  for (const kind of RUNNER_KINDS) {
    const { client, id, token } = await createOwnedRunner(app, kind);
    const verify = async (value: string) => (await app.anonymous.post('/runners/verify', { token: value })).status;
    t.is(await verify(token), 200);
    // As gitlab-runner sends it.
    t.is((await app.anonymous.with({ 'PRIVATE-TOKEN': token }).post('/runners/verify', { token })).status, 200);
    // As clients send it: JSON that is null.
    const reset = await client.raw(
      'POST',
      `/api/v4/runners/${id}/reset_authentication_token`,
      'null',
      'application/json',
    );
    t.deepEqual([reset.status, Object.keys(reset.body)], [201, ['token', 'token_expires_at']]);
    t.deepEqual([await verify(token), await verify(reset.body.token)], [403, 200]);
    t.is((await client.delete(`/runners/${id}`)).status, 204);
    t.deepEqual([await verify(reset.body.token), (await client.get(`/runners/${id}`)).status], [403, 404]);
    t.deepEqual((await client.delete(`/runners/${id}`)).body, { message: '404 Runner Not Found' });
  }
});

// Contract: runners.status
test.serial('the status of a runner follows its last contact', async (t) => {
  const { client, id, token } = await createOwnedRunner(app, 'project');
  const idle = await createOwnedRunner(app, 'project');
  const read = async () => {
    const { status, online } = (await client.get(`/runners/${id}`)).body;
    const [manager] = (await client.get(`/runners/${id}/managers`)).body;
    return [status, online, manager?.status];
  };
  t.deepEqual(await read(), ['never_contacted', null, undefined]);
  await app.anonymous.post('/runners/verify', { token, system_id: 's_1' });
  t.deepEqual(await read(), ['online', true, 'online']);
  app.clock.advance('2 hours');
  t.deepEqual(await read(), ['online', true, 'online']);
  app.clock.advance('1 minute');
  t.deepEqual(await read(), ['offline', false, 'offline']);
  app.clock.advance('7 days');
  t.deepEqual(await read(), ['stale', false, 'stale']);
  t.is((await idle.client.get(`/runners/${idle.id}`)).body.status, 'stale');
  const listed = async (status: string) =>
    (await client.get(`/runners?status=${status}`)).body.map((runner: { id: number }) => runner.id);
  t.deepEqual([await listed('stale'), await listed('online')], [[id], []]);
});
