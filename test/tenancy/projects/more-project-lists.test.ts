import test from 'ava';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { unique } from '../../core/builders.js';
import type { Client } from '../../core/client.js';

const app = useApp(test);
const word = () => `w${unique()}x${Math.random().toString(36).slice(2, 8)}`;

async function getNames(client: Client, path: string): Promise<string> {
  const { status, body } = await client.get(`${path}${path.includes('?') ? '&' : '?'}per_page=100`);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return (body as { name: string }[]).map(({ name }) => name.at(-1)).join('');
}

const change = (id: number, to: RawBuilder<unknown>) =>
  app.context().query(sql`update projects set ${to} where id = ${id}`);

async function star(user: BuiltUser, id: number) {
  await app.context().query(sql`
    insert into project_stars (project_id, user_id, created_at) values (${id}, ${user.id}, ${app.clock.now()})`);
}

/** Projects of one owner, named by the letters. */
async function shelf(letters: string, visibility = 'private') {
  const owner = await app.build.user();
  const tag = word();
  const ids: Record<string, number> = {};
  for (const letter of letters)
    ids[letter] = (await app.build.project({ owner, empty: true, visibility, name: `${tag} ${letter}` })).id;
  const list = (query: string, by: BuiltUser | null = owner) =>
    getNames(by ? app.as(by) : app.anonymous, `/projects?search=${tag}&sort=asc&${query}`);
  return { owner, tag, ids: ids as Record<string, number> & { A: number; B: number; C: number; D: number }, list };
}

// Contract: interface-4.10.topic, interface-4.10.topic_id
test('topics are all needed, whatever their case, trimmed and without empty ones', async (t) => {
  const { ids, list } = await shelf('ABC');
  const [one, two] = [word(), word()];
  const set = async (id: number, topics: string[]) => {
    const now = app.clock.now();
    await app.context().query(sql`
      insert into topics (name, title, created_at, updated_at)
      select name, name, ${now}, ${now} from unnest(${topics}::text[]) name on conflict do nothing`);
    await app.context().query(sql`
      insert into project_topics (project_id, topic_id)
      select ${id}, t.id from topics t where t.name = any(${topics}::text[])`);
  };
  await set(ids.A, [one, two]);
  await set(ids.B, [one]);
  t.is(await list(`topic=${one}`), 'AB');
  t.is(await list(`topic=${one.toUpperCase()},%20${two}%20,,`), 'A');
  t.is(await list(`topic=${two},nothing-${two}`), '');
  t.is(await list('topic='), 'ABC');
  t.is(await list('topic=,%20,'), 'ABC');
  t.is(await list(`topic[]=${one}&topic[]=${two}`), 'A');
  const [row] = await app.context().query<{ id: number }>(sql`select id from topics where name = ${two}`);
  t.is(await list(`topic_id=${row?.id}`), 'A');
  t.is(await list('topic_id=99999999'), '');
});

// Contract: interface-4.10.topic
test('hundreds of topics are as good a filter as two', async (t) => {
  const { ids, list, owner } = await shelf('AB');
  const tag = word();
  const topics = Array.from({ length: 400 }, (_, index) => `${tag}${index}`);
  await app.as(owner).put(`/projects/${ids.A}`, { topics: topics.slice(0, 8) });
  await app.as(owner).put(`/projects/${ids.B}`, { topics: topics.slice(1, 8) });
  t.is(await list(`topic=${topics.slice(0, 8)}`), 'A');
  t.is(await list(`topic=${topics.slice(1, 8)}`), 'AB');
  t.is(await list(`topic=${[...topics.slice(1, 8), ...topics.slice(1, 8).map((name) => name.toUpperCase())]}`), 'AB');
  t.is(await list(`topic=${topics}`), '');
});

// Contract: interface-4.10.with_enabled
test('features that are on and open to the caller are chosen: private ones for members alone', async (t) => {
  for (const feature of ['issues', 'merge_requests'] as const) {
    const { owner, ids, list } = await shelf('ABC', 'public');
    const level = (id: number, value: string) =>
      change(
        id,
        feature === 'issues' ? sql`issues_access_level = ${value}` : sql`merge_requests_access_level = ${value}`,
      );
    await level(ids.A, 'disabled');
    await level(ids.B, 'private');
    t.is(await list(`with_${feature}_enabled=true`), 'BC', feature);
    t.is(await list(`with_${feature}_enabled=true`, await app.build.user()), 'C', feature);
    t.is(await list(`with_${feature}_enabled=true`, null), 'C', feature);
    t.is(await list(`with_${feature}_enabled=true`, await app.build.admin()), 'BC', feature);
    t.is(await list(`with_${feature}_enabled=false`), 'ABC', feature);
    t.truthy(owner);
  }
});

