import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import {
  PASSWORD,
  getCookie,
  postJson,
  signIn,
  signInWith,
  signedInBy,
  userWithPassword,
} from '../../core/signed-in.js';

const app = useApp(test);
const BAD_TOKEN = "Can't verify CSRF token authenticity.";
const NEXT = 'another horse 43 battery';
const NAME = 'mutation { echo: __typename }';

const changePassword = (client: ReturnType<typeof app.withHeaders>, current_password: string, password: string) =>
  client.raw('PUT', '/-/session/password', JSON.stringify({ current_password, password }), 'application/json');

// Contract: signin-graphql-1.4.3, signin-interface-5.2.cookie
test('REST and GraphQL take the session cookie, with every right of its user and no scope to lack', async (t) => {
  const user = await userWithPassword(app);
  const { client, cookieOnly } = await signIn(app, user);
  t.is((await cookieOnly.get('/user')).body.id, user.id);
  t.is((await client.post('/projects', { name: 'Made by a session' })).status, 201);
  const response = await cookieOnly.graphql('{ currentUser { username } }');
  t.is(response.body.data.currentUser.username, user.username);
});

// Contract: signin-graphql-1.4.1
test('a token wins over the cookie, and a bad one is 401 beside a good cookie', async (t) => {
  const [signed, other] = [await userWithPassword(app), await app.build.user()];
  const { client } = await signIn(app, signed);
  t.is((await client.with({ 'PRIVATE-TOKEN': other.token }).get('/user')).body.id, other.id);
  t.is((await client.with({ 'PRIVATE-TOKEN': 'nonsense' }).get('/user')).status, 401);
  const graphql = await client.with({ Authorization: 'Bearer nonsense' }).graphql('{ currentUser { id } }');
  t.deepEqual([graphql.status, graphql.body], [401, { errors: [{ message: 'Invalid token' }] }]);
});

// Contract: signin-graphql-1.4.5
test('a token needs no CSRF token, whatever cookie comes with it', async (t) => {
  const user = await userWithPassword(app);
  const { cookieOnly } = await signIn(app, user);
  const both = cookieOnly.with({ 'PRIVATE-TOKEN': user.token });
  t.is((await both.post('/projects', { name: 'With both' })).status, 201);
});

// Contract: signin-csrf, signin-rest-2.cookie
test('over REST a session changes nothing without its own CSRF token: 401 [unverified]', async (t) => {
  const user = await userWithPassword(app);
  const mine = await signIn(app, user);
  const elsewhere = await signIn(app, user);
  const stranger = await signIn(app, await userWithPassword(app));
  const tokens = ['', 'nonsense', elsewhere.csrf, stranger.csrf, `${mine.csrf}x`, mine.csrf.slice(1), mine.cookie];
  for (const token of tokens) {
    const client = mine.cookieOnly.with({ 'X-CSRF-Token': token });
    for (const [method, path] of [
      ['POST', '/projects'],
      ['PUT', `/users/${user.id}`],
      ['DELETE', `/personal_access_tokens/${user.token_id}`],
    ] as const) {
      const { status, body } = await client.request(method, path, { name: 'Stolen', csrf_token: mine.csrf });
      t.deepEqual([status, body], [401, { message: '401 Unauthorized' }]);
    }
  }
  t.is((await mine.client.delete(`/personal_access_tokens/${user.token_id}`)).status, 204);
});

// Contract: signin-graphql-1.4.5
test('over GraphQL a session needs its CSRF token for mutations, and for queries none', async (t) => {
  const user = await userWithPassword(app);
  const mine = await signIn(app, user);
  const other = await signIn(app, user);
  for (const client of [mine.cookieOnly, mine.cookieOnly.with({ 'X-CSRF-Token': other.csrf })]) {
    const { status, body } = await client.graphql(NAME);
    t.deepEqual([status, body], [422, { errors: [{ message: BAD_TOKEN }] }]);
    const batch = JSON.stringify([{ query: '{ currentUser { id } }' }, { query: NAME }]);
    t.is((await client.raw('POST', '/api/graphql', batch, 'application/json')).status, 422);
  }
  t.is((await mine.client.graphql(NAME)).status, 200);
  t.is((await mine.cookieOnly.graphql('{ currentUser { id } }')).status, 200);
  t.is((await app.anonymous.graphql(NAME)).status, 200);
});

// Contract: signin-graphql-1.4.6
test('no answer lets another site read it with the cookie', async (t) => {
  const { cookieOnly } = await signIn(app, await userWithPassword(app));
  const answer = await cookieOnly.with({ Origin: 'https://evil.example' }).get('/user');
  t.is(answer.headers.get('access-control-allow-credentials'), null);
  const session = await cookieOnly.with({ Origin: 'https://evil.example' }).raw('GET', '/-/session');
  t.is(session.headers.get('access-control-allow-origin'), null);
});

// Contract: signin-page
test('a page asks who is signed in and for its CSRF token, and is told of nobody without a session', async (t) => {
  const user = await userWithPassword(app);
  const { cookieOnly, csrf } = await signIn(app, user);
  const { body, headers } = await cookieOnly.raw('GET', '/-/session');
  t.like(body, { csrf_token: csrf, user: { id: user.id, username: user.username, name: user.name } });
  t.is(headers.get('cache-control'), 'no-store');
  const nobody = await app.anonymous.raw('GET', '/-/session');
  t.deepEqual(
    [nobody.status, nobody.body],
    [200, { user: null, csrf_token: null, now: app.clock.now().toISOString() }],
  );
});

