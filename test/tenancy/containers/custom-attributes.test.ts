import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);

/** One owner of each kind, private where that may be, with who made it. */
async function owners(): Promise<{ path: string; owner: BuiltUser }[]> {
  const owner = await app.build.user();
  const group = await app.build.group({ owner, visibility: 'private' });
  const project = await app.build.project({ owner, empty: true });
  return [
    { path: `/users/${owner.id}`, owner },
    { path: `/groups/${group.id}`, owner },
    { path: `/projects/${project.id}`, owner },
  ];
}

// Contract: interface-2.6, interface-4.6.delete, interface-4.6.get, interface-4.6.list
test('an administrator sets, reads, lists and deletes attributes of users, groups and projects', async (t) => {
  const admin = app.as(await app.build.admin());
  for (const { path } of await owners()) {
    const base = `${path}/custom_attributes`;
    const response = await admin.put(`${base}/location`, { value: 'Antarctica' });
    t.is(response.status, 200);
    t.deepEqual(response.body, { key: 'location', value: 'Antarctica' });
    t.is((await admin.put(`${base}/age?value=5`)).status, 200);
    t.deepEqual((await admin.get(`${base}/location`)).body, { key: 'location', value: 'Antarctica' });
    const all = await admin.get(base);
    t.deepEqual(all.body, [
      { key: 'location', value: 'Antarctica' },
      { key: 'age', value: '5' },
    ]);
    t.is(all.headers.get('x-total'), null, 'not paginated');
    const removed = await admin.delete(`${base}/location`);
    t.is(removed.status, 204);
    t.is(removed.text, '');
    t.deepEqual((await admin.get(base)).body, [{ key: 'age', value: '5' }]);
  }
});

// Contract: interface-4.6.put
test('setting twice is 200 both times and keeps one row with the second value', async (t) => {
  const admin = app.as(await app.build.admin());
  for (const { path } of await owners()) {
    const base = `${path}/custom_attributes`;
    t.is((await admin.put(`${base}/role`, { value: 'a' })).status, 200);
    t.deepEqual((await admin.put(`${base}/role`, { value: 'b' })).body, { key: 'role', value: 'b' });
    t.deepEqual((await admin.get(base)).body, [{ key: 'role', value: 'b' }]);
  }
});

// Contract: custom-attributes-3.race
test('of several that set one key at the same time all are 200 and one value stays', async (t) => {
  const admin = app.as(await app.build.admin());
  for (const { path } of await owners()) {
    const base = `${path}/custom_attributes`;
    const values = ['1', '2', '3', '4'];
    const answers = await Promise.all(values.map((value) => admin.put(`${base}/raced`, { value })));
    t.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const { body } = await admin.get(base);
    t.is(body.length, 1);
    t.true(values.includes(body[0].value));
  }
});

// Contract: custom-attributes-2.5
test('a missing key is 404, in the words of each method', async (t) => {
  const admin = app.as(await app.build.admin());
  for (const { path } of await owners()) {
    const url = `${path}/custom_attributes/nothing`;
    t.deepEqual(await admin.get(url).then(({ status, body }) => ({ status, body })), {
      status: 404,
      body: { message: '404 Not found' },
    });
    await admin.put(url, { value: 'x' });
    t.is((await admin.delete(url)).status, 204);
    const again = await admin.delete(url);
    t.is(again.status, 404);
    t.deepEqual(again.body, { message: '404 Custom attribute Not Found' });
  }
});

// Contract: custom-attributes-2.6, interface-4.6.put
test('a blank, missing or endless value, and a blank or endless key, are 400 and store nothing', async (t) => {
  const admin = app.as(await app.build.admin());
  for (const { path } of await owners()) {
    const base = `${path}/custom_attributes`;
    t.deepEqual((await admin.put(`${base}/k`, {})).body, { error: 'value is missing' });
    for (const value of ['', '  \n', null])
      t.deepEqual((await admin.put(`${base}/k`, { value })).body, { message: ["Value can't be blank"] });
    t.deepEqual((await admin.put(`${base}/k`, { value: { a: 1 } })).body, { error: 'value is invalid' });
    t.deepEqual((await admin.put(`${base}/k`, { value: 'nul\0' })).body, { error: 'value is invalid' });
    const long = await admin.put(`${base}/k`, { value: 'x'.repeat(1024 * 1024) });
    t.is(long.status, 400);
    t.deepEqual(long.body, { message: ['Value is too long (maximum is 65535 characters)'] });
    t.deepEqual((await admin.put(`${base}/%20`, { value: 'v' })).body, { message: ["Key can't be blank"] });
    t.deepEqual((await admin.put(`${base}/${'k'.repeat(256)}`, { value: 'v' })).body, {
      message: ['Key is too long (maximum is 255 characters)'],
    });
    t.deepEqual((await admin.get(base)).body, []);
    t.is((await admin.put(`${base}/${'k'.repeat(255)}`, { value: 'y'.repeat(65_535) })).status, 200);
  }
});

// Contract: custom-attributes-2.6
test('numbers and booleans are stored as their text', async (t) => {
  const admin = app.as(await app.build.admin());
  for (const { path } of await owners()) {
    const url = `${path}/custom_attributes/n`;
    t.is((await admin.put(url, { value: 5 })).body.value, '5');
    t.is((await admin.put(url, { value: false })).body.value, 'false');
  }
});

