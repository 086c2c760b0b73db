import test from 'ava';
import { useApp } from '../../core/app.js';
import type { Client } from '../../core/client.js';
import { createOwnedRunner } from './runner-owners.js';

const app = useApp(test);

const INFO = {
  name: 'gitlab-runner',
  version: '18.6.0',
  revision: 'abcdef12',
  platform: 'linux',
  architecture: 'amd64',
  executor: 'shell',
  shell: 'bash',
  features: { variables: true, refspecs: true, cancelable: 'yes' },
  config: { gpus: 'all' },
  labels: { a: 'b' },
};

const TOKEN_CALLS: [string, (client: Client, body: object) => ReturnType<Client['get']>][] = [
  ['verify', (client, body) => client.post('/runners/verify', body)],
  ['reset', (client, body) => client.post('/runners/reset_authentication_token', body)],
  ['delete manager', (client, body) => client.delete('/runners/managers', { system_id: 's_1', ...body })],
  ['delete', (client, body) => client.delete('/runners', body)],
];

// Contract: runners.verify
test('vector 47: an unknown token is 403 wherever a runner sends it', async (t) => {
  for (const [name, send] of TOKEN_CALLS) {
    for (const token of ['glrt-unknown', '', 'x'.repeat(300)]) {
      const { status, body } = await send(app.anonymous, { token });
      t.deepEqual([status, body], [403, { message: '403 Forbidden' }], name);
    }
    t.is((await send(app.withHeaders({ 'RUNNER-TOKEN': 'glrt-unknown' }), {})).status, 403, name);
    t.deepEqual((await send(app.anonymous, {})).body, { error: 'token is missing' }, name);
  }
});

// Contract: runners.verify, runners.managers
test('a runner verifies its token by the body or the header alone, and its program becomes a manager', async (t) => {
  const { client, id, token } = await createOwnedRunner(app, 'project');
  const answer = { id, token, token_expires_at: null };
  const plain = await app.anonymous.post('/runners/verify', { token });
  t.deepEqual([plain.status, plain.body], [200, answer]);
  t.true(plain.headers.get('content-type')?.startsWith('application/json'));
  t.deepEqual((await app.withHeaders({ 'RUNNER-TOKEN': token }).post('/runners/verify')).body, answer);
  t.deepEqual((await client.get(`/runners/${id}/managers`)).body, []);
  const contact = { token, system_id: 's_1', info: INFO, session: { url: 'x' } };
  t.deepEqual((await app.anonymous.post('/runners/verify', contact)).body, answer);
  const [manager] = (await client.get(`/runners/${id}/managers`)).body;
  const now = app.clock.now().toISOString();
  t.deepEqual(manager, {
    id: manager.id,
    system_id: 's_1',
    version: '18.6.0',
    revision: 'abcdef12',
    platform: 'linux',
    architecture: 'amd64',
    created_at: now,
    contacted_at: now,
    ip_address: '127.0.0.1',
    status: 'online',
    job_execution_status: 'idle',
  });
  t.like((await client.get(`/runners/${id}`)).body, {
    version: '18.6.0',
    revision: 'abcdef12',
    platform: 'linux',
    architecture: 'amd64',
    contacted_at: now,
    online: true,
    ip_address: '',
  });
});

// Contract: runners.managers
test.serial('what a program sends of itself is cut, and what is of another type is dropped', async (t) => {
  const { client, id, token } = await createOwnedRunner(app, 'project');
  const verify = (contact: object) => app.anonymous.post('/runners/verify', { token, ...contact });
  const features = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, 1]));
  const info = { version: 'v'.repeat(500), platform: 7, revision: ['x'], features };
  t.is((await verify({ system_id: 's'.repeat(500), info })).status, 200);
  t.is((await verify({ system_id: 's_2', info: 'text' })).status, 400);
  t.is((await verify({ system_id: 's_2' })).status, 200);
  const [second, first] = (await client.get(`/runners/${id}/managers`)).body;
  t.deepEqual([first.system_id.length, first.version.length, first.platform, first.revision], [255, 255, null, null]);
  t.is(second.version, null);
  // What is not sent the next time stays.
  app.clock.advance('1 minute');
  t.is((await verify({ system_id: 's_2', info: { version: '1' } })).status, 200);
  app.clock.advance('1 minute');
  t.is((await verify({ system_id: 's_2' })).status, 200);
  const [again] = (await client.get(`/runners/${id}/managers`)).body;
  t.deepEqual([again.version, again.contacted_at], ['1', app.clock.now().toISOString()]);
});

