import test from 'ava';
import { findDeployToken } from '../../../shared/auth/deploy-tokens/find-deploy-token.js';
import { sql } from 'kysely';
import { TestApp, useApp } from '../../core/app.js';
import type { Client } from '../../core/client.js';
import { KINDS, createContainer, tokenIn } from './containers.js';
import type { CreatedToken } from './containers.js';

const app = useApp(test);
const find = ({ username, token }: Pick<CreatedToken, 'username' | 'token'>, at = app) =>
  findDeployToken(at.services, { username, token });

// Contract: deploy-tokens-4.6.place
test('user name and token together are a caller of their own, by the default user name and by a given one', async (t) => {
  for (const kind of KINDS) {
    const container = await createContainer(app, kind);
    for (const attributes of [{}, { username: 'deployer' }]) {
      const newToken = await tokenIn(app, container, attributes);
      const caller = await find(newToken);
      t.is(caller?.kind, 'deploy_token');
      t.deepEqual([caller?.id, caller?.name], [newToken.id, 'Deploy token Release']);
      t.deepEqual(caller?.container, { kind, id: container.id });
      t.deepEqual(caller?.token, { kind: 'deploy_token', id: newToken.id, scopes: ['read_repository'] });
    }
  }
});

test('the user name of another token, of a user, or of another case is none of this one', async (t) => {
  const container = await createContainer(app, 'project');
  const [newToken, other, third] = [
    await tokenIn(app, container),
    await tokenIn(app, container),
    await tokenIn(app, container, { username: 'deployer' }),
  ];
  const { username, token, id } = newToken;
  const wrong = [
    other.username,
    container.owner.username,
    username.toUpperCase(),
    '',
    'oauth2',
    `${username} `,
    `${id}`,
  ];
  for (const value of [...wrong, 'x'.repeat(10_000), `a\0${username}`])
    t.is(await find({ username: value, token }), null);
  t.is(await find({ username: `service+deploy-token-${third.id}`, token: third.token }), null);
  t.truthy(await find(newToken));
});

test('what is no deploy token, or one that was changed, is unknown', async (t) => {
  const container = await createContainer(app, 'project');
  const { username, token, id } = await tokenIn(app, container);
  const [row] = await app.context().query<{ hex: string; base64: string }>(sql`
    select encode(digest, 'hex') as hex, encode(digest, 'base64') as base64 from deploy_tokens where id = ${id}`);
  const bad = [
    '',
    token.slice(1),
    token.slice(0, -1),
    `${token} `,
    token + token,
    container.owner.token,
    row!.hex,
    row!.base64,
  ];
  for (const value of [...bad, `${token}\0`, 'x'.repeat(1_000_000), '\uD800'])
    t.is(await find({ username, token: value }), null, value.slice(0, 60));
});

test.serial('the default user name is the one of the setting of now', async (t) => {
  const newToken = await tokenIn(app, await createContainer(app, 'group'));
  await app.set({ deploy_token_username_prefix: 'acme' });
  const found = [await find(newToken), await find({ ...newToken, username: `acme+deploy-token-${newToken.id}` })];
  await app.set({ deploy_token_username_prefix: 'service' });
  t.deepEqual(
    found.map((caller) => caller?.id ?? null),
    [null, newToken.id],
  );
});

// Contract: deploy-tokens-4.6.at-once, deploy-tokens-4.5
test.serial('a token is refused by every process as soon as it is revoked, deleted or expired', async (t) => {
  const other = new TestApp([], { beside: app });
  await other.start();
  t.teardown(() => other.stop());
  const container = await createContainer(app, 'project');
  const expires_at = '2030-01-01T01:00:00.000Z';
  const [revoked, deleted, expired] = [
    await tokenIn(app, container),
    await tokenIn(app, container),
    await tokenIn(app, container, { expires_at }),
  ];
  const both = async (newToken: CreatedToken) => [
    (await find(newToken)) !== null,
    (await find(newToken, other)) !== null,
  ];
  for (const newToken of [revoked, deleted, expired]) t.deepEqual(await both(newToken), [true, true]);
  await app.as(container.owner).post(`${container.path}/${revoked.id}/revoke`);
  await app.as(container.owner).delete(`${container.path}/${deleted.id}`);
  app.clock.set('2030-01-01T00:59:59.999Z');
  t.deepEqual(await both(expired), [true, true]);
  app.clock.set(expires_at);
  for (const newToken of [revoked, deleted, expired]) t.deepEqual(await both(newToken), [false, false]);
  app.clock.set('2030-01-01T00:00:00.000Z');
});

