import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);

const setState = (user: BuiltUser, state: string) =>
  app.context().query(sql`update users set state = ${state} where id = ${user.id}`);

/** A user in a state, and the response to an administrator who changes it. */
async function move(state: string, action: string) {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  await setState(user, state);
  const { status, body } = await app.as(admin).post(`/users/${user.id}/${action}`);
  const now = (await app.as(admin).get(`/users/${user.id}`)).body.state as string;
  return { status, body, now };
}

const forbidden = (message: string, now: string) => ({ status: 403, body: { message }, now });
const done = (now: string) => ({ status: 201, body: true, now });

// Contract: core-1.states
test('deactivating an active user is true, again null, and refused for who is blocked', async (t) => {
  t.deepEqual(await move('active', 'deactivate'), done('deactivated'));
  t.deepEqual(await move('deactivated', 'deactivate'), { status: 201, body: null, now: 'deactivated' });
  for (const state of ['blocked', 'banned', 'blocked_pending_approval'])
    t.deepEqual(
      await move(state, 'deactivate'),
      forbidden('403 Forbidden - A blocked user cannot be deactivated by the API', state),
    );
});

// Contract: core-1.states
test('activating a deactivated user is true, and refused for who is blocked; an active one gives false [unverified]', async (t) => {
  t.deepEqual(await move('deactivated', 'activate'), done('active'));
  t.deepEqual(await move('active', 'activate'), { status: 201, body: false, now: 'active' });
  for (const state of ['blocked', 'banned', 'blocked_pending_approval'])
    t.deepEqual(
      await move(state, 'activate'),
      forbidden('403 Forbidden - A blocked user must be unblocked to be activated', state),
    );
});

// Contract: core-1.states
test('banning an active user is true; any other state is refused by its name', async (t) => {
  t.deepEqual(await move('active', 'ban'), done('banned'));
  t.deepEqual(await move('blocked', 'ban'), forbidden('You cannot ban blocked users.', 'blocked'));
  t.deepEqual(await move('banned', 'ban'), forbidden('You cannot ban banned users.', 'banned'));
  t.deepEqual(await move('deactivated', 'ban'), forbidden('You cannot ban deactivated users.', 'deactivated'));
});

// Contract: core-1.states
test('unbanning a banned user is true; any other state is refused by its name', async (t) => {
  t.deepEqual(await move('banned', 'unban'), done('active'));
  t.deepEqual(await move('active', 'unban'), forbidden('You cannot unban active users.', 'active'));
  t.deepEqual(await move('blocked', 'unban'), forbidden('You cannot unban blocked users.', 'blocked'));
});

// Contract: core-1.states
test('blocking works for active and deactivated users; who cannot sign in anyway gives null', async (t) => {
  t.deepEqual(await move('deactivated', 'block'), done('blocked'));
  for (const state of ['blocked', 'banned', 'blocked_pending_approval'])
    t.deepEqual(await move(state, 'block'), { status: 201, body: null, now: state });
});

// Contract: core-1.review
test('approving lets in who waits for it; anybody else is a conflict', async (t) => {
  t.deepEqual(await move('blocked_pending_approval', 'approve'), {
    status: 201,
    body: { message: 'Success', status: 'success' },
    now: 'active',
  });
  for (const state of ['active', 'blocked'])
    t.deepEqual(await move(state, 'approve'), {
      status: 409,
      body: { message: 'The user you are trying to approve is not pending approval' },
      now: state,
    });
});

// Contract: core-1.review
test('rejecting removes who waits; anybody else is a conflict', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  await setState(user, 'blocked_pending_approval');
  const { status, body } = await app.as(admin).post(`/users/${user.id}/reject`);
  t.is(status, 201);
  t.deepEqual(body, { message: 'Success', status: 'success' });
  await app.work();
  t.is((await app.as(admin).get(`/users/${user.id}`)).status, 404);
  t.deepEqual(await move('active', 'reject'), {
    status: 409,
    body: { message: 'User does not have a pending request' },
    now: 'active',
  });
});

