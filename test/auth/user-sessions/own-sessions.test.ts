import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { signIn } from '../../core/signed-in.js';

const app = useApp(test);
const PATH = '/-/session/sessions';

// Contract: signin-sessions
test('a person sees where they are signed in, and ends a session: its cookie is refused at once', async (t) => {
  const user = await app.build.user();
  const [here, elsewhere] = [await signIn(app, user), await signIn(app, user)];
  await signIn(app, await app.build.user());
  const listed = await here.client.raw('GET', PATH);
  t.is(listed.status, 200);
  t.is(listed.headers.get('cache-control'), 'no-store');
  t.is(listed.body.length, 2);
  const { id, ...current } = listed.body.find((session: { current: boolean }) => session.current);
  t.deepEqual(current, {
    current: true,
    ip_address: null,
    user_agent: 'test',
    created_at: '2030-01-01T00:00:00.000Z',
    last_used_at: '2030-01-01T00:00:00.000Z',
    expires_at: '2030-01-31T00:00:00.000Z',
  });
  const other = listed.body.find((session: { current: boolean }) => !session.current);
  t.is((await elsewhere.client.get('/user')).status, 200);
  t.is((await here.client.raw('DELETE', `${PATH}/${other.id}`)).status, 204);
  t.is((await elsewhere.client.get('/user')).status, 401);
  t.deepEqual(
    (await here.client.raw('GET', PATH)).body.map((session: { id: number }) => session.id),
    [id],
  );
  const [event] = await app.context().query<{ event_name: string; author_id: number; target_id: number }>(sql`
    select e.event_name, e.author_id, e.target_id from audit_events e
     where e.entity_type = 'User' and e.entity_id = ${user.id} order by e.id desc limit 1`);
  t.deepEqual({ ...event }, { event_name: 'user_session_ended', author_id: user.id, target_id: other.id });
});

// Contract: signin-sessions
test('all other sessions end at once, and the one in use stays', async (t) => {
  const user = await app.build.user();
  const [here, ...others] = [await signIn(app, user), await signIn(app, user), await signIn(app, user)];
  const stranger = await signIn(app, await app.build.user());
  t.is((await here!.client.raw('DELETE', PATH)).status, 204);
  for (const { client } of others) t.is((await client.get('/user')).status, 401);
  for (const { client } of [here!, stranger]) t.is((await client.get('/user')).status, 200);
  t.is((await here!.client.raw('DELETE', PATH)).status, 204, 'again, where there is none');
});

// Contract: signin-sessions
test('nobody ends sessions of others or with a token, and no other site does', async (t) => {
  const [user, other] = [await app.build.user(), await app.build.user()];
  const [mine, theirs] = [await signIn(app, user), await signIn(app, other)];
  const [{ id }] = (await theirs.client.raw('GET', PATH)).body;
  const rejection = await mine.client.raw('DELETE', `${PATH}/${id}`);
  t.deepEqual([rejection.status, rejection.body], [404, { message: '404 Session Not Found' }]);
  t.is((await mine.client.raw('DELETE', `${PATH}/99999999`)).status, 404);
  const malformed = await mine.client.raw('DELETE', `${PATH}/none`);
  t.deepEqual([malformed.status, malformed.body], [400, { error: 'session_id is invalid' }]);
  t.is((await theirs.cookieOnly.raw('DELETE', `${PATH}/${id}`)).status, 422);
  t.is((await theirs.cookieOnly.raw('DELETE', PATH)).status, 422);
  for (const client of [app.anonymous, app.as(other)]) {
    t.is((await client.raw('GET', PATH)).status, 401);
    t.is((await client.raw('DELETE', `${PATH}/${id}`)).status, 401);
  }
  t.is((await theirs.client.get('/user')).status, 200);
});

// Contract: signin-sessions
test('what is over is not listed', async (t) => {
  const user = await app.build.user();
  const here = await signIn(app, user);
  const over = await signIn(app, user);
  const [{ id }] = (await over.client.raw('GET', PATH)).body.filter((session: { current: boolean }) => session.current);
  await app.context().query(sql`update user_sessions set expires_at = ${app.clock.now()} where id = ${id}`);
  const listed = await here.client.raw('GET', PATH);
  t.deepEqual(
    listed.body.map((session: { current: boolean }) => session.current),
    [true],
  );
  t.is((await here.client.raw('DELETE', `${PATH}/${id}`)).status, 404);
});
