import test from 'ava';
import { sql } from 'kysely';
import { useApp } from './app.js';
import type { BuiltUser } from './builders.js';
import { unique } from './builders.js';
import { closedByKeyset, holdsByKeyset, NEWEST, OLDEST } from './keyset-walk.js';
import type { KeysetList } from './keyset-walk.js';

const app = useApp(test);
const RECORDS = 5;
const word = () => `w${unique()}x${Math.random().toString(36).slice(2, 8)}`;

const EVERYBODY = ['anonymous', 'user'] as const;

const asWho = (by: 'anonymous' | 'user', user: BuiltUser) => (by === 'anonymous' ? app.anonymous : app.as(user));

async function projects(by: 'anonymous' | 'user', sort: 'asc' | 'desc'): Promise<KeysetList> {
  const owner = await app.build.user();
  const tag = word();
  const ids: number[] = [];
  for (let index = 0; index < RECORDS; index += 1)
    ids.push((await app.build.project({ owner, empty: true, visibility: 'public', name: `${tag} ${index}` })).id);
  return {
    as: asWho(by, owner),
    path: `/projects?search=${tag}`,
    expected: sort === 'asc' ? ids : ids.toReversed(),
    key: 'id',
  };
}

/** Users are found by a search, in the requested order; anonymous callers specify a user name. */
async function users(
  by: 'anonymous' | 'user',
  column: 'id' | 'name' | 'username',
  sort: 'asc' | 'desc',
): Promise<KeysetList> {
  const tag = word();
  const builtUsers: BuiltUser[] = [];
  for (const letter of ['c', 'a', 'e', 'b', 'd'])
    builtUsers.push(await app.build.user({ username: `${letter}-${tag}`, name: `${letter} ${tag}` }));
  if (by === 'anonymous') {
    const [one] = builtUsers as [BuiltUser];
    return { as: app.anonymous, path: `/users?username=${one.username}`, expected: [one.id], key: 'id' };
  }
  const value = (user: BuiltUser) => (column === 'id' ? user.id : user[column]);
  const ids = builtUsers.toSorted((a, b) => (value(a) < value(b) ? -1 : 1)).map((user) => user.id);
  const expected = sort === 'asc' ? ids : ids.toReversed();
  return { as: app.as(await app.build.user()), path: `/users?search=${tag}`, expected, key: 'id' };
}

async function groups(): Promise<KeysetList> {
  const tag = word();
  const owner = await app.build.user();
  const letters = ['c', 'a', 'e', 'b', 'd'];
  for (const letter of letters)
    await app.build.group({ owner, name: `${tag} ${letter}`, path: `${letter}-${tag}`, visibility: 'public' });
  const expected = letters.toSorted().map((letter) => `${tag} ${letter}`);
  return { as: app.anonymous, path: `/groups?search=${tag}`, expected, key: 'name' };
}

async function jobs(visibility: 'private' | 'public'): Promise<KeysetList> {
  const project = await app.build.project({ visibility });
  const client = app.as(project.owner);
  const branch = await client.get(`/projects/${project.id}/repository/branches/main`);
  const expected: number[] = [];
  for (let index = 0; index < RECORDS; index += 1) {
    const { body } = await client.post(`/projects/${project.id}/statuses/${branch.body.commit.id}`, {
      state: 'success',
      ref: 'main',
      name: `job ${index}`,
    });
    expected.unshift(body.id as number);
  }
  return { as: client, path: `/projects/${project.id}/jobs?`, expected, key: 'id' };
}

async function tree(by: 'anonymous' | 'user'): Promise<KeysetList> {
  const project = await app.build.project({ visibility: 'public' });
  for (const name of ['a', 'b', 'c', 'd'])
    await app.as(project.owner).post(`/projects/${project.id}/repository/files/${name}.txt`, {
      branch: 'main',
      content: name,
      commit_message: 'Add',
    });
  const expected = ['README.md', 'a.txt', 'b.txt', 'c.txt', 'd.txt'];
  return { as: asWho(by, project.owner), path: `/projects/${project.id}/repository/tree?`, expected, key: 'path' };
}

