import test from 'ava';
import { get, routes } from '../../../api/core/routes.js';
import { oneOf, withDefault } from '../../../shared/core/operations/fields.js';
import type { List, OrderStep } from '../../../shared/core/database/list.js';
import { byId } from '../../../shared/core/database/list.js';
import { operation } from '../../../shared/core/operations/operation.js';
import { sql } from 'kysely';
import { findPipelines } from '../../../shared/ci/pipelines/pipeline.finder.js';
import type { PipelineRecord } from '../../../shared/ci/pipelines/pipeline.finder.js';
import { basicPipeline } from '../../../shared/ci/pipelines/pipeline.serializer.js';
import { project } from '../../../shared/tenancy/projects/project.finder.js';
import { useApp } from '../app.js';

type By = 'id' | 'ref' | 'updated_at' | 'status';

function getOrder(by: By, sort: 'asc' | 'desc'): OrderStep<PipelineRecord>[] {
  const last = byId<PipelineRecord>('pl', sort);
  if (by === 'id') return [last];
  const type = by === 'updated_at' ? 'instant' : 'text';
  return [{ key: by, expression: sql.raw(`pl.${by}`), direction: sort, type, value: (row) => row[by] }, last];
}

/** A list by cursor in every order but by status, which falls back to offset paging. */
const byCursor = operation({
  name: 'byCursor',
  summary: 'Pipelines by cursor',
  resource: project,
  kind: 'read',
  params: {
    order_by: withDefault(oneOf(['id', 'ref', 'updated_at', 'status']), 'id'),
    sort: withDefault(oneOf(['asc', 'desc']), 'desc'),
  },
  run(_ctx, found, input): Promise<List<PipelineRecord>> {
    const offered = input.order_by === 'status' ? 'offset' : true;
    const order = getOrder(input.order_by, input.sort);
    return Promise.resolve({ ...findPipelines(found), order, keyset: { type: 'Ci::Pipeline', by: 'cursor', offered } });
  },
});

const app = useApp(
  test,
  routes('/projects/:id', [get('/by_cursor', byCursor, { present: basicPipeline, paginate: 'keyset' })]),
);

/** No test of this file makes a public project: every other would see it. */
async function userWithProjects(count: number) {
  const owner = await app.build.user();
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await app.build.project({ owner, empty: true })).id);
  return { client: app.as(owner), ids };
}

async function pipelines(count: number) {
  const { id, owner } = await app.build.project({ empty: true });
  await app.context().query(sql`
    insert into pipelines (project_id, iid, ref, sha, before_sha, status, source, created_at, updated_at)
    select ${id}, n, 'ref' || n % 2, repeat('a', 40), repeat('0', 40), 'success', 'push', now(),
           timestamptz '2030-01-01' + n % 3 * interval '1 second'
      from generate_series(1, ${count}) n`);
  return { client: app.as(owner), path: `/projects/${id}/by_cursor` };
}

const PAGING = ['x-page', 'x-per-page', 'x-next-page', 'x-prev-page', 'x-total', 'x-total-pages'];
const idsIn = (body: { id: number }[]) => body.map((record) => record.id);

/** The path below `/api/v4` that `Link` names. */
function getNext(headers: Headers): URL {
  const found = /^<([^>]*)>; rel="next"$/.exec(headers.get('link') ?? '');
  return new URL(found?.[1] ?? 'http://no.next');
}

const getPath = (url: URL) => url.pathname.slice('/api/v4'.length) + url.search;

/** Follows links to the end: the records of each page. */
async function readPages(client: ReturnType<typeof app.as>, start: string): Promise<number[][]> {
  const pages: number[][] = [];
  for (let path = start; ;) {
    const { status, body, headers } = await client.get(path);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    pages.push(idsIn(body));
    if (!headers.has('link')) return pages;
    path = getPath(getNext(headers));
  }
}

// Contract: rest-7.9, interface-4.0.8
test('projects by keyset come without x- headers, with one link to the next page that repeats the other parameters', async (t) => {
  const { client, ids } = await userWithProjects(3);
  const { status, body, headers } = await client.get(
    '/projects?pagination=keyset&order_by=id&sort=asc&per_page=2&simple=true',
  );
  t.is(status, 200);
  t.deepEqual(idsIn(body), ids.slice(0, 2));
  for (const name of PAGING) t.false(headers.has(name), name);
  t.deepEqual(Object.fromEntries(getNext(headers).searchParams), {
    pagination: 'keyset',
    order_by: 'id',
    sort: 'asc',
    per_page: '2',
    simple: 'true',
    id_after: String(ids[1]),
  });
  t.true(headers.get('link')?.startsWith('<http://capstan.test/api/v4/projects?'));
});

