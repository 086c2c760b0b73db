import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { KINDS, createContainer, tokenIn } from './containers.js';

const app = useApp(test);
const SEVEN = [
  'read_repository',
  'read_registry',
  'write_registry',
  'read_package_registry',
  'write_package_registry',
  'read_virtual_registry',
  'write_virtual_registry',
];
const NOW = '2030-01-01T00:00:00.000Z';
const ids = (body: { id: number }[]) => body.map(({ id }) => id);

// Contract: interface-2.1.id, interface-2.1.name, interface-2.1.username, interface-2.1.expires_at, interface-2.1.token, interface-2.1.revoked, interface-2.1.expired
// Contract: interface-4.1.project.create, interface-4.1.group.create, deploy-tokens-1.create, deploy-tokens-1.object, deploy-tokens-1.supersets
// Contract: interface-4.1.project.get, interface-4.1.group.get, interface-4.1.project.list, interface-4.1.group.list, deploy-tokens-1.get, deploy-tokens-1.list
test('a token is made with what was given and shown once, then read and listed without the token', async (t) => {
  for (const kind of KINDS) {
    const { owner, path } = await createContainer(app, kind);
    const response = await app.as(owner).post(path, {
      name: 'Release',
      scopes: ['read_registry', 'read_repository'],
      expires_at: '2030-06-01',
      username: 'release.bot+1',
    });
    t.is(response.status, 201);
    const { token, ...record } = response.body;
    const { id: user_id, username, name } = owner;
    t.like(record.created_by, { id: user_id, username, name });
    t.deepEqual(record, {
      id: record.id,
      name: 'Release',
      username: 'release.bot+1',
      expires_at: '2030-06-01T00:00:00.000Z',
      scopes: ['read_repository', 'read_registry'],
      revoked: false,
      expired: false,
      created_at: NOW,
      last_used_at: null,
      created_by: record.created_by,
    });
    t.true(Number.isInteger(record.id));
    t.regex(token, /^gdt-[\w-]{26}$/);
    const read = await app.as(owner).get(`${path}/${record.id}`);
    t.deepEqual([read.status, read.body], [200, record]);
    const listed = await app.as(owner).get(path);
    t.deepEqual([listed.status, listed.body], [200, [record]]);
    for (const { text } of [read, listed]) t.false(text.includes(token));
  }
});

// Contract: interface-2.1.scopes.project, interface-2.1.scopes.group, deploy-tokens-2.scopes, deploy-tokens-2.groups
test('scopes are shown in the fixed order, each once: seven on projects, five on groups', async (t) => {
  for (const kind of KINDS) {
    const { owner, path } = await createContainer(app, kind);
    const all = kind === 'project' ? SEVEN : SEVEN.slice(0, 5);
    const post = (scopes: unknown) => app.as(owner).post(path, { name: 'x', scopes });
    t.deepEqual((await post([...all].reverse())).body.scopes, all);
    t.deepEqual((await post([...all, ...all])).body.scopes, all);
    t.deepEqual((await post('write_registry, read_repository,write_registry')).body.scopes, [
      'read_repository',
      'write_registry',
    ]);
    for (const scope of SEVEN) {
      const { status, body } = await post([scope]);
      if (all.includes(scope)) t.deepEqual([status, body.scopes], [201, [scope]]);
      else t.deepEqual([status, body], [400, { error: 'scopes does not have a valid value' }]);
    }
  }
});

// Contract: deploy-tokens-1.digest
test('the table keeps a digest under the key of the instance, and nothing of the token', async (t) => {
  const { token, id } = await tokenIn(app, await createContainer(app, 'project'));
  const [row] = await app.context().query<{ digest: Buffer; all: string }>(sql`
    select t.digest as "digest", t::text as "all" from deploy_tokens t where t.id = ${id}`);
  t.deepEqual(Buffer.from(row!.digest), app.services.keys.digest(token));
  t.false(row!.all.includes(token.slice(4)));
});

// Contract: interface-4.1.project.delete, interface-4.1.group.delete, deploy-tokens-1.delete, deploy-tokens-4.4, interface-3.2.deploy-token
test('DELETE removes the row: 204 without a body, and 404 from then on', async (t) => {
  for (const kind of KINDS) {
    const container = await createContainer(app, kind);
    const { owner, path } = container;
    const [gone, remaining] = [await tokenIn(app, container), await tokenIn(app, container)];
    const { status, text } = await app.as(owner).delete(`${path}/${gone.id}`);
    t.deepEqual([status, text], [204, '']);
    const missing = { message: '404 Not found' };
    for (const answer of [
      await app.as(owner).get(`${path}/${gone.id}`),
      await app.as(owner).delete(`${path}/${gone.id}`),
      await app.as(owner).post(`${path}/${gone.id}/revoke`),
    ])
      t.deepEqual([answer.status, answer.body], [404, missing]);
    t.deepEqual(ids((await app.as(owner).get(path)).body), [remaining.id]);
    t.deepEqual(await app.context().query(sql`select id from deploy_tokens where id = ${gone.id}`), []);
  }
});