// Contract: runners.managers
test.serial('a contact is written at most every 40 seconds, and what is new at once', async (t) => {
  const { client, id, token } = await createOwnedRunner(app, 'project');
  const verify = (info: object) => app.anonymous.post('/runners/verify', { token, system_id: 's_1', info });
  await verify(INFO);
  const count = (info: object) => app.statementsOf(() => verify(info));
  const quiet = await count(INFO);
  app.clock.advance('39 seconds');
  t.is(await count(INFO), quiet);
  t.true((await count({ ...INFO, version: '18.7.0' })) > quiet);
  app.clock.advance('40 seconds');
  t.true((await count({ ...INFO, version: '18.7.0' })) > quiet);
  t.is((await client.get(`/runners/${id}`)).body.contacted_at, app.clock.now().toISOString());
});

// Contract: runners.managers
test.serial('a runner has no more than 1,000 new managers in 10 minutes', async (t) => {
  const { id, token } = await createOwnedRunner(app, 'project');
  const now = app.clock.now();
  const systems = Array.from({ length: 1000 }, (_, index) => `s_${index}`);
  const { rowCount } = await app.services.db.pool.query(
    `insert into runner_managers (runner_id, system_id, created_at, updated_at)
     select $1, x, $2, $2 from unnest($3::text[]) x`,
    [id, now, systems],
  );
  t.is(rowCount, 1000);
  const verify = (systemId: string) => app.anonymous.post('/runners/verify', { token, system_id: systemId });
  const refused = await verify('one more');
  t.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '600']);
  t.is((await verify('s_7')).status, 200);
  app.clock.advance('11 minutes');
  t.is((await verify('one more')).status, 200);
});

// Contract: runners.unregister
test('a program removes itself, exchanges the token, and removes the runner, with JSON bodies', async (t) => {
  const { client, id, token } = await createOwnedRunner(app, 'group');
  const verify = async (value: string, systemId?: string) =>
    (await app.anonymous.post('/runners/verify', { token: value, system_id: systemId })).status;
  await verify(token, 's_1');
  t.is((await app.anonymous.delete('/runners/managers', { token, system_id: 's_9' })).status, 404);
  t.is((await app.anonymous.delete('/runners/managers', { token })).status, 400);
  const removed = await app.anonymous.delete('/runners/managers', { token, system_id: 's_1' });
  t.deepEqual([removed.status, removed.text], [204, '']);
  t.deepEqual((await client.get(`/runners/${id}/managers`)).body, []);
  // It comes back with its next contact, also within 40 seconds.
  t.is(await verify(token, 's_1'), 200);
  t.is((await client.get(`/runners/${id}/managers`)).body.length, 1);
  const reset = await app.anonymous.post('/runners/reset_authentication_token', { token });
  t.deepEqual([reset.status, Object.keys(reset.body)], [201, ['token', 'token_expires_at']]);
  t.deepEqual([await verify(token), await verify(reset.body.token)], [403, 200]);
  t.is((await app.anonymous.delete('/runners', { token: reset.body.token })).status, 204);
  t.deepEqual([await verify(reset.body.token), (await client.get(`/runners/${id}`)).status], [403, 404]);
});

// Contract: runners.verify
test.serial('an expired token is refused', async (t) => {
  const { id, token } = await createOwnedRunner(app, 'project');
  const at = new Date(app.clock.now().getTime() + 60_000);
  await app.services.db.pool.query('update runners set token_expires_at = $2 where id = $1', [id, at]);
  const verify = () => app.anonymous.post('/runners/verify', { token });
  t.like((await verify()).body, { token_expires_at: at.toISOString() });
  app.clock.advance('1 minute');
  t.is((await verify()).status, 403);
});

// Contract: runners.discovery
test('there is no router of jobs: 501 for a runner, 403 for anybody else', async (t) => {
  const { token } = await createOwnedRunner(app, 'instance');
  const ask = (value: string) => app.withHeaders({ 'RUNNER-TOKEN': value }).get('/runners/router/discovery');
  t.deepEqual([(await ask(token)).status, (await ask('glrt-unknown')).status], [501, 403]);
});