// Contract: interface-4.10.with_programming_language
test('a programming language is found by its whole name, whatever the case', async (t) => {
  const { ids, list } = await shelf('AB');
  await app.context().query(sql`
    insert into project_languages (project_id, name, bytes) values (${ids.A}, 'TypeScript', 10), (${ids.B}, 'C', 10)`);
  t.is(await list('with_programming_language=typescript'), 'A');
  t.is(await list('with_programming_language=Type'), '');
  t.is(await list('with_programming_language='), 'AB');
});

// Contract: interface-4.10.with_programming_language
test('a programming language finds only projects whose code the caller reads', async (t) => {
  const { owner, ids, list } = await shelf('ABCD', 'public');
  await app.context().query(sql`
    insert into project_languages (project_id, name, bytes)
    select id, 'Ada', 10 from unnest(${Object.values(ids)}::bigint[]) as u (id)`);
  await app.context().query(sql`update projects set visibility = 'private' where id = ${ids.B}`);
  await app.context().query(sql`update projects set repository_access_level = 'private' where id = ${ids.C}`);
  await app.context().query(sql`update projects set repository_access_level = 'disabled' where id = ${ids.D}`);
  const [guest, reporter, stranger] = [await app.build.user(), await app.build.user(), await app.build.user()];
  for (const id of [ids.B, ids.C, ids.D]) {
    await app.build.member({ id }, 'guest', guest);
    await app.build.member({ id }, 'reporter', reporter);
  }
  const listFor = (user: typeof owner | null) => list('with_programming_language=ada', user);
  t.is(await listFor(owner), 'ABC');
  t.is(await listFor(reporter), 'ABC');
  t.is(await listFor(guest), 'AC');
  t.is(await listFor(stranger), 'A');
  t.is(await listFor(null), 'A');
  t.is(await listFor(await app.build.admin()), 'ABC');
});

// Contract: interface-4.10.starred
test("starred chooses the caller's stars", async (t) => {
  const { owner, ids, list } = await shelf('ABC', 'public');
  const other = await app.build.user();
  await star(owner, ids.A);
  await star(other, ids.B);
  t.is(await list('starred=true'), 'A');
  t.is(await list('starred=true', other), 'B');
  t.is(await list('starred=true', null), '');
  t.is(await list('starred=false'), 'ABC');
});

// Contract: interface-4.10.custom_attributes
test('custom attributes filter for administrators, by every pair, and are ignored for others', async (t) => {
  const { ids, list, tag } = await shelf('AB', 'public');
  const admin = await app.build.admin();
  const set = (id: number, key: string, value: string) =>
    app.as(admin).put(`/projects/${id}/custom_attributes/${key}`, { value });
  await set(ids.A, 'place', 'Oslo');
  await set(ids.A, 'team', 'blue');
  await set(ids.B, 'place', 'Oslo');
  t.is(await list('custom_attributes[place]=Oslo', admin), 'AB');
  t.is(await list('custom_attributes[place]=Oslo&custom_attributes[team]=blue', admin), 'A');
  t.is(await list('custom_attributes[place]=oslo', admin), '');
  t.is(await list('custom_attributes[place]=', admin), '');
  t.is(await list('custom_attributes[place]=Rome'), 'AB');
  const bad = await app.as(admin).get(`/projects?search=${tag}&custom_attributes=x`);
  t.is(bad.status, 400);
  t.deepEqual(bad.body, { error: 'custom_attributes is invalid' });
});

// Contract: interface-4.10.order_by-sizes
test('sizes order for administrators, and others get the order by creation', async (t) => {
  const { ids, list } = await shelf('ABC', 'public');
  const admin = await app.build.admin();
  for (const [id, size] of [
    [ids.A, 20],
    [ids.B, 10],
    [ids.C, 20],
  ] as const)
    await app.context().query(sql`
      update project_statistics set repository_size = ${size}, packages_size = ${size}, wiki_size = ${size}
       where project_id = ${id}`);
  for (const size of ['repository_size', 'storage_size', 'packages_size', 'wiki_size']) {
    t.is(await list(`order_by=${size}`, admin), 'BAC', size);
    t.is(await list(`order_by=${size}`), 'ABC', size);
    t.is(await list(`order_by=${size}`, null), 'ABC', size);
  }
});