// Contract: rest-7.12
test('an ascending keyset goes on by id_after, a descending one by id_before', async (t) => {
  const { client, ids } = await userWithProjects(3);
  const ascending = await client.get('/projects?pagination=keyset&order_by=id&sort=asc&per_page=1');
  t.is(getNext(ascending.headers).searchParams.get('id_after'), String(ids[0]));
  const descending = await client.get('/projects?pagination=keyset&order_by=id&sort=desc&per_page=1');
  t.is(getNext(descending.headers).searchParams.get('id_before'), String(ids[2]));
  t.is(
    getNext((await client.get('/projects?pagination=keyset&order_by=id&per_page=1')).headers).searchParams.has(
      'id_before',
    ),
    true,
  );
});

// Contract: rest-7.11, interface-4.0.8
test('every keyset page but the empty one has a next link, so that links end on an empty list', async (t) => {
  const { client, ids } = await userWithProjects(4);
  t.deepEqual(await readPages(client, '/projects?pagination=keyset&order_by=id&sort=asc&per_page=2'), [
    ids.slice(0, 2),
    ids.slice(2),
    [],
  ]);
  const reversed = [...ids].reverse();
  t.deepEqual(await readPages(client, '/projects?pagination=keyset&order_by=id&sort=desc&per_page=3'), [
    reversed.slice(0, 3),
    reversed.slice(3),
    [],
  ]);
});

// Contract: rest-7.12, interface-4.10.ids
test('id_after and id_before narrow lists by offset too, and stay narrowing in keyset links', async (t) => {
  const { client, ids } = await userWithProjects(4);
  const [first, , , last] = ids;
  t.deepEqual(
    idsIn((await client.get(`/projects?id_after=${first}&id_before=${last}&sort=asc`)).body),
    ids.slice(1, 3),
  );
  t.deepEqual(
    await readPages(client, `/projects?pagination=keyset&order_by=id&sort=asc&per_page=1&id_before=${last}`),
    [[ids[0]], [ids[1]], [ids[2]], []],
  );
});

// Contract: rest-7.9, interface-4.0.8
test('per_page keeps its default, its ceiling and its errors in keyset paging', async (t) => {
  const { client } = await userWithProjects(1);
  const start = '/projects?pagination=keyset&order_by=id';
  t.is((await client.get(start)).body.length, 1);
  t.is((await client.get(`${start}&per_page=1000`)).status, 200);
  t.deepEqual((await client.get(`${start}&per_page=0`)).body, { error: 'per_page has a value not allowed' });
  t.deepEqual((await client.get('/projects?pagination=other')).body, {
    error: 'pagination does not have a valid value',
  });
});

// Contract: rest-7.10
test('keyset paging by another order, by none, or of another resource is 405', async (t) => {
  const { client, ids } = await userWithProjects(1);
  for (const path of [
    '/projects?pagination=keyset',
    '/projects?pagination=keyset&order_by=created_at',
    `/projects/${ids[0]}/pipelines?pagination=keyset&order_by=id`,
  ]) {
    const { status, body } = await client.get(path);
    t.is(status, 405, path);
    t.deepEqual(body, { error: 'Keyset pagination is not yet available for this type of request' }, path);
  }
});

// Contract: rest-7.7
test('a cursor names the next page in any order, ties included', async (t) => {
  const { client, path } = await pipelines(7);
  for (const order of ['id', 'ref', 'updated_at']) {
    for (const sort of ['asc', 'desc']) {
      const all = idsIn((await client.get(`${path}?order_by=${order}&sort=${sort}`)).body);
      const pages = await readPages(client, `${path}?pagination=keyset&order_by=${order}&sort=${sort}&per_page=3`);
      t.deepEqual(
        pages.map((page) => page.length),
        [3, 3, 1, 0],
        `${order} ${sort}`,
      );
      t.deepEqual(pages.flat(), all, `${order} ${sort}`);
    }
  }
});

// Contract: rest-7.13
test('a cursor is URL-safe base64 of JSON with the ordering values and the direction', async (t) => {
  const { client, path } = await pipelines(3);
  const { body, headers } = await client.get(`${path}?pagination=keyset&order_by=ref&sort=asc&per_page=1`);
  for (const name of PAGING) t.false(headers.has(name), name);
  const cursor = getNext(headers).searchParams.get('cursor') ?? '';
  t.regex(cursor, /^[\w-]+$/);
  t.deepEqual(JSON.parse(Buffer.from(cursor, 'base64url').toString()), { ref: 'ref0', id: body[0].id, _kd: 'n' });
});

