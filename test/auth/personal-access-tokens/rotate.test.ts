import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);
const REVOKED = {
  error: 'invalid_token',
  error_description: 'Token was revoked. You have to re-authorize from the user.',
};

const rotate = (user: BuiltUser, id: number | 'self' = 'self', attributes: Record<string, unknown> = {}) =>
  app.as(user).post(`/personal_access_tokens/${id}/rotate`, attributes);
const getStatus = async (user: BuiltUser, token: string) => (await app.as({ ...user, token }).get('/user')).status;

// Contract: core-2.rotate
test('a rotated token is revoked, and its successor has its name, scopes and owner and ends in a week', async (t) => {
  const user = await app.build.user();
  const old = await app.build.token(user, { scopes: ['api', 'read_user'] });
  const { status, body } = await rotate(user, old.token_id);
  t.is(status, 200);
  const { id, token, ...record } = body;
  t.deepEqual(record, {
    name: 'test',
    description: null,
    revoked: false,
    created_at: '2030-01-01T00:00:00.000Z',
    scopes: ['api', 'read_user'],
    user_id: user.id,
    last_used_at: null,
    active: true,
    expires_at: '2030-01-08',
  });
  t.not(id, old.token_id);
  t.is(await getStatus(user, token), 200);
  t.is(await getStatus(user, old.token), 401);
  t.true((await app.as(user).get(`/personal_access_tokens/${old.token_id}`)).body.revoked);
});

// Contract: core-2.rotate
test('a rotated token ends on the day that was asked for, 365 days ahead at most', async (t) => {
  const user = await app.build.user();
  const other = await app.build.token(user);
  const late = await rotate(user, other.token_id, { expires_at: '2031-01-02' });
  t.is(late.status, 400);
  t.deepEqual(late.body, { message: '400 Bad request - Expiration date must be on or before 2031-01-01' });
  t.is((await rotate(user, other.token_id, { expires_at: '2029-12-31' })).status, 400);
  t.deepEqual((await rotate(user, other.token_id, { expires_at: 'soon' })).body, { error: 'expires_at is invalid' });
  t.is(await getStatus(user, other.token), 200, 'nothing changed');
  t.is((await rotate(user, other.token_id, { expires_at: '2031-01-01' })).body.expires_at, '2031-01-01');
});

// Contract: core-2.rotate
test('a token rotates itself with the scope self_rotate alone, others need api', async (t) => {
  const user = await app.build.user();
  const small = await app.build.token(user, { scopes: ['self_rotate'] });
  t.is((await rotate(small, small.token_id)).status, 403);
  const { status, body } = await rotate(small);
  t.is(status, 200);
  t.deepEqual(body.scopes, ['self_rotate']);
  t.is((await rotate(await app.build.token(user, { scopes: ['read_api'] }))).status, 403);
});

// Contract: core-2.rotate
test("rotating somebody else's token or a missing one is 401, for administrators a missing one is 404", async (t) => {
  const [user, other, admin] = [await app.build.user(), await app.build.user(), await app.build.admin()];
  t.is((await rotate(user, other.token_id)).status, 401);
  t.is((await rotate(user, 99999999)).status, 401);
  t.is((await rotate(admin, 99999999)).status, 404);
  t.is(await getStatus(other, other.token), 200);
  t.is((await rotate(admin, other.token_id)).body.user_id, other.id);
});

// Contract: core-2.rotate
test('a token that is revoked or expired already is not rotated by id [unverified texts]', async (t) => {
  const user = await app.build.user();
  const revoked = await app.build.token(user);
  await app.as(user).delete(`/personal_access_tokens/${revoked.token_id}`);
  const expired = await app.build.token(user, { expires_on: '2030-01-01' });
  const answers = [await rotate(user, revoked.token_id), await rotate(user, expired.token_id)];
  t.deepEqual(
    answers.map(({ status, body }) => [status, body]),
    [
      [400, { message: '400 Bad request - token already revoked' }],
      [400, { message: '400 Bad request - token already expired' }],
    ],
  );
});

