import test from 'ava';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';
import { sendRaw } from '../../core/raw-request.js';
import type { Client } from '../../core/client.js';

const app = useApp(test);

const set = (admin: Client, path: string, attributes: Record<string, string>) =>
  Promise.all(
    Object.entries(attributes).map(([key, value]) => admin.put(`${path}/custom_attributes/${key}`, { value })),
  );

const ids = (records: { id: number }[]) => records.map(({ id }) => id).sort((a, b) => a - b);

// Contract: custom-attributes-5.2
test('users are filtered by attributes: exactly, every pair, for administrators', async (t) => {
  const tag = `t${unique()}`;
  const admin = app.as(await app.build.admin());
  const [one, two, three] = await Promise.all([app.build.user(), app.build.user(), app.build.user()]);
  await set(admin, `/users/${one.id}`, { [tag]: 'Antarctica', [`${tag}r`]: 'Developer' });
  await set(admin, `/users/${two.id}`, { [tag]: 'Antarctica' });
  await set(admin, `/users/${three.id}`, { [`${tag}r`]: 'Developer' });
  const found = async (query: string) => ids((await admin.get(`/users?${query}`)).body);
  t.deepEqual(await found(`custom_attributes[${tag}]=Antarctica`), ids([one, two]));
  t.deepEqual(await found(`custom_attributes[${tag}]=Antarctica&custom_attributes[${tag}r]=Developer`), [one.id]);
  t.deepEqual(await found(`custom_attributes[${tag}]=antarctica`), [], 'the case of values counts');
  t.deepEqual(await found(`custom_attributes[${tag.toUpperCase()}]=Antarctica`), [], 'and of keys');
  t.deepEqual(await found(`custom_attributes[${tag}]=`), []);
  t.deepEqual(await found(`custom_attributes[${tag}]=Antarctica&search=${two.username}`), [two.id]);
  const counted = await admin.get(`/users?custom_attributes[${tag}]=Antarctica&per_page=1`);
  t.is(counted.headers.get('x-total'), '2');
  const keyset = await admin.get(`/users?custom_attributes[${tag}]=Antarctica&per_page=1&pagination=keyset`);
  t.deepEqual(ids(keyset.body), [Math.max(one.id, two.id)]);
});

// Contract: custom-attributes-5.2
test('groups are filtered by attributes, at the top and below a group', async (t) => {
  const tag = `t${unique()}`;
  const admin = app.as(await app.build.admin());
  const group = await app.build.group({ visibility: 'private' });
  const below = await app.build.group({ parent: group, visibility: 'private' });
  const beside = await app.build.group({ parent: group, visibility: 'private' });
  await set(admin, `/groups/${group.id}`, { [tag]: 'x' });
  await set(admin, `/groups/${below.id}`, { [tag]: 'x' });
  const found = async (path: string) => ids((await admin.get(`${path}?custom_attributes[${tag}]=x`)).body);
  t.deepEqual(await found('/groups'), ids([group, below]));
  t.deepEqual(await found(`/groups/${group.id}/subgroups`), [below.id]);
  t.deepEqual(await found(`/groups/${group.id}/descendant_groups`), [below.id]);
  const all = await app.as(group.owner).get(`/groups/${group.id}/subgroups?custom_attributes[${tag}]=other`);
  t.deepEqual(ids(all.body), ids([below, beside]), 'ignored for Owners');
});

// Contract: custom-attributes-5.2
test('groups that share with each other are filtered by attributes too', async (t) => {
  const tag = `t${unique()}`;
  const admin = app.as(await app.build.admin());
  const owner = await app.build.user();
  const [host, chosen, other] = [
    await app.build.group({ owner }),
    await app.build.group({ owner }),
    await app.build.group({ owner }),
  ];
  const share = (group: { id: number }, guest: { id: number }) =>
    app.as(owner).post(`/groups/${group.id}/share`, { group_id: guest.id, group_access: 30 });
  for (const guest of [chosen, other]) {
    t.is((await share(host, guest)).status, 201);
    t.is((await share(guest, host)).status, 201);
  }
  await set(admin, `/groups/${chosen.id}`, { [tag]: 'x' });
  for (const path of ['groups/shared', 'invited_groups']) {
    const list = `/groups/${host.id}/${path}?custom_attributes[${tag}]=x`;
    const found = await admin.get(`${list}&with_custom_attributes=true`);
    t.deepEqual(ids(found.body), [chosen.id], path);
    t.deepEqual(found.body[0].custom_attributes, [{ key: tag, value: 'x' }]);
    t.deepEqual(ids((await app.as(owner).get(list)).body), ids([chosen, other]), 'ignored for Owners');
    t.is((await admin.get(`/groups/${host.id}/${path}?custom_attributes=x`)).status, 400);
  }
});