// Contract: core-1.states.refused
test('blocked, banned, deactivated and waiting users are refused at once, and let in again afterwards', async (t) => {
  const admin = await app.build.admin();
  for (const [action, back] of [
    ['block', 'unblock'],
    ['ban', 'unban'],
    ['deactivate', 'activate'],
  ]) {
    const user = await app.build.user();
    t.is((await app.as(user).get('/user')).status, 200);
    t.is((await app.as(admin).post(`/users/${user.id}/${action}`)).status, 201);
    const rejection = await app.as(user).get('/user');
    t.is(rejection.status, 403, action);
    t.deepEqual(rejection.body, { message: '403 Forbidden - Your account has been blocked.' });
    t.is((await app.as(admin).post(`/users/${user.id}/${back}`)).status, 201);
    t.is((await app.as(user).get('/user')).status, 200, back);
  }
  const waiting = await app.build.user();
  await setState(waiting, 'blocked_pending_approval');
  t.is((await app.as(waiting).get('/user')).status, 403);
});

// Contract: core-1.states.refused
test('banning and deactivating deactivate the active schedules', async (t) => {
  const admin = await app.build.admin();
  for (const action of ['ban', 'deactivate']) {
    const schedule = await app.build.schedule();
    await app.as(admin).post(`/users/${schedule.ownedBy.id}/${action}`);
    const { body } = await app.as(admin).get(`/projects/${schedule.project.id}/pipeline_schedules/${schedule.id}`);
    t.is(body.active, false, action);
  }
});

// Contract: core-1.states.self
test('nobody shuts themselves out, nor a user of the service itself [unverified texts]', async (t) => {
  const admin = await app.build.admin();
  const internal = await app.build.user({ internal: true });
  for (const [action, word] of [
    ['block', 'blocked'],
    ['ban', 'banned'],
    ['deactivate', 'deactivated'],
  ]) {
    t.deepEqual((await app.as(admin).post(`/users/${admin.id}/${action}`)).body, {
      message: `403 Forbidden - The API initiating user cannot be ${word} by the API`,
    });
    t.deepEqual((await app.as(admin).post(`/users/${internal.id}/${action}`)).body, {
      message: `403 Forbidden - An internal user cannot be ${word}`,
    });
  }
});

const ACTIONS = ['block', 'unblock', 'activate', 'deactivate', 'ban', 'unban', 'approve', 'reject'];

// Contract: core-1.states.who
test('only administrators change states: others are 403, nobody 401, a missing user 404', async (t) => {
  const [user, other, admin] = await Promise.all([app.build.user(), app.build.user(), app.build.admin()]);
  for (const action of ACTIONS) {
    t.is((await app.as(other).post(`/users/${user.id}/${action}`)).status, 403, action);
    t.is((await app.anonymous.post(`/users/${user.id}/${action}`)).status, 401, action);
    t.deepEqual((await app.as(admin).post(`/users/99999999/${action}`)).body, { message: '404 User Not Found' });
  }
});

// Contract: core-1.states.who
test('of several administrators who ban at the same time one is told true, the others that it is done', async (t) => {
  const user = await app.build.user();
  const admins = await Promise.all([app.build.admin(), app.build.admin(), app.build.admin()]);
  const answers = await Promise.all(admins.map((admin) => app.as(admin).post(`/users/${user.id}/ban`)));
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 403, 403]);
});

// Contract: core-1.states.who
test('each change of state is in the log, with who made it and what it was', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  await app.as(admin).post(`/users/${user.id}/block`);
  await app.as(admin).post(`/users/${user.id}/unblock`);
  await app.as(admin).put(`/users/${user.id}`, { admin: true, password: 'correct horse battery' });
  const events = await app.context().query<{
    name: string;
    author: number;
    from: unknown;
    to: unknown;
    all: string;
  }>(sql`
    select e.event_name as "name", e.author_id as "author", e.value_from as "from", e.value_to as "to",
           row_to_json(e)::text as "all"
      from audit_events e where e.entity_type = 'User' and e.entity_id = ${user.id} order by e.id`);
  t.deepEqual(
    events.map(({ name, author, from, to }) => [name, author, from, to]),
    [
      ['user_blocked', admin.id, 'active', 'blocked'],
      ['user_unblocked', admin.id, 'blocked', 'active'],
      ['user_updated', admin.id, false, true],
      ['user_password_updated', admin.id, null, null],
    ],
  );
  t.false(events.some(({ all }) => all.includes('horse')));
});