test('a token that is newer than If-Unmodified-Since is not deleted: 412', async (t) => {
  const container = await createContainer(app, 'project');
  const { id } = await tokenIn(app, container);
  const client = app.as(container.owner);
  const before = { 'If-Unmodified-Since': 'Mon, 31 Dec 2029 00:00:00 GMT' };
  const rejection = await client.with(before).delete(`${container.path}/${id}`);
  t.deepEqual([rejection.status, rejection.body], [412, { message: '412 Precondition Failed' }]);
  const after = { 'If-Unmodified-Since': 'Wed, 02 Jan 2030 00:00:00 GMT' };
  t.is((await client.with(after).delete(`${container.path}/${id}`)).status, 204);
});

// Contract: deploy-tokens-1.revoke, deploy-tokens-4.4, interface-2.1.revoked
test('revoking answers the token as revoked, again and again, and nothing takes it back', async (t) => {
  for (const kind of KINDS) {
    const container = await createContainer(app, kind);
    const { owner, path } = container;
    const { id } = await tokenIn(app, container);
    for (const answer of [
      await app.as(owner).post(`${path}/${id}/revoke`),
      await app.as(owner).post(`${path}/${id}/revoke`),
    ]) {
      t.is(answer.status, 201);
      t.like(answer.body, { id, revoked: true, expired: false });
      t.false('token' in answer.body);
    }
    t.is((await app.as(owner).put(`${path}/${id}`, { revoked: false })).status, 405);
    t.true((await app.as(owner).get(`${path}/${id}`)).body.revoked);
  }
});

// Contract: deploy-tokens-1.immutable
test('a token is never edited: PUT and PATCH do not exist', async (t) => {
  const container = await createContainer(app, 'group');
  const { id, name } = await tokenIn(app, container);
  const client = app.as(container.owner);
  t.is((await client.put(`${container.path}/${id}`, { name: 'Other' })).status, 405);
  t.is(
    (await client.raw('PATCH', `/api/v4${container.path}/${id}`, '{"name":"Other"}', 'application/json')).status,
    405,
  );
  t.is((await client.get(`${container.path}/${id}`)).body.name, name);
});

// Contract: deploy-tokens-4.5, interface-2.1.expired, deploy-tokens-2.expires_at
test('a token is expired from the instant on that it names, and a past one from the start', async (t) => {
  const { owner, path } = await createContainer(app, 'project');
  const expiredIn = async (expires_at: string) =>
    (await app.as(owner).post(path, { name: 'x', scopes: ['read_repository'], expires_at })).body.expired;
  t.true(await expiredIn('2029-12-31'));
  t.true(await expiredIn('2030-01-01'));
  t.true(await expiredIn('2030-01-01T00:00:00Z'));
  t.false(await expiredIn('2030-01-01T00:00:00.001Z'));
  t.false(await expiredIn('2030-01-02'));
});

// Contract: deploy-tokens-5.terraform
test('a client that reads by id sees the default user name, scopes as a set, and 404 once the token is gone', async (t) => {
  const { owner, path } = await createContainer(app, 'group');
  const response = await app.as(owner).post(path, { name: 'tf', scopes: ['write_registry', 'read_registry'] });
  const { body } = await app.as(owner).get(`${path}/${response.body.id}`);
  t.is(body.username, `service+deploy-token-${response.body.id}`);
  t.deepEqual(new Set(body.scopes), new Set(['read_registry', 'write_registry']));
  t.is(body.expires_at, null);
  await app.as(owner).delete(`${path}/${response.body.id}`);
  t.is((await app.as(owner).get(`${path}/${response.body.id}`)).status, 404);
});

// Contract: deploy-tokens-5.clients
test('a token is made from a form as from JSON, and a scopes filter of a list is ignored', async (t) => {
  const { owner, path } = await createContainer(app, 'project');
  const form = (text: string) => app.as(owner).raw('POST', `/api/v4${path}`, text, 'application/x-www-form-urlencoded');
  const responses = [
    await form('name=Form&scopes[]=read_registry&scopes[]=read_repository'),
    await form('name=Form&scopes=read_registry,read_repository'),
    await app.as(owner).post(path, { name: 'JSON', scopes: ['read_repository', 'read_registry'] }),
  ];
  for (const { status, body } of responses)
    t.deepEqual([status, body.scopes], [201, ['read_repository', 'read_registry']]);
  const filtered = await app.as(owner).get(`${path}?scopes[]=write_registry`);
  t.is(filtered.body.length, 3);
});
