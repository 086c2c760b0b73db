import test from 'ava';
import type { ExecutionContext } from 'ava';
import { sql } from '../../shared/core/sql.js';
import { useApp } from './app.js';
import type { BuiltUser } from './builders.js';
import { unique } from './builders.js';
import type { Answer, Client } from './client.js';

const app = useApp(test);
const RECORDS = 5;
const word = () => `w${unique()}x${Math.random().toString(36).slice(2, 8)}`;

interface Asked {
  as: Client;
  /** Path and query below `/api/v4`, without paging. */
  path: string;
  /** What the records are told apart by, in the order that the list must have. */
  expected: unknown[];
  key: string;
}

/** One row of the seed's table 4.0.8a, made ready by its `ready`. */
interface Resource {
  /** `order_by` and `sort` that are offered. */
  order: string;
  /** Orders that are not, for the same callers. */
  refused: readonly string[];
  by: readonly ('anonymous' | 'user')[];
  ready: (by: 'anonymous' | 'user') => Promise<Asked>;
}

const EVERYBODY = ['anonymous', 'user'] as const;

const asWho = (by: 'anonymous' | 'user', user: BuiltUser) => (by === 'anonymous' ? app.anonymous : app.as(user));

async function projects(by: 'anonymous' | 'user', sort: 'asc' | 'desc'): Promise<Asked> {
  const owner = await app.build.user();
  const tag = word();
  const ids: number[] = [];
  for (let made = 0; made < RECORDS; made += 1)
    ids.push((await app.build.project({ owner, empty: true, visibility: 'public', name: `${tag} ${made}` })).id);
  return {
    as: asWho(by, owner),
    path: `/projects?search=${tag}`,
    expected: sort === 'asc' ? ids : ids.toReversed(),
    key: 'id',
  };
}

/** Users are found by a search, in the order that anybody asks for; anonymous callers name one. */
async function users(
  by: 'anonymous' | 'user',
  column: 'id' | 'name' | 'username',
  sort: 'asc' | 'desc',
): Promise<Asked> {
  const tag = word();
  const made: BuiltUser[] = [];
  for (const letter of ['c', 'a', 'e', 'b', 'd'])
    made.push(await app.build.user({ username: `${letter}-${tag}`, name: `${letter} ${tag}` }));
  if (by === 'anonymous') {
    const [one] = made as [BuiltUser];
    return { as: app.anonymous, path: `/users?username=${one.username}`, expected: [one.id], key: 'id' };
  }
  const value = (user: BuiltUser) => (column === 'id' ? user.id : user[column]);
  const ids = made.toSorted((a, b) => (value(a) < value(b) ? -1 : 1)).map((user) => user.id);
  const expected = sort === 'asc' ? ids : ids.toReversed();
  return { as: app.as(await app.build.user()), path: `/users?search=${tag}`, expected, key: 'id' };
}

async function groups(): Promise<Asked> {
  const tag = word();
  const owner = await app.build.user();
  const letters = ['c', 'a', 'e', 'b', 'd'];
  for (const letter of letters)
    await app.build.group({ owner, name: `${tag} ${letter}`, path: `${letter}-${tag}`, visibility: 'public' });
  const expected = letters.toSorted().map((letter) => `${tag} ${letter}`);
  return { as: app.anonymous, path: `/groups?search=${tag}`, expected, key: 'name' };
}

async function jobs(visibility: 'private' | 'public'): Promise<Asked> {
  const project = await app.build.project({ visibility });
  const client = app.as(project.owner);
  const branch = await client.get(`/projects/${project.id}/repository/branches/main`);
  const expected: number[] = [];
  for (let made = 0; made < RECORDS; made += 1) {
    const { body } = await client.post(`/projects/${project.id}/statuses/${branch.body.commit.id}`, {
      state: 'success',
      ref: 'main',
      name: `job ${made}`,
    });
    expected.unshift(body.id as number);
  }
  return { as: client, path: `/projects/${project.id}/jobs?`, expected, key: 'id' };
}