// Contract: deploy-tokens-4.6.last-use, deploy-tokens-1.supersets
test.serial('the last use is written once a minute at most, and by nobody who is refused', async (t) => {
  const container = await createContainer(app, 'project');
  const newToken = await tokenIn(app, container);
  const lastUse = async () => (await app.as(container.owner).get(`${container.path}/${newToken.id}`)).body.last_used_at;
  await find({ username: 'another', token: newToken.token });
  t.is(await lastUse(), null);
  await Promise.all([find(newToken), find(newToken), find(newToken)]);
  t.is(await lastUse(), '2030-01-01T00:00:00.000Z');
  app.clock.advance('59 seconds');
  t.is(await app.statementsOf(() => find(newToken)), 1);
  t.is(await lastUse(), '2030-01-01T00:00:00.000Z');
  app.clock.advance('1 second');
  t.is(await app.statementsOf(() => find(newToken)), 2);
  t.is(await lastUse(), '2030-01-01T00:01:00.000Z');
  await app.as(container.owner).post(`${container.path}/${newToken.id}/revoke`);
  app.clock.advance('1 hour');
  t.is(await find(newToken), null);
  t.is(await lastUse(), '2030-01-01T00:01:00.000Z');
  app.clock.set('2030-01-01T00:00:00.000Z');
});

/** Every way to send a token to the API. */
const CARRIERS: [string, (newToken: CreatedToken) => [Client, query: string]][] = [
  ['PRIVATE-TOKEN', ({ token }) => [app.withHeaders({ 'PRIVATE-TOKEN': token }), '']],
  ['Bearer', ({ token }) => [app.withHeaders({ Authorization: `Bearer ${token}` }), '']],
  ['private_token', ({ token }) => [app.anonymous, `?private_token=${token}`]],
  ['access_token', ({ token }) => [app.anonymous, `?access_token=${token}`]],
];
/** Those that count as no credential, whatever they hold (rest-conventions.md section 2). */
const UNREAD: [string, (newToken: CreatedToken) => [Client, query: string]][] = [
  ['DEPLOY-TOKEN', ({ token }) => [app.withHeaders({ 'DEPLOY-TOKEN': token }), '']],
  ['deploy_token', ({ token }) => [app.anonymous, `?deploy_token=${token}`]],
  ['JOB-TOKEN', ({ token }) => [app.withHeaders({ 'JOB-TOKEN': token }), '']],
  [
    'Basic',
    ({ username, token }) => {
      const basic = Buffer.from(`${username}:${token}`).toString('base64');
      return [app.withHeaders({ Authorization: `Basic ${basic}` }), ''];
    },
  ],
];

// Contract: deploy-tokens-4.6.api
test('REST and GraphQL take no deploy token, by any carrier: it is unknown, on its own project and on public ones', async (t) => {
  const unauthorized = [401, { message: '401 Unauthorized' }];
  const container = await createContainer(app, 'project', 'public');
  const newToken = await tokenIn(app, container, { scopes: ['read_repository', 'write_registry'] });
  const paths = [
    '/user',
    '/projects',
    container.path,
    `/projects/${container.id}`,
    `/projects/${container.id}/repository/tree`,
  ];
  for (const [carrier, send] of CARRIERS) {
    const [client, query] = send(newToken);
    for (const path of paths) {
      const { status, body } = await client.get(path + query);
      t.deepEqual([status, body], unauthorized, `${carrier} ${path}`);
    }
    const graphql = await client.raw(
      'POST',
      `/api/graphql${query}`,
      '{"query":"{ currentUser { id } }"}',
      'application/json',
    );
    t.is(graphql.status, 401, carrier);
    t.deepEqual(graphql.body.errors, [{ message: 'Invalid token' }]);
  }
  for (const [carrier, send] of UNREAD) {
    const [client, query] = send(newToken);
    const { status, body } = await client.get(`/user${query}`);
    t.deepEqual([status, body], unauthorized, carrier);
    t.is((await client.post(container.path + query, { name: 'x', scopes: ['read_registry'] })).status, 403, carrier);
  }
});
