import { scryptSync } from 'node:crypto';
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
import { queryOne } from '../../core/query-one.js';

const app = useApp(test);
const FORM = 'application/x-www-form-urlencoded';
const WRONG = { message: 'Invalid login or password.' };
const PAGE = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const getEvents = (userId: number) =>
  app.context().query<{ event_name: string; author_id: number | null; message: string; ip_address: string | null }>(sql`
    select event_name, author_id, message, ip_address from audit_events
     where entity_type = 'User' and entity_id = ${userId} order by id`);

const getSessions = async (userId: number) =>
  (await app.context().query(sql`select id from user_sessions where user_id = ${userId}`)).length;

// Contract: signin-interface-5.2.cookie
test('signing in by username or address, in any case, answers who it is and sets the session cookie', async (t) => {
  const user = await userWithPassword(app, { username: 'Cased.Name', email: 'Cased@Example.com' });
  for (const login of ['Cased.Name', 'cased.name', ' cased@example.COM ']) {
    const answer = await postJson(app.anonymous, '/users/sign_in', { login, password: PASSWORD });
    t.is(answer.status, 200);
    t.like(answer.body, { user: { id: user.id, username: 'Cased.Name', is_admin: false }, redirect_to: '/' });
    const { client } = signedInBy(app, answer);
    t.is((await client.get('/user')).body.username, 'Cased.Name');
  }
});

// Contract: signin-15
test('the session cookie is HttpOnly, SameSite=Lax, for the whole site, and not Secure without https', async (t) => {
  const user = await userWithPassword(app);
  const answer = await postJson(app.anonymous, '/users/sign_in', { login: user.username, password: PASSWORD });
  const [line = ''] = answer.headers.getSetCookie();
  t.regex(line, /^_service_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  t.is(answer.headers.get('cache-control'), 'no-store');
});

// Contract: signin-15
test.serial('behind https the session cookie is Secure', async (t) => {
  const user = await userWithPassword(app);
  const { config } = app.services;
  const before = config.externalUrl;
  config.externalUrl = 'https://capstan.test';
  t.teardown(() => (config.externalUrl = before));
  const answer = await postJson(app.anonymous, '/users/sign_in', { login: user.username, password: PASSWORD });
  t.regex(answer.headers.getSetCookie()[0] ?? '', /; Secure$/);
});

// Contract: signin-digest
test('of the cookie the database keeps only a digest', async (t) => {
  const user = await userWithPassword(app);
  const { cookie, csrf } = await signIn(app, user);
  const rows = await app.context().query(sql`select * from user_sessions where user_id = ${user.id}`);
  const text = JSON.stringify(rows);
  const secret = cookie.split('=')[1] ?? '';
  t.false(text.includes(secret) || text.includes(csrf));
  t.false(text.includes(Buffer.from(secret).toString('hex')));
});

// Contract: signin-unknown
test('a wrong password and an unknown account get the same answer and no cookie', async (t) => {
  const user = await userWithPassword(app);
  const without = await app.build.user();
  for (const body of [
    { login: user.username, password: 'wrong horse 42 battery' },
    { login: user.username, password: '' },
    { login: user.username, password: `${PASSWORD}${'x'.repeat(2000)}` },
    { login: user.username, password: { $ne: 1 } },
    { login: 'nobody-is-called-so', password: PASSWORD },
    { login: 'nul\0', password: PASSWORD },
    { login: '', password: '' },
    { login: without.username, password: '' },
    {},
  ]) {
    const answer = await postJson(app.anonymous, '/users/sign_in', body);
    t.is(answer.status, 401);
    t.deepEqual(answer.body, WRONG);
    t.is(getCookie(answer), null);
  }
});

// Contract: signin-unknown
test('bots and internal users cannot sign in even if they had a password', async (t) => {
  for (const attributes of [{ bot: true }, { internal: true }]) {
    const user = await userWithPassword(app, attributes);
    t.is((await postJson(app.anonymous, '/users/sign_in', { login: user.username, password: PASSWORD })).status, 401);
  }
});

// Contract: signin-blocked
test('a blocked user is told so only with the right password', async (t) => {
  const user = await userWithPassword(app);
  await app.context().query(sql`update users set state = 'blocked' where id = ${user.id}`);
  const wrong = await postJson(app.anonymous, '/users/sign_in', { login: user.username, password: 'wrong' });
  t.deepEqual([wrong.status, wrong.body], [401, WRONG]);
  const right = await postJson(app.anonymous, '/users/sign_in', { login: user.username, password: PASSWORD });
  t.deepEqual([right.status, right.body], [403, { message: '403 Forbidden - Your account has been blocked.' }]);
  t.is(getCookie(right), null);
});

// Contract: signin-fixation
test('signing in ends the session that the browser came with: a planted cookie is worth nothing', async (t) => {
  const [attacker, victim] = [await userWithPassword(app), await userWithPassword(app)];
  const planted = await signIn(app, attacker);
  const credentials = { login: victim.username, password: PASSWORD };
  const answer = await postJson(planted.cookieOnly, '/users/sign_in', credentials);
  const mine = signedInBy(app, answer);
  t.not(mine.cookie, planted.cookie);
  t.not(mine.csrf, planted.csrf);
  t.is((await mine.client.get('/user')).body.username, victim.username);
  t.is((await planted.client.get('/user')).status, 401);
});

// Contract: signin-fixation
test('a cookie value that an attacker made up is never taken over', async (t) => {
  const user = await userWithPassword(app);
  const fixed = app.withHeaders({ Cookie: `_service_session=${'A'.repeat(43)}` });
  const answer = await postJson(fixed, '/users/sign_in', { login: user.username, password: PASSWORD });
  t.is(answer.status, 200);
  t.not(getCookie(answer), `_service_session=${'A'.repeat(43)}`);
  t.is((await fixed.get('/user')).status, 401);
});

// Contract: signin-form
test('a form is led to redirect_to, and back to the form with a word for what was wrong', async (t) => {
  const user = await userWithPassword(app);
  const send = (fields: Record<string, string>) =>
    app.withHeaders(PAGE).raw('POST', '/users/sign_in', new URLSearchParams(fields).toString(), FORM);
  const target = '/-/user_settings/personal_access_tokens?page=2#new';
  const good = await send({ 'user[login]': user.username, 'user[password]': PASSWORD, redirect_to: target });
  t.deepEqual([good.status, good.headers.get('location')], [303, target]);
  t.truthy(getCookie(good));
  const short = await send({ login: user.username, password: PASSWORD, redirect: target });
  t.is(short.headers.get('location'), good.headers.get('location'), 'by its other name');
  const bad = await send({ 'user[login]': user.username, 'user[password]': 'wrong', redirect_to: '/x' });
  t.deepEqual([bad.status, bad.headers.get('location')], [303, '/users/sign_in?problem=invalid&redirect_to=%2Fx']);
  t.is(getCookie(bad), null);
});

// Contract: signin-redirect
test('redirects lead nowhere but into this service', async (t) => {
  const user = await userWithPassword(app);
  const getTarget = async (redirect_to: unknown) => {
    const body = { login: user.username, password: PASSWORD, redirect_to };
    return (await postJson(app.anonymous, '/users/sign_in', body)).body.redirect_to as string;
  };
  for (const elsewhere of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://capstan.test.evil.example/',
    'http://capstan.test@evil.example/',
    'http://capstan.test:81/',
    'evil.example',
    ['//evil.example'],
    '',
  ])
    t.is(await getTarget(elsewhere), '/', JSON.stringify(elsewhere));
  t.is(await getTarget('/groups/a?b=c#d'), '/groups/a?b=c#d');
  t.is(await getTarget('http://capstan.test/groups/a'), '/groups/a');
});