// Contract: custom-attributes-3.keys
test('keys are any text: dots, spaces, slashes, emoji, and case tells them apart', async (t) => {
  const admin = app.as(await app.build.admin());
  const keys = ['a.b', 'a.json', 'with space', 'x/y', 'Case', 'case', 'ключ', '🙂', '%', "o'clock"];
  for (const { path } of await owners()) {
    const base = `${path}/custom_attributes`;
    for (const key of keys) {
      const url = `${base}/${encodeURIComponent(key)}`;
      t.deepEqual((await admin.put(url, { value: `of ${key}` })).body, { key, value: `of ${key}` });
      t.deepEqual((await admin.get(url)).body, { key, value: `of ${key}` });
    }
    t.deepEqual(
      (await admin.get(base)).body.map((one: { key: string }) => one.key),
      keys,
    );
  }
});

// Contract: custom-attributes-2.2, interface-5.1.custom-attributes
test('others are 403 for what they may see, their own among it, and 404 for what is hidden or missing', async (t) => {
  const all = await owners();
  const stranger = await app.build.user();
  const outcomes = async (user: BuiltUser, base: string) => {
    const caller = app.as(user);
    const answers = [
      await caller.get(base),
      await caller.get(`${base}/k`),
      await caller.put(`${base}/k`, { value: 'v' }),
      await caller.delete(`${base}/k`),
    ];
    return [...new Set(answers.map(({ status, body }) => `${status} ${body.message}`))];
  };
  const forbidden = ['403 403 Forbidden'];
  const missing = ['404 404 Not Found'];
  for (const { path, owner } of all) {
    const base = `${path}/custom_attributes`;
    t.deepEqual(await outcomes(owner, base), forbidden, path);
    // Every signed-in user may know that a user exists.
    t.deepEqual(await outcomes(stranger, base), path.startsWith('/users') ? forbidden : missing, path);
    for (const user of [owner, stranger])
      t.deepEqual(await outcomes(user, `${path.replace(/\d+$/, '99999999')}/custom_attributes`), missing, path);
  }
  const group = await app.build.group({ visibility: 'public' });
  const project = await app.build.projectIn(group, { visibility: 'internal' });
  for (const path of [`/groups/${group.id}`, `/projects/${project.id}`])
    t.deepEqual(await outcomes(stranger, `${path}/custom_attributes`), forbidden, path);
});

// Contract: custom-attributes-2.1
test('without a credential reading is 403 or 404 and writing 401; a bad token is 401 everywhere', async (t) => {
  const bad = app.withHeaders({ 'PRIVATE-TOKEN': 'nobody-has-this-token' });
  const open = await app.build.group({ visibility: 'public' });
  for (const { path } of [...(await owners()), { path: `/groups/${open.id}` }]) {
    const base = `${path}/custom_attributes`;
    const status = path.startsWith('/users') || path === `/groups/${open.id}` ? 403 : 404;
    t.is((await app.anonymous.get(base)).status, status, path);
    t.is((await app.anonymous.get(`${base}/k`)).status, status, path);
    t.is((await app.anonymous.get(base.replace(/\d+/, '99999999'))).status, 404);
    t.is((await app.anonymous.put(`${base}/k`, { value: 'v' })).status, 401);
    t.is((await app.anonymous.delete(`${base}/k`)).status, 401);
    t.is((await bad.get(base)).status, 401);
    t.is((await bad.put(`${base}/k`, { value: 'v' })).status, 401);
  }
});

// Contract: custom-attributes-2.4
test('read_api suffices to read, api is needed to write, and sudo has the rights of the other user', async (t) => {
  const admin = await app.build.admin();
  const reader = await app.build.token(admin, { scopes: ['read_api'] });
  const [one] = await owners();
  const base = `${one?.path}/custom_attributes`;
  t.is((await app.as(reader).get(base)).status, 200);
  const rejection = await app.as(reader).put(`${base}/k`, { value: 'v' });
  t.is(rejection.status, 403);
  t.like(rejection.body, { error: 'insufficient_scope', scope: 'api' });
  t.is((await app.as(reader).delete(`${base}/k`)).status, 403);
  t.is(
    (
      await app
        .as(admin)
        .with({ Sudo: String(one?.owner.id) })
        .get(base)
    ).status,
    403,
  );
});

// Contract: custom-attributes-4
test('groups and projects are also named by their full path, users only by id', async (t) => {
  const admin = app.as(await app.build.admin());
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const attributePath = (path: string) => `${encodeURIComponent(path)}/custom_attributes/k`;
  t.is((await admin.put(`/groups/${attributePath(group.full_path.toUpperCase())}`, { value: 'v' })).status, 200);
  t.is((await admin.get(`/groups/${group.id}/custom_attributes/k`)).status, 200);
  t.is((await admin.put(`/projects/${attributePath(project.full_path)}`, { value: 'v' })).status, 200);
  t.is((await admin.get(`/projects/${project.id}/custom_attributes/k`)).status, 200);
  for (const path of [`/users/${group.owner.username}`, '/users/9999999999999999999', '/projects/no-slash'])
    t.deepEqual((await admin.get(`${path}/custom_attributes`)).body, { message: '404 Not Found' });
  // A personal namespace is no group.
  t.is((await admin.get(`/groups/${group.owner.username}/custom_attributes`)).status, 404);
});

// Contract: custom-attributes-3.keys
test('the same key on another owner is another attribute', async (t) => {
  const admin = app.as(await app.build.admin());
  const [one, two] = [await app.build.user(), await app.build.user()];
  await admin.put(`/users/${one.id}/custom_attributes/k`, { value: 'first' });
  await admin.put(`/users/${two.id}/custom_attributes/k`, { value: 'second' });
  t.is((await admin.get(`/users/${one.id}/custom_attributes/k`)).body.value, 'first');
  await admin.delete(`/users/${one.id}/custom_attributes/k`);
  t.is((await admin.get(`/users/${two.id}/custom_attributes/k`)).body.value, 'second');
});
