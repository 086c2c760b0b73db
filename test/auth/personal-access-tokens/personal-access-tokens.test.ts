import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import type { Answer } from '../../core/client.js';
import { queryOne } from '../../core/query-one.js';

const app = useApp(test);

const names = (answer: Answer) => (answer.body as { name: string }[]).map((token) => token.name);
const create = (admin: BuiltUser, user: BuiltUser, attributes: Record<string, unknown> = {}) =>
  app.as(admin).post(`/users/${user.id}/personal_access_tokens`, { name: 'robot', scopes: ['api'], ...attributes });
const pair = () => Promise.all([app.build.user(), app.build.admin()]);

// Contract: core-2.create, core-2.record
test('an administrator creates a token for a user, and it opens the API as that user', async (t) => {
  const [user, admin] = await pair();
  const { status, body } = await create(admin, user, {
    description: 'Nightly',
    scopes: ['read_api', 'read_user', 'read_api'],
    expires_at: '2030-06-01',
  });
  t.is(status, 201);
  const { token, id, ...record } = body;
  t.deepEqual(record, {
    name: 'robot',
    description: 'Nightly',
    revoked: false,
    created_at: '2030-01-01T00:00:00.000Z',
    scopes: ['read_api', 'read_user'],
    user_id: user.id,
    last_used_at: null,
    active: true,
    expires_at: '2030-06-01',
  });
  t.regex(token, /^pat-[\w-]{26}$/);
  t.is((await app.as({ ...user, token }).get('/user')).body.id, user.id);
  t.false('token' in (await app.as(admin).get(`/personal_access_tokens/${id}`)).body);
});

// Contract: core-2.record
test('a token is stored as a digest only', async (t) => {
  const [user, admin] = await pair();
  const { body } = await create(admin, user);
  const row = await queryOne<{ text: string }>(
    app.context(),
    sql`select to_jsonb(p)::text as text from personal_access_tokens p where p.id = ${body.id}`,
  );
  t.false(row?.text.includes(body.token.slice(4)));
});

// Contract: core-2.create
test('only administrators create tokens for users', async (t) => {
  const [user] = await pair();
  t.is((await create(user, user)).status, 403);
  t.is((await app.anonymous.post(`/users/${user.id}/personal_access_tokens`, {})).status, 401);
});

// Contract: core-2.create.values
test('a token needs a name and scopes from the list', async (t) => {
  const [user, admin] = await pair();
  const answers = [
    await app.as(admin).post(`/users/${user.id}/personal_access_tokens`, {}),
    await create(admin, user, { scopes: ['root'] }),
    await create(admin, user, { scopes: [] }),
    await create(admin, user, { name: ' ' }),
    await app.as(admin).post('/users/99999999/personal_access_tokens', { name: 'x', scopes: ['api'] }),
  ];
  t.deepEqual(
    answers.map(({ status, body }) => [status, body]),
    [
      [400, { error: 'name is missing, scopes is missing, scopes does not have a valid value' }],
      [400, { error: 'scopes does not have a valid value' }],
      [422, { message: "Scopes can't be blank" }],
      [422, { message: "Name can't be blank" }],
      [404, { message: '404 User Not Found' }],
    ],
  );
});

// Contract: core-2.expiry
test('a token lives at most 365 days, also while the instance asks for no expiry [unverified]', async (t) => {
  const [user, admin] = await pair();
  t.is((await create(admin, user, { expires_at: '2031-01-01' })).status, 201);
  const late = await create(admin, user, { expires_at: '2031-01-02' });
  t.is(late.status, 400);
  t.deepEqual(late.body, { message: 'Expiration date must be on or before 2031-01-01' });
  t.is((await create(admin, user, { expires_at: '2029-12-31' })).status, 400);
  t.is((await create(admin, user)).body.expires_at, null);
  t.deepEqual((await create(admin, user, { expires_at: '2030-02-30' })).body, { error: 'expires_at is invalid' });
});

// Contract: core-2.list
test('users list their own tokens, administrators those of everybody or of one user', async (t) => {
  const [user, admin] = await pair();
  await create(admin, user);
  t.deepEqual(names(await app.as(user).get('/personal_access_tokens')), ['test', 'robot']);
  t.deepEqual(names(await app.as(user).get(`/personal_access_tokens?user_id=${user.id}`)), ['test', 'robot']);
  t.deepEqual(names(await app.as(admin).get(`/personal_access_tokens?user_id=${user.id}`)), ['test', 'robot']);
  const all = await app.as(admin).get('/personal_access_tokens?per_page=100');
  t.true(new Set(all.body.map((token: { user_id: number }) => token.user_id)).size > 1);
  t.is((await app.anonymous.get('/personal_access_tokens')).status, 401);
});

// Contract: core-2.list.foreign
test("asking for another user's tokens is 401 for those who are not administrators", async (t) => {
  const [user, admin] = await pair();
  const answer = await app.as(user).get(`/personal_access_tokens?user_id=${admin.id}`);
  t.is(answer.status, 401);
  t.deepEqual(answer.body, { message: '401 Unauthorized' });
});