// Contract: interface-4.10.include_pending_delete
test('what is being removed is hidden from everybody, and listed for administrators who ask for it', async (t) => {
  const { ids, list } = await shelf('AB', 'public');
  await change(ids.A, sql`removal_started_at = now()`);
  const admin = await app.build.admin();
  t.is(await list(''), 'B');
  t.is(await list('include_pending_delete=true'), 'B');
  t.is(await list('', admin), 'B');
  t.is(await list('include_pending_delete=true', admin), 'AB');
});

// Contract: projects-1.user
test("a user's projects are those of the own namespace that the caller sees, by id or username", async (t) => {
  const { owner, ids, tag } = await shelf('AB');
  await change(ids.B, sql`visibility = 'public'`);
  const group = await app.build.group({ owner });
  await app.build.projectIn(group, { name: `${tag} G` });
  const list = (reference: string | number, client: Client) =>
    getNames(client, `/users/${reference}/projects?sort=asc`);
  t.is(await list(owner.id, app.as(owner)), 'AB');
  t.is(await list(owner.username.toUpperCase(), app.as(owner)), 'AB');
  t.is(await list(owner.username, app.anonymous), 'B');
  t.is(await list(owner.id, app.as(await app.build.user())), 'B');
  t.is(await getNames(app.as(owner), `/users/${owner.id}/projects?visibility=private`), 'A');
  for (const kind of ['projects', 'starred_projects', 'contributed_projects'])
    for (const reference of ['99999999', 'no-such-user', '9'.repeat(20)]) {
      const { status, body } = await app.anonymous.get(`/users/${reference}/${kind}`);
      t.is(status, 404, `${reference} ${kind}`);
      t.deepEqual(body, { message: '404 User Not Found' });
    }
  const { body } = await app.anonymous.get(`/users/${owner.id}/projects`);
  t.false('creator_id' in body[0]);
});

// Contract: projects-1.starred
test("a user's stars are listed as the caller sees the projects, and a private profile keeps them [unverified]", async (t) => {
  const { owner, ids } = await shelf('AB');
  await change(ids.B, sql`visibility = 'public'`);
  await star(owner, ids.A);
  await star(owner, ids.B);
  const list = (client: Client) => getNames(client, `/users/${owner.id}/starred_projects?sort=asc`);
  t.is(await list(app.as(owner)), 'AB');
  t.is(await list(app.anonymous), 'B');
  await app.context().query(sql`update user_profiles set private_profile = true where user_id = ${owner.id}`);
  t.is(await list(app.anonymous), '');
  t.is(await list(app.as(await app.build.user())), '');
  t.is(await list(app.as(owner)), 'AB');
  t.is(await list(app.as(await app.build.admin())), 'AB');
});

// Contract: projects-1.contributed
test('whoever pushes to a project has contributed to it for a year', async (t) => {
  const { owner, ids } = await shelf('AB', 'public');
  const user = await app.build.member({ id: ids.A }, 'maintainer');
  const commit = (by: BuiltUser, branch: string) =>
    app.as(by).post(`/projects/${ids.A}/repository/files/${branch}.txt`, {
      branch: 'main',
      content: 'a',
      commit_message: 'Add',
    });
  t.is((await commit(owner, 'one')).status, 201);
  t.is((await commit(user, 'two')).status, 201);
  t.is((await commit(user, 'three')).status, 201);
  const list = (of: BuiltUser) => getNames(app.anonymous, `/users/${of.id}/contributed_projects?simple=true`);
  t.is(await list(user), 'A');
  t.is(await list(owner), 'A');
  await app.context().query(sql`
    update project_contributions set contributed_on = date '2029-01-01' where user_id = ${user.id}`);
  t.is(await list(user), '');
  const bad = await app.anonymous.get(`/users/${user.id}/contributed_projects?order_by=similarity`);
  t.deepEqual(bad.body, { error: 'order_by does not have a valid value' });
});