// Contract: signin-out
test('signing out ends the session and takes the cookie away, with DELETE and with POST', async (t) => {
  const user = await userWithPassword(app);
  for (const method of ['DELETE', 'POST']) {
    const { client, cookieOnly } = await signIn(app, user);
    const answer = await client.raw(method, '/users/sign_out');
    t.is(answer.status, 204);
    t.regex(
      answer.headers.getSetCookie()[0] ?? '',
      /^_service_session=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=\//,
    );
    t.is((await cookieOnly.get('/user')).status, 401);
  }
});

// Contract: signin-csrf
test('another site cannot sign a browser out', async (t) => {
  const { cookieOnly } = await signIn(app, await userWithPassword(app));
  const answer = await cookieOnly.raw('POST', '/users/sign_out');
  t.deepEqual([answer.status, answer.body], [422, { message: BAD_TOKEN }]);
  t.is((await cookieOnly.get('/user')).status, 200);
});

// Contract: signin-out
test('signing out without a session is no error', async (t) => {
  t.is((await app.anonymous.raw('DELETE', '/users/sign_out')).status, 204);
  const page = await app.withHeaders({ Accept: 'text/html' }).raw('POST', '/users/sign_out');
  t.deepEqual([page.status, page.headers.get('location')], [303, '/']);
});

// Contract: signin-over
test('a session that is over leaves an anonymous caller, who still reads what is public', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const gone = app.withHeaders({ Cookie: '_service_session=gone' });
  t.is((await gone.get(`/projects/${project.id}`)).status, 200);
  t.is((await gone.get('/user')).status, 401);
});

// Contract: signin-password
test('another password ends every session of the user, and gives the browser that asked a new one', async (t) => {
  const user = await userWithPassword(app);
  const [mine, other] = [await signIn(app, user), await signIn(app, user)];
  const answer = await changePassword(mine.client, PASSWORD, NEXT);
  t.is(answer.status, 200);
  const renewed = signedInBy(app, answer);
  t.not(renewed.cookie, mine.cookie);
  t.is((await renewed.client.get('/user')).body.id, user.id);
  for (const { client } of [mine, other]) t.is((await client.get('/user')).status, 401);
  t.is((await postJson(app.anonymous, '/users/sign_in', { login: user.username, password: PASSWORD })).status, 401);
  await signInWith(app, user, NEXT);
});

// Contract: signin-blocked
test('a block, and a password that an administrator sets, end every session of the user at once', async (t) => {
  const admin = app.as(await app.build.admin());
  for (const act of [
    (id: number) => admin.post(`/users/${id}/block`),
    (id: number) => admin.put(`/users/${id}`, { password: NEXT }),
  ]) {
    const user = await userWithPassword(app);
    const { cookieOnly } = await signIn(app, user);
    t.is((await cookieOnly.get('/user')).status, 200);
    t.true((await act(user.id)).status < 300);
    t.is((await cookieOnly.get('/user')).status, 401);
    // Nor does it come back when the user does.
    await admin.post(`/users/${user.id}/unblock`);
    t.is((await cookieOnly.get('/user')).status, 401);
  }
});

// Contract: signin-password
test('the own password changes only with the current one, a good new one, a session and its CSRF token', async (t) => {
  const user = await userWithPassword(app);
  const { client, cookieOnly } = await signIn(app, user);
  const wrong = await changePassword(client, 'wrong', NEXT);
  t.deepEqual([wrong.status, wrong.body], [400, { message: { current_password: ['is invalid'] } }]);
  const short = await changePassword(client, PASSWORD, 'short');
  t.deepEqual([short.status, short.body], [400, { message: { password: ['is too short (minimum is 8 characters)'] } }]);
  t.is((await changePassword(cookieOnly, PASSWORD, NEXT)).status, 422);
  t.is((await changePassword(app.as(user), PASSWORD, NEXT)).status, 401);
  await signInWith(app, user);
});

// Contract: signin-password
test('of two password changes at the same time one holds, and the other one is told so', async (t) => {
  const user = await userWithPassword(app);
  const [one, two] = [await signIn(app, user), await signIn(app, user)];
  const answers = await Promise.all([
    changePassword(one.client, PASSWORD, `${NEXT} one`),
    changePassword(two.client, PASSWORD, `${NEXT} two`),
  ]);
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400]);
});

// Contract: signin-over
test('a session ends when it is not used for as long as the instance says, and after thirty days anyway', async (t) => {
  const user = await userWithPassword(app);
  const { id } = (await (await signIn(app, user)).client.get('/user')).body;
  const alter = (column: 'last_used_at' | 'expires_at', before: string) =>
    app.context().query(sql`
      update user_sessions set last_used_at = case when ${column} = 'last_used_at'
               then ${app.clock.now()}::timestamptz - ${before}::interval else last_used_at end,
             expires_at = case when ${column} = 'expires_at'
               then ${app.clock.now()}::timestamptz - ${before}::interval else expires_at end
       where user_id = ${id}`);
  const statusAfter = async (column: 'last_used_at' | 'expires_at', before: string) => {
    const fresh = await signIn(app, user);
    await alter(column, before);
    return (await fresh.client.get('/user')).status;
  };
  t.is(await statusAfter('last_used_at', '10079 minutes'), 200);
  t.is(await statusAfter('last_used_at', '10080 minutes'), 401);
  t.is(await statusAfter('expires_at', '-1 minutes'), 200);
  t.is(await statusAfter('expires_at', '0 minutes'), 401);
});

test('what nothing serves below the session endpoints stays a 404', async (t) => {
  for (const [method, path] of [
    ['GET', '/users/sign_out'],
    ['PATCH', '/users/sign_in'],
    ['GET', '/-/session/password'],
  ] as const)
    t.is((await app.anonymous.raw(method, path)).status, 404);
  t.is(getCookie(await app.anonymous.raw('GET', '/-/session')), null);
});