// Contract: core-2.reuse
test('a rotated token that is sent to be rotated again ends its whole family, also what came of it since', async (t) => {
  const user = await app.build.user();
  const first = await app.build.token(user);
  const second = (await rotate(first)).body;
  const third = (await rotate({ ...user, token: second.token })).body;
  t.is(await getStatus(user, third.token), 200);
  const reused = await rotate(first);
  t.is(reused.status, 401);
  t.deepEqual(reused.body, REVOKED);
  t.is(await getStatus(user, third.token), 401);
  t.true((await app.as(user).get(`/personal_access_tokens/${third.id}`)).body.revoked);
  t.is(await getStatus(user, user.token), 200, 'other tokens of the user live on');
  t.is((await rotate({ ...user, token: third.token })).status, 401);
});

// Contract: core-2.reuse
test('a rotated token that is sent for anything else is refused and ends nothing', async (t) => {
  const user = await app.build.user();
  const first = await app.build.token(user);
  const second = (await rotate(first)).body;
  for (const method of ['GET', 'DELETE'])
    t.is((await app.as(first).request(method, '/personal_access_tokens/self')).status, 401);
  t.is(await getStatus(user, second.token), 200);
});

// Contract: core-2.reuse
test('reuse ends a family also where the token is expired by now, or another is named to be rotated', async (t) => {
  const user = await app.build.user();
  const first = await app.build.token(user, { expires_on: '2030-06-01' });
  const second = (await rotate(first)).body;
  t.is((await rotate(first, second.id)).status, 401);
  t.is(await getStatus(user, second.token), 401);
  const other = await app.build.token(user);
  const heir = (await rotate(other)).body;
  await app.context().query(sql`
    update personal_access_tokens set expires_on = '2029-12-31' where id = ${other.token_id}`);
  t.is((await rotate(other)).body.error_description.startsWith('Token is expired'), true);
  t.is(await getStatus(user, heir.token), 401);
});

// Contract: core-2.rotate
test('of two rotations of one token at the same time one wins, and one token lives', async (t) => {
  const user = await app.build.user();
  const token = await app.build.token(user);
  const answers = await Promise.all([1, 2, 3, 4].map(() => rotate(user, token.token_id)));
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400]);
  const { body } = await app.as(user).get('/personal_access_tokens?state=active');
  t.deepEqual(
    body.map(({ id }: { id: number }) => id),
    [user.token_id, answers.find(({ status }) => status === 200)?.body.id],
  );
});

// Contract: core-2.reuse
test('no rotation outlives the end of its family, whatever comes first', async (t) => {
  const user = await app.build.user();
  for (let round = 0; round < 8; round += 1) {
    const first = await app.build.token(user);
    const second = (await rotate(first)).body;
    // Reuse of the first and rotation of the second meet.
    await Promise.all([rotate(first), rotate({ ...user, token: second.token })]);
  }
  const { body } = await app.as(user).get('/personal_access_tokens?state=active');
  t.deepEqual(
    body.map(({ id }: { id: number }) => id),
    [user.token_id],
  );
});

// Contract: core-2.reuse
test('the end of a family is in the audit log, with the address that the reuse came from', async (t) => {
  const user = await app.build.user();
  const first = await app.build.token(user);
  const second = (await rotate(first)).body;
  await rotate(first);
  const events = await app.context().query<Record<string, unknown>>(sql`
    select event_name, author_id, author_name, target_id, ip_address, message from audit_events
     where entity_type = 'User' and entity_id = ${user.id} and target_id = ${second.id} order by id`);
  t.deepEqual(events, [
    {
      event_name: 'personal_access_token_rotated',
      author_id: user.id,
      author_name: user.name,
      target_id: second.id,
      ip_address: '127.0.0.1',
      message: 'Rotated personal access token test',
    },
    {
      event_name: 'personal_access_token_revoked',
      author_id: null,
      author_name: 'Somebody who is not signed in',
      target_id: second.id,
      ip_address: '127.0.0.1',
      message: 'Revoked personal access token test: an earlier token of its family was used again',
    },
  ]);
});
