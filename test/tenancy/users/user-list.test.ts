import test from 'ava';
import { sql } from 'kysely';
import { unique } from '../../core/builders.js';
import { useApp } from '../../core/app.js';
import type { Answer } from '../../core/client.js';

const app = useApp(test);

const names = (answer: Answer) => (answer.body as { username: string }[]).map((user) => user.username);
/** A word that only this test's users carry. */
const word = () => `w${unique()}x${Math.random().toString(36).slice(2, 8)}`;

// Contract: core-1.list.anonymous
test('without signing in users are listed only by username', async (t) => {
  const user = await app.build.user();
  const answer = await app.anonymous.get(`/users?username=${user.username.toUpperCase()}`);
  t.is(answer.status, 200);
  t.deepEqual(
    answer.body.map((one: { id: number }) => one.id),
    [user.id],
  );
  const rejection = await app.anonymous.get('/users?search=user');
  t.is(rejection.status, 403);
  t.deepEqual(rejection.body, { message: '403 Forbidden - Not authorized to access /api/v4/users' });
});

// Contract: core-1.list.anonymous
test('without signing in people are listed by keyset, as summaries and without those who are not there for everybody', async (t) => {
  const createUser = (name: string) => app.build.user({ username: `a${tag}${name}`, name: `a${tag}${name}` });
  const tag = unique();
  const [ada, bob, blocked, bot] = [
    await createUser('ada'),
    await createUser('bob'),
    await createUser('blocked'),
    await createUser('bot'),
  ];
  await app.context().query(sql`update users set state = 'blocked' where id = ${blocked.id}`);
  await app.context().query(sql`update users set bot = true where id = ${bot.id}`);
  const found: { id: number; name: string }[] = [];
  let next: string | null = `/users?pagination=keyset&order_by=name&sort=asc&per_page=1&search=a${tag}`;
  for (let pages = 0; next !== null && pages < 5; pages += 1) {
    const { status, body, headers } = await app.anonymous.get(next);
    t.is(status, 200);
    for (const one of body) {
      t.deepEqual(Object.keys(one), Object.keys((await app.anonymous.get(`/users?username=${ada.username}`)).body[0]));
      found.push(one);
    }
    next = /<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
  }
  t.deepEqual(
    found.map(({ id }) => id),
    [ada.id, bob.id],
  );
  for (const order of ['id', 'username'])
    t.is((await app.anonymous.get(`/users?pagination=keyset&order_by=${order}&sort=asc`)).status, 200);
  t.is((await app.anonymous.get('/users?order_by=id&sort=asc')).status, 403);
});

// Contract: core-1.list.serializer
test('lists show others the summary and administrators the whole record', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  const mine = await app.as(user).get(`/users?username=${user.username}`);
  t.deepEqual(Object.keys(mine.body[0]), [
    'id',
    'username',
    'public_email',
    'name',
    'state',
    'locked',
    'avatar_url',
    'web_url',
  ]);
  const theirs = await app.as(admin).get(`/users?username=${user.username}`);
  t.is(theirs.body[0].email, `${user.username}@example.com`);
  t.is(theirs.body[0].is_admin, false);
});

// Contract: core-1.list.order
test('users are listed newest first, whatever a non-administrator asks for', async (t) => {
  const tag = word();
  for (const letter of ['b', 'c', 'a']) await app.build.user({ username: `${letter}${tag}` });
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  const newest = [`a${tag}`, `c${tag}`, `b${tag}`];
  t.deepEqual(names(await app.as(user).get(`/users?search=${tag}`)), newest);
  t.deepEqual(names(await app.as(user).get(`/users?search=${tag}&order_by=username&sort=asc`)), newest);
  t.deepEqual(names(await app.as(admin).get(`/users?search=${tag}&order_by=username&sort=asc`)), [
    `a${tag}`,
    `b${tag}`,
    `c${tag}`,
  ]);
  t.deepEqual(names(await app.as(admin).get(`/users?search=${tag}&order_by=username`)), [
    `c${tag}`,
    `b${tag}`,
    `a${tag}`,
  ]);
  t.deepEqual(names(await app.as(admin).get(`/users?search=${tag}&order_by=id&sort=asc`)), newest.toReversed());
});

