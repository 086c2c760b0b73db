import test from 'ava';
import { allRoutes } from '../../api/areas.js';
import { sql } from '../../shared/core/sql.js';
import { useApp } from './app.js';
import type { BuiltUser } from './builders.js';
import { unique } from './builders.js';
import type { Answer, Client } from './client.js';
import { nameOf } from './walk.js';

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

/** One row of the seed's table 4.0.8a: made ready, and asked for by somebody who may. */
interface Resource {
  route: string;
  /** `order_by` and `sort` that are offered. */
  order: string;
  ready: (by: 'anonymous' | 'user') => Promise<Asked>;
  anonymous: boolean;
  /** Orders that are not, for the same caller. */
  refused: string[];
}

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
async function users(by: 'anonymous' | 'user', column: 'id' | 'name' | 'username'): Promise<Asked> {
  const tag = word();
  const made: BuiltUser[] = [];
  for (const letter of ['c', 'a', 'e', 'b', 'd'])
    made.push(await app.build.user({ username: `${letter}-${tag}`, name: `${letter} ${tag}` }));
  if (by === 'anonymous') {
    const [one] = made as [BuiltUser];
    return { as: app.anonymous, path: `/users?username=${one.username}`, expected: [one.id], key: 'id' };
  }
  const value = (user: BuiltUser) => (column === 'id' ? user.id : user[column]);
  const expected = made.toSorted((a, b) => (value(a) < value(b) ? -1 : 1)).map((user) => user.id);
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

async function jobs(): Promise<Asked> {
  const project = await app.build.project();
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
const signedIn = (route: string, ready: () => Promise<Asked>): Resource => ({
  route,
  order: NEWEST,
  ready,
  anonymous: false,
  refused: ['order_by=id&sort=asc'],
});

/** The seed's table, as far as a resource is served and says that it has keyset paging. */
const RESOURCES: Resource[] = [
  ...(['asc', 'desc'] as const).map((sort) => ({
    route: 'GET /projects',
    order: `order_by=id&sort=${sort}`,
    ready: (by: 'anonymous' | 'user') => projects(by, sort),
    anonymous: true,
    refused: ['order_by=name', 'order_by=created_at', ''],
  })),
  ...(['id', 'name', 'username'] as const).map((column) => ({
    route: 'GET /users',
    order: `order_by=${column}&sort=asc`,
    ready: (by: 'anonymous' | 'user') => users(by, column),
    anonymous: true,
    refused: [],
  })),
  {
    route: 'GET /groups',
    order: 'order_by=name&sort=asc',
    ready: groups,
    anonymous: true,
    refused: ['order_by=id&sort=asc', 'order_by=name&sort=desc'],
  },
  signedIn('GET /projects/:id/jobs', jobs),
  { route: 'GET /projects/:id/repository/tree', order: '', ready: tree, anonymous: true, refused: [] },
  signedIn('GET /audit_events', () => auditEvents('instance')),
  signedIn('GET /groups/:id/audit_events', () => auditEvents('group')),
  signedIn('GET /projects/:id/audit_events', () => auditEvents('project')),
].filter(({ route }) => allRoutes.some((bound) => nameOf(bound) === route && bound.options.paginate === 'keyset'));

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

test('every keyset resource of the seed is walked by its links alone, to an empty page without one', async (t) => {
  const problems: string[] = [];
  for (const { order, ready, anonymous, route } of RESOURCES) {
    const callers = anonymous ? (route === 'GET /groups' ? ['anonymous'] : ['anonymous', 'user']) : ['user'];
    for (const by of callers as ('anonymous' | 'user')[]) problems.push(...(await walk(await ready(by), order)));
  }
  t.deepEqual(problems, []);
  t.true(RESOURCES.length >= 6);
});

test('an order that a keyset resource does not offer is 405', async (t) => {
  for (const { ready, refused } of RESOURCES)
    for (const order of refused) {
      const { as, path } = await ready('anonymous');
      const { status, body } = await as.get(joined(path, `pagination=keyset&${order}`));
      t.is(status, 405, `${path} ${order}`);
      t.deepEqual(body, { error: 'Keyset pagination is not yet available for this type of request' });
    }
});

test('a keyset page has 20 records unless asked, and 100 at most, on every resource', async (t) => {
  for (const { order, ready, anonymous } of RESOURCES) {
    const { as, path, expected } = await ready(anonymous ? 'anonymous' : 'user');
    for (const perPage of ['', '&per_page=1000']) {
      const { status, body } = await as.get(joined(path, `pagination=keyset&${order}${perPage}`));
      t.is(status, 200);
      t.is(body.length, expected.length);
    }
    const refused = await as.get(joined(path, `pagination=keyset&${order}&per_page=0`));
    t.is(refused.status, 400);
    t.deepEqual(refused.body, { error: 'per_page has a value not allowed' });
  }
});