async function tree(by: 'anonymous' | 'user'): Promise<Asked> {
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
async function auditEvents(of: 'instance' | 'group' | 'project'): Promise<Asked> {
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

const NEWEST = 'order_by=id&sort=desc';
const REFUSED = { error: 'Keyset pagination is not yet available for this type of request' };

const PAGING = ['x-page', 'x-per-page', 'x-next-page', 'x-prev-page', 'x-total', 'x-total-pages'];

const joined = (path: string, query: string) => `${path}${path.endsWith('?') ? '' : '&'}${query}`;

/** The path below `/api/v4` that the one `next` link names; null without a `Link` header. */
function nextOf({ headers }: Answer): string | null {
  const link = headers.get('link');
  if (link === null) return null;
  const [, url] = /^<([^<>]*)>; rel="next"$/.exec(link) ?? [];
  if (url === undefined) throw new Error(`Link: ${link}`);
  const { pathname, search } = new URL(url);
  return pathname.slice('/api/v4'.length) + search;
}

/** Walks a resource to its end, and tells what it saw against the seed's rules 8 and 8a. */
async function walk({ as, path, expected, key }: Asked, order: string): Promise<string[]> {
  const problems: string[] = [];
  const seen: unknown[] = [];
  let next: string | null = joined(path, `pagination=keyset&${order}&per_page=2`);
  for (let turn = 0; next !== null && turn < 10; turn += 1) {
    const answer: Answer = await as.get(next);
    if (answer.status !== 200) return [`${next}: ${answer.status} ${answer.text}`];
    const records = answer.body as Record<string, unknown>[];
    if (records.length > 2) problems.push(`${next}: ${records.length} records`);
    for (const name of PAGING) if (answer.headers.has(name)) problems.push(`${next}: has ${name}`);
    seen.push(...records.map((record) => record[key]));
    const following: string | null = nextOf(answer);
    if ((following === null) !== (records.length === 0))
      problems.push(`${next}: ${records.length} records, Link ${following}`);
    for (const part of following === null ? [] : (path.split('?')[1]?.split('&') ?? []))
      if (part !== '' && !following?.includes(part)) problems.push(`${following}: lost ${part}`);
    next = following;
  }
  if (next !== null) problems.push('it never ends');
  if (JSON.stringify(seen) !== JSON.stringify(expected))
    problems.push(`${path} ${order}: ${JSON.stringify(seen)} instead of ${JSON.stringify(expected)}`);
  return problems;
}

/** Holds one resource to the seed: the walk, the orders that are refused, and the sizes of pages. */
async function hold(t: ExecutionContext, { order, refused, by, ready }: Resource): Promise<void> {
  for (const caller of by) {
    const asked = await ready(caller);
    const { as, path, expected } = asked;
    t.deepEqual(await walk(asked, order), [], `${caller}: ${order}`);
    const get = (query: string) => as.get(joined(path, `pagination=keyset&${query}`));
    for (const other of refused) {
      const { status, body } = await get(other);
      t.deepEqual({ status, body }, { status: 405, body: REFUSED }, `${caller}: ${other}`);
    }
    for (const size of ['', '&per_page=1000']) t.is((await get(`${order}${size}`)).body.length, expected.length, size);
    const none = await get(`${order}&per_page=0`);
    t.deepEqual([none.status, none.body], [400, { error: 'per_page has a value not allowed' }]);
  }
}

/** Whoever is not signed in is not given the resource by keyset, though it may be theirs to read. */
async function closedToAnonymous(t: ExecutionContext, { path }: Asked, status: 401 | 405): Promise<void> {
  const answer = await app.anonymous.get(joined(path, `pagination=keyset&${NEWEST}`));
  t.is(answer.status, status);
  t.deepEqual(answer.body, status === 405 ? REFUSED : { message: '401 Unauthorized' });
}

const OLDEST = ['order_by=id&sort=asc'];

// Contract: seed-4.0.8a.group-audit-events
test('the audit events of a group go by keyset newest first, for whoever is signed in', async (t) => {
  const ready = () => auditEvents('group');
  await hold(t, { order: NEWEST, refused: OLDEST, by: ['user'], ready });
  await closedToAnonymous(t, await ready(), 401);
});

// Contract: seed-4.0.8a.groups
test('groups go by keyset by name ascending, for whoever is not signed in', async (t) => {
  const refused = ['order_by=id&sort=asc', 'order_by=path&sort=asc', 'order_by=name&sort=desc'];
  await hold(t, { order: 'order_by=name&sort=asc', refused, by: ['anonymous'], ready: groups });
});

// Contract: seed-4.0.8a.instance-audit-events
test('the audit events of the instance go by keyset newest first, for whoever is signed in', async (t) => {
  const ready = () => auditEvents('instance');
  await hold(t, { order: NEWEST, refused: OLDEST, by: ['user'], ready });
  await closedToAnonymous(t, await ready(), 401);
});

// Contract: seed-4.0.8a.project-jobs
test('the jobs of a project go by keyset newest first, for whoever is signed in', async (t) => {
  await hold(t, { order: NEWEST, refused: OLDEST, by: ['user'], ready: () => jobs('private') });
  await closedToAnonymous(t, await jobs('public'), 405);
});

// Contract: seed-4.0.8a.project-audit-events
test('the audit events of a project go by keyset newest first, for whoever is signed in', async (t) => {
  const ready = () => auditEvents('project');
  await hold(t, { order: NEWEST, refused: OLDEST, by: ['user'], ready });
  await closedToAnonymous(t, await ready(), 401);
});

// Contract: seed-4.0.8, seed-4.0.8a.projects
test('projects go by keyset by id both ways, for everybody', async (t) => {
  const refused = ['order_by=name', 'order_by=created_at', 'order_by=updated_at&sort=asc', ''];
  for (const sort of ['asc', 'desc'] as const)
    await hold(t, { order: `order_by=id&sort=${sort}`, refused, by: EVERYBODY, ready: (by) => projects(by, sort) });
});

// Contract: seed-4.0.8a.users
test('users go by keyset by id, name and username both ways, for everybody', async (t) => {
  for (const column of ['id', 'name', 'username'] as const)
    for (const sort of ['asc', 'desc'] as const)
      await hold(t, {
        order: `order_by=${column}&sort=${sort}`,
        refused: [],
        by: EVERYBODY,
        ready: (by) => users(by, column, sort),
      });
});

// Contract: seed-4.0.8a.tree
test('a tree goes by keyset without a choice of order, for everybody', async (t) => {
  await hold(t, { order: '', refused: [], by: EVERYBODY, ready: tree });
});