/** Events of a project or group, of whatever was done to it. */
async function auditEvents(of: 'instance' | 'group' | 'project'): Promise<KeysetList> {
  const owner = await app.build.user();
  const project = await app.build.project({ owner, empty: true });
  const group = await app.build.group({ owner });
  const target = of === 'project' ? project : group;
  const type = of === 'project' ? 'Project' : 'Group';
  await app.context().query(sql`delete from audit_events where entity_type = ${type} and entity_id = ${target.id}`);
  const rows = await app.context().query<{ id: number }>(sql`
    insert into audit_events (namespace_id, entity_type, entity_id, entity_path, author_id, author_name, event_name,
                              target_type, target_id, target_details, message, created_at)
    select ${group.id}, ${type}, ${target.id}, 'x', ${owner.id}, 'x', 'x', ${type}, ${target.id}, 'x', 'x', ${app.clock.now()}
      from generate_series(1, ${RECORDS}) returning id`);
  const path =
    of === 'instance' ? `/audit_events?entity_type=Group&entity_id=${group.id}` : `/${of}s/${target.id}/audit_events?`;
  const as = of === 'instance' ? app.as(await app.build.admin()) : app.as(owner);
  return { as, path, expected: rows.map(({ id }) => id).toReversed(), key: 'id' };
}

// Contract: interface-4.0.8a.group-audit-events
test('the audit events of a group go by keyset newest first, for whoever is signed in', async (t) => {
  const ready = () => auditEvents('group');
  await holdsByKeyset(t, { order: NEWEST, unsupportedOrders: OLDEST, by: ['user'], ready });
  await closedByKeyset(t, app.anonymous, await ready(), 401);
});

// Contract: interface-4.0.8a.groups
test('groups go by keyset by name ascending, for whoever is not signed in', async (t) => {
  const unsupportedOrders = ['order_by=id&sort=asc', 'order_by=path&sort=asc', 'order_by=name&sort=desc'];
  await holdsByKeyset(t, { order: 'order_by=name&sort=asc', unsupportedOrders, by: ['anonymous'], ready: groups });
});

// Contract: interface-4.0.8a.instance-audit-events
test('the audit events of the instance go by keyset newest first, for whoever is signed in', async (t) => {
  const ready = () => auditEvents('instance');
  await holdsByKeyset(t, { order: NEWEST, unsupportedOrders: OLDEST, by: ['user'], ready });
  await closedByKeyset(t, app.anonymous, await ready(), 401);
});

// Contract: interface-4.0.8a.project-jobs
test('the jobs of a project go by keyset newest first, for whoever is signed in', async (t) => {
  await holdsByKeyset(t, { order: NEWEST, unsupportedOrders: OLDEST, by: ['user'], ready: () => jobs('private') });
  await closedByKeyset(t, app.anonymous, await jobs('public'), 405);
});

// Contract: interface-4.0.8a.project-audit-events
test('the audit events of a project go by keyset newest first, for whoever is signed in', async (t) => {
  const ready = () => auditEvents('project');
  await holdsByKeyset(t, { order: NEWEST, unsupportedOrders: OLDEST, by: ['user'], ready });
  await closedByKeyset(t, app.anonymous, await ready(), 401);
});

// Contract: interface-4.0.8, interface-4.0.8a.projects
test('projects go by keyset by id both ways, for everybody', async (t) => {
  const unsupportedOrders = ['order_by=name', 'order_by=created_at', 'order_by=updated_at&sort=asc', ''];
  for (const sort of ['asc', 'desc'] as const)
    await holdsByKeyset(t, {
      order: `order_by=id&sort=${sort}`,
      unsupportedOrders,
      by: EVERYBODY,
      ready: (by) => projects(by, sort),
    });
});

// Contract: interface-4.0.8a.users
test('users go by keyset by id, name and username both ways, for everybody', async (t) => {
  for (const column of ['id', 'name', 'username'] as const)
    for (const sort of ['asc', 'desc'] as const)
      await holdsByKeyset(t, {
        order: `order_by=${column}&sort=${sort}`,
        unsupportedOrders: [],
        by: EVERYBODY,
        ready: (by) => users(by, column, sort),
      });
});

// Contract: interface-4.0.8a.tree
test('a tree goes by keyset without a choice of order, for everybody', async (t) => {
  await holdsByKeyset(t, { order: '', unsupportedOrders: [], by: EVERYBODY, ready: tree });
});
