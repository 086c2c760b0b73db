import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);
const path = (user: BuiltUser, rest = '') => `/users/${user.id}/impersonation_tokens${rest}`;
const create = (admin: BuiltUser, user: BuiltUser, attributes: Record<string, unknown> = {}) =>
  app.as(admin).post(path(user), { name: 'helpdesk', scopes: ['api'], ...attributes });
const pair = () => Promise.all([app.build.user(), app.build.admin()]);

// Contract: core-2.impersonation
test('an administrator makes a token to act as a user, and it does', async (t) => {
  const [user, admin] = await pair();
  const { status, body } = await create(admin, user, { expires_at: '2030-02-01' });
  t.is(status, 201);
  const { id, token, ...record } = body;
  t.deepEqual(record, {
    name: 'helpdesk',
    description: null,
    revoked: false,
    created_at: '2030-01-01T00:00:00.000Z',
    scopes: ['api'],
    user_id: user.id,
    last_used_at: null,
    active: true,
    expires_at: '2030-02-01',
    impersonation: true,
  });
  t.is((await app.as({ ...user, token }).get('/user')).body.id, user.id);
  const read = await app.as(admin).get(path(user, `/${id}`));
  t.is(read.status, 200);
  t.deepEqual({ ...read.body, last_used_at: null }, { id, ...record });
});

// Contract: core-2.impersonation
test('impersonation tokens are for administrators alone, in every way', async (t) => {
  const [user, admin] = await pair();
  const { body } = await create(admin, user);
  for (const caller of [user, await app.build.user()]) {
    t.is((await app.as(caller).get(path(user))).status, 403);
    t.is((await app.as(caller).get(path(user, `/${body.id}`))).status, 403);
    t.is((await app.as(caller).delete(path(user, `/${body.id}`))).status, 403);
    t.is((await create(caller, user)).status, 403);
  }
  t.is((await app.anonymous.get(path(user))).status, 401);
  t.is((await app.as({ ...user, token: body.token }).get(path(user))).status, 403);
});

// Contract: core-2.impersonation
test('its own user neither sees nor ends a token that was made to act as them', async (t) => {
  const [user, admin] = await pair();
  const { body } = await create(admin, user);
  const ids = (await app.as(user).get('/personal_access_tokens')).body.map((token: { id: number }) => token.id);
  t.deepEqual(ids, [user.token_id]);
  for (const [method, rest] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/rotate'],
  ] as const)
    t.is((await app.as(user).request(method, `/personal_access_tokens/${body.id}${rest}`)).status, 401, method);
  t.is((await app.as({ ...user, token: body.token }).get('/user')).status, 200);
  t.is((await app.as({ ...user, token: body.token }).get('/personal_access_tokens/self')).body.id, body.id);
});

// Contract: core-2.impersonation
test("a user's impersonation tokens are listed by state, and nothing else is among them", async (t) => {
  const [user, admin] = await pair();
  const [works, revoked, expired] = [
    (await create(admin, user)).body.id,
    (await create(admin, user)).body.id,
    (await create(admin, user, { expires_at: '2030-01-05' })).body.id,
  ];
  await create(admin, await app.build.user());
  await app.as(admin).delete(path(user, `/${revoked}`));
  await app.context().query(sql`update personal_access_tokens set expires_on = '2030-01-01' where id = ${expired}`);
  const ids = async (query: string) =>
    (await app.as(admin).get(path(user, query))).body.map((token: { id: number }) => token.id);
  t.deepEqual(await ids(''), [works, revoked, expired]);
  t.deepEqual(await ids('?state=all'), [works, revoked, expired]);
  t.deepEqual(await ids('?state=active'), [works]);
  t.deepEqual(await ids('?state=inactive'), [revoked, expired]);
  t.deepEqual((await app.as(admin).get(path(user, '?state=odd'))).body, { error: 'state does not have a valid value' });
  t.is((await app.as(admin).get(path(user, '?per_page=1'))).headers.get('x-total'), '3');
});

// Contract: core-2.impersonation
test('a revoked impersonation token is refused at once, and revoking it again changes nothing', async (t) => {
  const [user, admin] = await pair();
  const { body } = await create(admin, user);
  const holder = app.as({ ...user, token: body.token });
  t.is((await holder.get('/user')).status, 200);
  t.is((await app.as(admin).delete(path(user, `/${body.id}`))).status, 204);
  t.is((await holder.get('/user')).status, 401);
  t.is((await app.as(admin).delete(path(user, `/${body.id}`))).status, 204);
});

// Contract: core-2.impersonation
test("a missing token, another user's, and a personal one are 404 [unverified text]", async (t) => {
  const [user, admin] = await pair();
  const other = (await create(admin, await app.build.user())).body.id;
  for (const id of [99999999, other, user.token_id]) {
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await app.as(admin).request(method, path(user, `/${id}`));
      t.is(status, 404);
      t.deepEqual(body, { message: '404 Impersonation Token Not Found' });
    }
  }
  t.deepEqual((await app.as(admin).get('/users/99999999/impersonation_tokens')).body, {
    message: '404 User Not Found',
  });
  t.is((await app.as(user).get('/user')).status, 200, 'the personal one lives');
});

// Contract: core-2.impersonation
test('an impersonation token needs a name, scopes from the list and an end within a year', async (t) => {
  const [user, admin] = await pair();
  const answers = [
    await app.as(admin).post(path(user), {}),
    await create(admin, user, { scopes: ['root'] }),
    await create(admin, user, { name: ' ' }),
    await create(admin, user, { expires_at: '2031-01-02' }),
  ];
  t.deepEqual(
    answers.map(({ status, body }) => [status, body.error ?? body.message]),
    [
      [400, 'name is missing, scopes is missing, scopes does not have a valid value'],
      [400, 'scopes does not have a valid value'],
      [422, "Name can't be blank"],
      [400, 'Expiration date must be on or before 2031-01-01'],
    ],
  );
});

// Contract: core-2.impersonation
test('making and revoking one is in the log of its user', async (t) => {
  const [user, admin] = await pair();
  const { body } = await create(admin, user);
  await app.as(admin).delete(path(user, `/${body.id}`));
  const events = await app.context().query<{ event_name: string; author_id: number }>(sql`
    select event_name, author_id from audit_events
     where entity_type = 'User' and entity_id = ${user.id} and target_id = ${body.id} order by id`);
  t.deepEqual(events, [
    { event_name: 'impersonation_token_created', author_id: admin.id },
    { event_name: 'impersonation_token_revoked', author_id: admin.id },
  ]);
});