// Contract: signin-csrf
test('another site cannot sign a browser in as somebody of its choice', async (t) => {
  const user = await userWithPassword(app);
  const from = (headers: Record<string, string>) =>
    postJson(app.withHeaders(headers), '/users/sign_in', { login: user.username, password: PASSWORD });
  const host = new URL(app.url).host;
  for (const headers of [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site', Origin: app.url },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: `http://${host}.evil.example` },
    { Origin: 'http://capstan.test.evil.example' },
  ]) {
    const answer = await from(headers as unknown as Record<string, string>);
    t.is(answer.status, 422);
    t.deepEqual(answer.body, { message: "Can't verify CSRF token authenticity." });
    t.is(getCookie(answer), null);
  }
  t.is((await from({ 'Sec-Fetch-Site': 'same-origin', Origin: app.url })).status, 200);
  t.is((await from({ Origin: app.url })).status, 200);
  t.is((await from({ Origin: 'http://capstan.test' })).status, 200);
});

// Contract: signin-audit
test('good and failed sign-ins are audit events, and none tells what was typed', async (t) => {
  const user = await userWithPassword(app);
  await postJson(app.anonymous, '/users/sign_in', { login: user.username, password: 'wrong horse 42' });
  await postJson(app.anonymous, '/users/sign_in', { login: 'my-secret-in-the-wrong-field', password: 'x' });
  await signInWith(app, user);
  const events = await getEvents(user.id);
  t.deepEqual(
    events.map(({ event_name, author_id }) => [event_name, author_id]),
    [
      ['sign_in_failed', null],
      ['user_signed_in', user.id],
    ],
  );
  t.true(events.every(({ ip_address }) => ip_address !== null));
  const all = JSON.stringify(await app.context().query(sql`select * from audit_events`));
  t.false(all.includes('my-secret-in-the-wrong-field') || all.includes('wrong horse'));
});

// Contract: signin-hashing
test('a hash made with another cost still opens, and is made anew at the next sign-in', async (t) => {
  const salt = Buffer.alloc(16, 7);
  const key = scryptSync(PASSWORD, salt, 32, { N: 1024, r: 8, p: 1 });
  const old = `scrypt$1024$8$1$${salt.toString('base64url')}$${key.toString('base64url')}`;
  const user = await userWithPassword(app, { password_digest: old });
  await signInWith(app, user);
  const stored = await queryOne<{ password_digest: string }>(
    app.context(),
    sql`select password_digest from users where id = ${user.id}`,
  );
  t.regex(stored?.password_digest ?? '', /^scrypt\$2048\$8\$1\$/);
  await signInWith(app, user);
  t.is(await getSessions(user.id), 2);
});

// Contract: signin-times
test('the times of the newest sign-in and of the one before are on the record', async (t) => {
  const user = await userWithPassword(app);
  const at = app.clock.now().toISOString();
  const { client } = await signInWith(app, user);
  t.like((await client.get('/user')).body, { current_sign_in_at: at, last_sign_in_at: at });
});

test('a hundred sessions of a user last, and the next one ends the oldest', async (t) => {
  const user = await userWithPassword(app);
  const first = await signIn(app, user);
  await app.context().query(sql`
    insert into user_sessions (user_id, digest, user_agent, last_used_at, expires_at, created_at)
    select user_id, sha256(n::text::bytea), '', last_used_at, expires_at, created_at
      from user_sessions, generate_series(1, 99) n where user_id = ${user.id}`);
  t.is((await first.client.get('/user')).status, 200);
  await signInWith(app, user);
  t.is(await getSessions(user.id), 100);
  t.is((await first.client.get('/user')).status, 401);
});