// Contract: core-2.list
test('tokens are listed by state, revocation, name, and times of making, use and expiry', async (t) => {
  const [user, admin] = await pair();
  for (const [name, expires_at] of [
    ['alpha', '2030-03-01'],
    ['beta', '2030-05-01'],
    ['gamma%', undefined],
  ] as const)
    await create(admin, user, { name, expires_at });
  await app.context().query(sql`
    update personal_access_tokens set expires_on = '2029-01-01', last_used_at = '2029-01-01', created_at = '2028-01-01'
     where user_id = ${user.id} and name = 'alpha'`);
  const gamma = (await app.as(admin).get(`/personal_access_tokens?user_id=${user.id}&search=MMA%25`)).body[0];
  await app.as(admin).delete(`/personal_access_tokens/${gamma.id}`);
  const query = async (text: string) =>
    names(await app.as(admin).get(`/personal_access_tokens?user_id=${user.id}&${text}`));
  t.deepEqual(await query('state=active'), ['test', 'beta']);
  t.deepEqual(await query('state=inactive'), ['alpha', 'gamma%']);
  t.deepEqual(await query('revoked=true'), ['gamma%']);
  t.deepEqual(await query('revoked=false'), ['test', 'alpha', 'beta']);
  t.deepEqual(await query('created_before=2029-01-01'), ['alpha']);
  t.deepEqual(await query('created_after=2029-01-01'), ['test', 'beta', 'gamma%']);
  t.deepEqual(await query('last_used_before=2029-06-01'), ['alpha']);
  t.deepEqual(await query('last_used_after=2029-06-01'), []);
  t.deepEqual(await query('expires_before=2030-01-01'), ['alpha']);
  t.deepEqual(await query('expires_after=2030-01-01'), ['beta']);
  t.deepEqual(await query('sort=name_desc'), ['test', 'gamma%', 'beta', 'alpha']);
  t.deepEqual(await query('sort=expires_asc'), ['alpha', 'beta', 'test', 'gamma%']);
  t.deepEqual(await query('sort=created_desc'), ['gamma%', 'beta', 'test', 'alpha']);
  t.deepEqual(await query('sort=last_used_desc'), ['alpha', 'gamma%', 'beta', 'test']);
});

// Contract: core-2.get
test('a token looks at itself with any scope', async (t) => {
  const [user, admin] = await pair();
  const { body } = await create(admin, user, { scopes: ['k8s_proxy'] });
  const client = app.as({ ...user, token: body.token });
  t.is((await client.get('/personal_access_tokens/self')).body.id, body.id);
  t.is((await client.get('/user')).status, 403);
});

// Contract: core-2.get
test("somebody else's token and a missing one are 401, for administrators a missing one is 404", async (t) => {
  const [user, admin] = await pair();
  for (const method of ['GET', 'DELETE']) {
    t.is((await app.as(user).request(method, `/personal_access_tokens/${admin.token_id}`)).status, 401);
    t.is((await app.as(user).request(method, '/personal_access_tokens/99999999')).status, 401);
    const missing = await app.as(admin).request(method, '/personal_access_tokens/99999999');
    t.is(missing.status, 404);
    t.deepEqual(missing.body, { message: '404 Not Found' });
  }
  t.is((await app.as(user).get(`/personal_access_tokens/${user.token_id}`)).status, 200);
  t.is((await app.as(admin).get(`/personal_access_tokens/${user.token_id}`)).body.user_id, user.id);
});

// Contract: core-2.revoke
test('a revoked token is refused from the next request on', async (t) => {
  const [user] = await pair();
  const other = await app.build.token(user);
  t.is((await app.as(other).get('/user')).status, 200);
  const { status, text } = await app.as(user).delete(`/personal_access_tokens/${other.token_id}`);
  t.is(status, 204);
  t.is(text, '');
  const rejection = await app.as(other).get('/user');
  t.is(rejection.status, 401);
  t.is(rejection.body.error, 'invalid_token');
});

// Contract: core-2.revoke
test('revoking a revoked token is 400', async (t) => {
  const [user, admin] = await pair();
  await app.as(admin).delete(`/personal_access_tokens/${user.token_id}`);
  const again = await app.as(admin).delete(`/personal_access_tokens/${user.token_id}`);
  t.is(again.status, 400);
  t.deepEqual(again.body, { message: '400 Bad request' });
});

// Contract: core-2.revoke
test('a token revokes itself, whatever its scopes', async (t) => {
  const [user, admin] = await pair();
  const { body } = await create(admin, user, { scopes: ['read_api'] });
  const client = app.as({ ...user, token: body.token });
  t.is((await client.delete('/personal_access_tokens/self')).status, 204);
  t.is((await client.get('/personal_access_tokens/self')).status, 401);
});

// Contract: core-2.revoke
test('a token that changed after If-Unmodified-Since is not revoked', async (t) => {
  const user = await app.build.user();
  const other = await app.build.token(user);
  const stale = app.as(user).with({ 'If-Unmodified-Since': 'Mon, 31 Dec 2029 00:00:00 GMT' });
  t.is((await stale.delete(`/personal_access_tokens/${other.token_id}`)).status, 412);
  t.is((await app.as(other).get('/user')).status, 200);
});