// Contract: core-1.list.search
test('users are found by a part of name or username, in any case, with wildcards taken literally', async (t) => {
  const tag = word();
  const one = await app.build.user({ username: `${tag}_one`, name: `Zoë ${tag}%` });
  await app.build.user({ username: `${tag}-two` });
  const search = async (text: string) => names(await app.as(one).get(`/users?search=${encodeURIComponent(text)}`));
  t.is((await search(tag.toUpperCase())).length, 2);
  t.deepEqual(await search(`${tag}_`), [`${tag}_one`]);
  t.deepEqual(await search(`${tag}%`), [`${tag}_one`]);
  t.deepEqual(await search(`${tag}\\`), []);
});

// Contract: core-1.list.search
test('a private address is found only by administrators, a public one by everybody, and only whole', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  const hidden = await app.build.user({ username: word(), email: `${word()}@hidden.example` });
  const email = (await app.as(admin).get(`/users/${hidden.id}`)).body.email as string;
  const found = async (by: typeof user, query: string) => names(await app.as(by).get(`/users?${query}`));
  t.deepEqual(await found(user, `search=${email}`), []);
  t.deepEqual(await found(admin, `search=${email.toUpperCase()}`), [hidden.username]);
  t.deepEqual(await found(admin, `search=${email.slice(1)}`), []);
  await app.as(admin).put(`/users/${hidden.id}`, { public_email: email });
  t.deepEqual(await found(user, `search=${email}`), [hidden.username]);
  t.deepEqual(await found(user, `public_email=${email}`), [hidden.username]);
});

// Contract: core-1.list.flags
test('active, blocked, external, humans and their opposites narrow the list; false is as if not sent', async (t) => {
  const tag = word();
  const admin = await app.build.admin();
  await app.build.user({ username: `${tag}.plain` });
  await app.build.user({ username: `${tag}.external`, external: true });
  await app.build.user({ username: `${tag}.bot`, bot: true });
  await app.build.user({ username: `${tag}.internal`, internal: true });
  const blocked = await app.build.user({ username: `${tag}.blocked` });
  await app.as(admin).post(`/users/${blocked.id}/block`);
  const expected: Record<string, string[]> = {
    active: ['internal', 'bot', 'external', 'plain'],
    blocked: ['blocked'],
    external: ['external'],
    humans: ['blocked', 'external', 'plain'],
    exclude_active: ['blocked'],
    exclude_external: ['blocked', 'internal', 'bot', 'plain'],
    exclude_humans: ['internal', 'bot'],
    exclude_internal: ['blocked', 'bot', 'external', 'plain'],
    without_project_bots: ['blocked', 'internal', 'external', 'plain'],
  };
  for (const [filter, kinds] of Object.entries(expected)) {
    const answer = await app.as(blocked.admin ? blocked : admin).get(`/users?search=${tag}&${filter}=true`);
    t.deepEqual(
      names(answer),
      kinds.map((kind) => `${tag}.${kind}`),
      filter,
    );
    t.is((await app.as(admin).get(`/users?search=${tag}&${filter}=false`)).body.length, 5, filter);
  }
});

// Contract: core-1.list.admin
test("administrators' filters narrow their list and are ignored for others", async (t) => {
  const tag = word();
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  const owner = await app.build.user({ username: `${tag}.owner`, admin: true });
  await app.build.project({ owner, empty: true });
  await app.build.user({ username: `${tag}.idle` });
  const search = async (by: typeof user, filter: string) =>
    names(await app.as(by).get(`/users?search=${tag}&${filter}`));
  t.deepEqual(await search(admin, 'admins=true'), [`${tag}.owner`]);
  t.deepEqual(await search(admin, 'without_projects=true'), [`${tag}.idle`]);
  t.deepEqual(await search(admin, 'created_after=2030-01-02'), []);
  t.deepEqual(await search(admin, 'created_before=2029-12-31'), []);
  t.is((await search(admin, 'created_after=2030-01-01&created_before=2030-01-01T00:00:00Z')).length, 2);
  for (const filter of [
    'admins=true',
    'without_projects=true',
    'created_after=2031-01-01',
    'created_before=2029-01-01',
  ])
    t.is((await search(user, filter)).length, 2, filter);
  t.deepEqual((await app.as(user).get('/users?order_by=email')).body, {
    error: 'order_by does not have a valid value',
  });
});