// Contract: rest-7.13, interface-4.0.8a.cursors
test('a malformed cursor is 400', async (t) => {
  const { client, path } = await pipelines(1);
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const bad = [
    'nonsense',
    '%00',
    encoded(null),
    encoded([]),
    encoded({ id: 1 }),
    encoded({ id: 1, ref: 'a' }),
    encoded({ id: 'x', updated_at: '2030-01-01T00:00:00Z' }),
    encoded({ id: 1, updated_at: '1' }),
    encoded({ id: 1, updated_at: '2030-02-31T99:00:00Z' }),
    encoded({ id: 1, updated_at: '2030-01-01T00:00:00Z', _kd: 'p' }),
    encoded({ id: 1, updated_at: '2030-01-01T00:00:00Z', more: 1 }),
  ];
  for (const cursor of bad) {
    const { status, body } = await client.get(`${path}?pagination=keyset&order_by=updated_at&cursor=${cursor}`);
    t.is(status, 400, cursor);
    t.deepEqual(body, { error: 'cursor is invalid' }, cursor);
  }
});

// Contract: rest-7.13
test('an empty cursor starts at the beginning', async (t) => {
  const { client, path } = await pipelines(2);
  t.is((await client.get(`${path}?pagination=keyset&cursor=`)).body.length, 2);
});

// Contract: rest-7.10
test('where a resource says so, keyset paging falls back to offset paging without an error', async (t) => {
  const { client, path } = await pipelines(2);
  const { status, headers } = await client.get(`${path}?pagination=keyset&order_by=status`);
  t.is(status, 200);
  t.is(headers.get('x-total'), '2');
});

// Contract: rest-7.14
test('users come by cursor in the orders of the contract, beyond the offset ceiling too', async (t) => {
  const admin = app.as(await app.build.admin());
  for (const letter of ['c', 'a', 'b']) await app.build.user({ name: `${letter} Keysetted` });
  for (const order of ['id', 'name', 'username']) {
    const query = `search=keysetted&order_by=${order}&sort=asc`;
    const all = idsIn((await admin.get(`/users?${query}`)).body);
    const pages = await readPages(admin, `/users?${query}&pagination=keyset&per_page=2`);
    t.is(all.length, 3);
    t.deepEqual(pages, [all.slice(0, 2), all.slice(2), []], order);
  }
  const far = await admin.get('/users?page=501&per_page=100');
  t.is(far.status, 405);
  t.regex(
    far.body.error,
    /^Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type User\./,
  );
});

// Contract: interface-4.0.8a.cursors, interface-4.0.8a.users
test('by keyset everybody chooses the order of users, within what everybody sees of them', async (t) => {
  const user = app.as(await app.build.user());
  const ids: number[] = [];
  for (const letter of ['c', 'a', 'b']) ids.push((await app.build.user({ name: `${letter} Ordered` })).id);
  const [c, a, b] = ids;
  const pages = (query: string) => readPages(user, `/users?search=ordered&pagination=keyset&per_page=2&${query}`);
  t.deepEqual(await pages('order_by=name&sort=asc'), [[a, b], [c], []]);
  t.deepEqual(await pages('order_by=name&sort=desc'), [[c, b], [a], []]);
  t.deepEqual(await pages('order_by=id&sort=asc'), [[c, a], [b], []]);
  t.deepEqual(await pages('sort=asc'), [[c, a], [b], []]);
  t.deepEqual(await pages('order_by=updated_at&sort=asc'), [[c, a], [b], []], 'the id instead of what is not shown');
  const byName = await user.get('/users?search=ordered&pagination=keyset&per_page=1&order_by=name&sort=asc');
  const [cursor] = /cursor=[^>&]+/.exec(byName.headers.get('link') ?? '') ?? [];
  const other = await user.get(`/users?search=ordered&pagination=keyset&order_by=username&sort=asc&${cursor}`);
  t.is(other.status, 400);
  t.deepEqual(other.body, { error: 'cursor is invalid' });
});

// Contract: interface-4.0.8a.groups
test('who is answered by offset whatever they ask for reaches past the ceiling', async (t) => {
  const far = '/groups?page=501&per_page=100';
  t.is((await app.as(await app.build.user()).get(far)).status, 200);
  const { status, body } = await app.anonymous.get(far);
  t.is(status, 405);
  t.regex(body.error, /return objects of type Group\. Remaining records can be retrieved using keyset pagination\.$/);
});

// Contract: rest-7.14, interface-4.0.8a.users
test('anonymous callers look up users by keyset too', async (t) => {
  const { id, username } = await app.build.user();
  t.deepEqual(await readPages(app.anonymous, `/users?username=${username}&pagination=keyset&order_by=id&sort=asc`), [
    [id],
    [],
  ]);
});

// Contract: rest-7.9
test('HEAD of a keyset page has its link', async (t) => {
  const { client } = await userWithProjects(1);
  t.true((await client.head('/projects?pagination=keyset&order_by=id')).headers.has('link'));
});