// Contract: custom-attributes-5.3
test('for others the filter and the flag are ignored: everything, 200, and no such key', async (t) => {
  const tag = `t${unique()}`;
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  await set(app.as(admin), `/users/${user.id}`, { [tag]: 'x' });
  const query = `username=${user.username}&custom_attributes[${tag}]=other&with_custom_attributes=true`;
  for (const caller of [app.as(user), app.anonymous]) {
    const { status, body } = await caller.get(`/users?${query}`);
    t.is(status, 200);
    t.deepEqual(ids(body), [user.id]);
    t.false('custom_attributes' in body[0]);
  }
  t.false('custom_attributes' in (await app.as(user).get(`/users/${user.id}?with_custom_attributes=true`)).body);
});

// Contract: custom-attributes-5.1
test('with_custom_attributes shows administrators the attributes of each record, an empty list for none', async (t) => {
  const admin = app.as(await app.build.admin());
  const tag = `a${unique()}`;
  const user = await app.build.user({ username: `${tag}.one` });
  await app.build.user({ username: `${tag}.two` });
  const group = await app.build.group();
  const sub = await app.build.group({ parent: group });
  await set(admin, `/users/${user.id}`, { k: 'v' });
  await set(admin, `/groups/${sub.id}`, { k: 'v' });
  const attributes = [{ key: 'k', value: 'v' }];
  const users = (await admin.get(`/users?search=${tag}&order_by=id&sort=asc&with_custom_attributes=true`)).body;
  t.deepEqual(
    users.map((one: { custom_attributes: unknown }) => one.custom_attributes),
    [attributes, []],
  );
  for (const [path, expected] of [
    [`/users/${user.id}`, attributes],
    [`/groups/${sub.id}`, attributes],
    [`/groups/${group.id}`, []],
  ] as const)
    t.deepEqual((await admin.get(`${path}?with_custom_attributes=true`)).body.custom_attributes, expected, path);
  for (const path of ['subgroups', 'descendant_groups']) {
    const { body } = await admin.get(`/groups/${group.id}/${path}?with_custom_attributes=true`);
    t.deepEqual(body[0].custom_attributes, attributes, path);
  }
  t.false('custom_attributes' in (await admin.get(`/users/${user.id}`)).body);
  t.false('custom_attributes' in (await admin.get(`/users?username=${user.username}`)).body[0]);
});

// Contract: custom-attributes-5.2
test('a thousand attributes are as good a filter as one', async (t) => {
  const root = await app.build.admin();
  const admin = app.as(root);
  const tag = `t${unique()}`;
  const [six, five] = await Promise.all([app.build.user(), app.build.user()]);
  const pairs = Array.from({ length: 6 }, (_, index) => [`${tag}.${index}`, 'x'] as const);
  await set(admin, `/users/${six.id}`, Object.fromEntries(pairs));
  await set(admin, `/users/${five.id}`, Object.fromEntries(pairs.slice(1)));
  const found = async (attributes: (readonly [string, string])[]) => {
    const { body } = await sendRaw(app, {
      method: 'GET',
      path: '/api/v4/users',
      headers: { 'Content-Type': 'application/json', 'PRIVATE-TOKEN': root.token },
      body: JSON.stringify({ custom_attributes: Object.fromEntries(attributes) }),
    });
    return ids(body);
  };
  t.deepEqual(await found(pairs), [six.id]);
  t.deepEqual(await found(pairs.slice(1)), ids([six, five]));
  const many = Array.from({ length: 1000 }, (_, index) => [`${tag}.${index}`, 'x'] as const);
  t.deepEqual(await found(many), []);
});

// Contract: custom-attributes-3.keys
test('a key that means something to JavaScript is a key like any other', async (t) => {
  const admin = app.as(await app.build.admin());
  const user = await app.build.user();
  const value = `v${unique()}`;
  for (const key of ['__proto__', 'constructor', 'toString']) {
    await set(admin, `/users/${user.id}`, { [key]: value });
    t.deepEqual(ids((await admin.get(`/users?custom_attributes[${key}]=${value}`)).body), [user.id], key);
    t.deepEqual((await admin.get(`/users?custom_attributes[${key}]=other${value}`)).body, [], key);
  }
});