// Contract: projects-1.forks
test('forks are listed as the caller sees them', async (t) => {
  const { owner, ids } = await shelf('ABC', 'public');
  await change(ids.B, sql`forked_from_id = ${ids.A}`);
  await change(ids.C, sql`forked_from_id = ${ids.A}, visibility = 'private'`);
  const list = (client: Client, query = '') => getNames(client, `/projects/${ids.A}/forks?sort=asc${query}`);
  t.is(await list(app.as(owner)), 'BC');
  t.is(await list(app.anonymous), 'B');
  t.is(await list(app.as(owner), '&visibility=private'), 'C');
  t.is((await app.anonymous.get('/projects/99999999/forks')).status, 404);
});

/** A tree with a project in each: Top (T), Sub below it (S), Deep below that (D), and a project of Other's shared with Sub (O). */
async function tree() {
  const owner = await app.build.user();
  const tag = word();
  const top = await app.build.group({ owner, visibility: 'public' });
  const sub = await app.build.group({ owner, parent: top, visibility: 'public' });
  const deep = await app.build.group({ owner, parent: sub, visibility: 'public' });
  const other = await app.build.group({ owner, visibility: 'public' });
  const inside = async (group: typeof top, letter: string) =>
    (await app.build.projectIn(group, { name: `${tag} ${letter}`, visibility: 'public' })).id;
  const ids = {
    T: await inside(top, 'T'),
    S: await inside(sub, 'S'),
    D: await inside(deep, 'D'),
    O: await inside(other, 'O'),
  };
  await app.as(owner).post(`/projects/${ids.O}/share`, { group_id: sub.id, group_access: 30 });
  return { owner, tag, top, sub, deep, other, ids };
}

// Contract: projects-3
test("a group's projects reach to shared ones, and to groups below and above where that is asked for", async (t) => {
  const { owner, top, sub } = await tree();
  const list = (id: number, query = '') => getNames(app.as(owner), `/groups/${id}/projects?sort=asc&${query}`);
  t.is(await list(sub.id), 'SO');
  t.is(await list(sub.id, 'with_shared=false'), 'S');
  t.is(await list(sub.id, 'include_subgroups=true'), 'SDO');
  t.is(await list(sub.id, 'include_ancestor_groups=true&with_shared=false'), 'TS');
  t.is(await list(top.id), 'T');
  t.is(await list(top.id, 'include_subgroups=true'), 'TSDO');
  t.is(await list(top.id, 'include_subgroups=true&with_shared=false'), 'TSD');
  t.is(await getNames(app.as(owner), `/groups/${sub.id}/projects/shared`), 'O');
  t.is(await getNames(app.as(owner), `/groups/${top.id}/projects/shared`), '');
});

// Contract: projects-3
test("a group's list takes filters, shows what the caller sees, and is 404 with an unreadable group", async (t) => {
  const { owner, tag, sub, ids } = await tree();
  await change(ids.S, sql`visibility = 'private', archived = true`);
  const path = `/groups/${sub.id}/projects?sort=asc&include_subgroups=true`;
  t.is(await getNames(app.anonymous, path), 'DO');
  t.is(await getNames(app.as(owner), `${path}&archived=true`), 'S');
  t.is(await getNames(app.as(owner), `${path}&search=%22${tag}%20d%22`), 'D');
  t.is(await getNames(app.as(owner), `${path}&owned=true`), 'SDO');
  t.is(await getNames(app.as(await app.build.user()), `${path}&min_access_level=10`), '');
  t.is(await getNames(app.as(owner), `${path}&with_security_reports=true`), '');
  t.is(await getNames(app.as(owner), `/groups/${sub.id}/projects?include_subgroups=true&order_by=similarity`), 'DOS');
  t.is(
    await getNames(
      app.as(owner),
      `/groups/${sub.id}/projects?include_subgroups=true&order_by=similarity&search=${tag}`,
    ),
    'ODS',
  );
  const hidden = await app.build.group();
  for (const kind of ['projects', 'projects/shared']) {
    const { status, body } = await app.anonymous.get(`/groups/${hidden.id}/${kind}`);
    t.is(status, 404);
    t.deepEqual(body, { message: '404 Group Not Found' });
  }
  const keyset = await app.as(owner).get(`/groups/${sub.id}/projects?pagination=keyset&order_by=id`);
  t.is(keyset.status, 405);
});

// Contract: projects-3
test('a share that has ended lists nothing', async (t) => {
  const { owner, sub, ids } = await tree();
  await app.context().query(sql`update project_shares set expires_on = '2030-01-01' where project_id = ${ids.O}`);
  t.is(await getNames(app.as(owner), `/groups/${sub.id}/projects`), 'S');
});
