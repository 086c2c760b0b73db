import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: core-1.block
test('blocking answers true, and its tokens are refused from the next request on', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  t.is((await app.as(user).get('/user')).status, 200);
  const { status, text } = await app.as(admin).post(`/users/${user.id}/block`);
  t.is(status, 201);
  t.is(text, 'true');
  const rejection = await app.as(user).get('/user');
  t.is(rejection.status, 403);
  t.deepEqual(rejection.body, { message: '403 Forbidden - Your account has been blocked.' });
  t.is((await app.as(admin).get(`/users/${user.id}`)).body.state, 'blocked');
});

// Contract: core-1.block
test('blocking a blocked user answers null', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  await app.as(admin).post(`/users/${user.id}/block`);
  const { status, text } = await app.as(admin).post(`/users/${user.id}/block`);
  t.is(status, 201);
  t.is(text, 'null');
});

// Contract: core-1.unblock
test('unblocking answers true and opens the tokens again', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  await app.as(admin).post(`/users/${user.id}/block`);
  t.is((await app.as(user).get('/user')).status, 403);
  const { status, text } = await app.as(admin).post(`/users/${user.id}/unblock`);
  t.is(status, 201);
  t.is(text, 'true');
  t.is((await app.as(user).get('/user')).status, 200);
});

// Contract: core-1.unblock
test('unblocking a user who is not blocked answers false [unverified]', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  const { status, text } = await app.as(admin).post(`/users/${user.id}/unblock`);
  t.is(status, 201);
  t.is(text, 'false');
});

// Contract: core-1.unblock
test('a deactivated user cannot be unblocked', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  await app.context().query(sql`update users set state = 'deactivated' where id = ${user.id}`);
  const answer = await app.as(admin).post(`/users/${user.id}/unblock`);
  t.is(answer.status, 403);
  t.deepEqual(answer.body, { message: '403 Forbidden - Deactivated users cannot be unblocked by the API' });
});

// Contract: core-1.block
test('nobody blocks themselves', async (t) => {
  const admin = await app.build.admin();
  const answer = await app.as(admin).post(`/users/${admin.id}/block`);
  t.is(answer.status, 403);
  t.deepEqual(answer.body, { message: '403 Forbidden - The API initiating user cannot be blocked by the API' });
});

// Contract: core-1.block
test('only administrators block and unblock', async (t) => {
  const [user, other] = await Promise.all([app.build.user(), app.build.user()]);
  for (const action of ['block', 'unblock']) {
    t.is((await app.as(other).post(`/users/${user.id}/${action}`)).status, 403);
    t.is((await app.anonymous.post(`/users/${user.id}/${action}`)).status, 401);
  }
  const admin = await app.build.admin();
  t.deepEqual((await app.as(admin).post('/users/99999999/block')).body, { message: '404 User Not Found' });
});

// Contract: core-1.block.schedules
test("blocking deactivates the user's active schedules and leaves their updated_at", async (t) => {
  const admin = await app.build.admin();
  const schedule = await app.build.schedule();
  const inactive = await app.build.schedule({ project: schedule.project, owner: schedule.ownedBy, active: false });
  app.clock.advance('1 minute');
  await app.as(admin).post(`/users/${schedule.ownedBy.id}/block`);
  const path = `/projects/${schedule.project.id}/pipeline_schedules`;
  const { body } = await app.as(admin).get(`${path}/${schedule.id}`);
  t.is(body.active, false);
  t.is(body.updated_at, schedule.updated_at.toISOString());
  await app.as(admin).post(`/users/${schedule.ownedBy.id}/unblock`);
  t.is((await app.as(admin).get(`${path}/${schedule.id}`)).body.active, false);
  t.is((await app.as(admin).get(`${path}/${inactive.id}`)).body.active, false);
});