// Contract: custom-attributes-5.2
test('custom_attributes must be a hash of texts', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  for (const caller of [app.as(user), app.as(admin)]) {
    for (const path of ['/users', '/groups']) {
      const scalar = await caller.get(`${path}?custom_attributes=x`);
      t.is(scalar.status, 400);
      t.deepEqual(scalar.body, { error: 'custom_attributes is invalid' });
    }
    t.deepEqual((await caller.get('/users?custom_attributes[a][b]=x')).body, {
      error: 'custom_attributes[a] is invalid',
    });
  }
});

// Contract: custom-attributes-3.moves
test('attributes stay when a user, group or project is renamed, transferred and archived', async (t) => {
  const owner = await app.build.admin();
  const admin = app.as(owner);
  const [group, above, user] = [
    await app.build.group({ owner }),
    await app.build.group({ owner }),
    await app.build.user(),
  ];
  const project = await app.build.project({ owner, empty: true });
  const paths = { group: `/groups/${group.id}`, project: `/projects/${project.id}`, user: `/users/${user.id}` };
  for (const path of Object.values(paths)) await set(admin, path, { k: 'v' });
  const changes: [string, string, string, object][] = [
    [paths.user, 'PUT', '', { username: `moved${unique()}` }],
    [paths.group, 'PUT', '', { path: `moved${unique()}` }],
    [paths.group, 'POST', '/transfer', { group_id: above.id }],
    [paths.group, 'POST', '/archive', {}],
    [paths.project, 'PUT', '', { path: `moved${unique()}` }],
    [paths.project, 'PUT', '/transfer', { namespace: above.id }],
    [paths.project, 'POST', '/archive', {}],
  ];
  for (const [path, method, below, body] of changes) {
    const { status, text } = await admin.request(method, path + below, body);
    t.true(status < 300, `${path}${below}: ${text}`);
    t.deepEqual((await admin.get(`${path}/custom_attributes`)).body, [{ key: 'k', value: 'v' }], path + below);
  }
});

// Contract: custom-attributes-5.projects
test('projects show and are filtered by attributes too, also in their basic record', async (t) => {
  const tag = `t${unique()}`;
  const [owner, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  const one = await app.build.project({ owner, empty: true });
  const two = await app.build.project({ owner, empty: true });
  await set(app.as(admin), `/projects/${one.id}`, { [tag]: 'x' });
  const attributes = [{ key: tag, value: 'x' }];
  const path = `/users/${owner.id}/projects?with_custom_attributes=true&order_by=id&sort=asc`;
  for (const simple of ['', '&simple=true']) {
    const listed = (await app.as(admin).get(path + simple)).body as { custom_attributes: unknown }[];
    t.deepEqual(
      listed.map((project) => project.custom_attributes),
      [attributes, []],
    );
    t.false('custom_attributes' in (await app.as(owner).get(path + simple)).body[0]);
  }
  t.deepEqual(
    (await app.as(admin).get(`/projects/${one.id}?with_custom_attributes=true`)).body.custom_attributes,
    attributes,
  );
  t.false('custom_attributes' in (await app.as(owner).get(`/projects/${one.id}?with_custom_attributes=true`)).body);
  t.deepEqual(ids((await app.as(admin).get(`/projects?custom_attributes[${tag}]=x`)).body), [one.id]);
  t.deepEqual(ids((await app.as(owner).get(`/projects?owned=true&custom_attributes[${tag}]=y`)).body), ids([one, two]));
});

// Contract: custom-attributes-4.moved
test('by the old path of a project that moved its attributes are a redirect to read and 405 to write', async (t) => {
  const admin = app.as(await app.build.admin());
  const project = await app.build.project({ empty: true });
  const old = encodeURIComponent(project.full_path);
  t.is((await app.as(project.owner).put(`/projects/${project.id}`, { path: `moved-${unique()}` })).status, 200);
  const read = await admin.get(`/projects/${old}/custom_attributes`);
  t.is(read.status, 301);
  t.is(read.headers.get('location'), `http://capstan.test/api/v4/projects/${project.id}/custom_attributes`);
  t.is((await admin.put(`/projects/${old}/custom_attributes/k`, { value: 'v' })).status, 405);
  t.is((await app.as(project.owner).get(`/projects/${old}/custom_attributes`)).status, 301);
  t.is((await app.as(await app.build.user()).get(`/projects/${old}/custom_attributes`)).status, 404);
});
