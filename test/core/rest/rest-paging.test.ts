import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../app.js';
import type { BuiltUser } from '../builders.js';
import type { Answer } from '../client.js';
import { echoRoutes } from './echo.js';
import { rawRequest } from '../raw-http.js';

const app = useApp(test, echoRoutes);

/** A user with a project, and that many pipelines in it. */
async function pipelines(count: number): Promise<{ owner: BuiltUser; path: string }> {
  const { id, owner } = await app.build.project({ empty: true });
  await app.context().query(sql`
    insert into pipelines (project_id, iid, ref, sha, before_sha, status, source, created_at, updated_at)
    select ${id}, n, 'main', repeat('a', 40), repeat('0', 40), 'success', 'push', now(), now()
      from generate_series(1, ${count}) n`);
  return { owner, path: `/projects/${id}/pipelines` };
}

const paging = ({ headers }: Answer) =>
  Object.fromEntries(
    ['x-page', 'x-per-page', 'x-next-page', 'x-prev-page', 'x-total', 'x-total-pages'].map((name) => [
      name,
      headers.get(name),
    ]),
  );

/** `[rel, query]` of each link, in order. */
const links = ({ headers }: Answer) =>
  (headers.get('link') ?? '')
    .split(', ')
    .map((link) => /^<(.*)>; rel="(.*)"$/.exec(link) ?? [])
    .map(([, url = '', rel]) => [rel, Object.fromEntries(new URL(url).searchParams)]);

// Contract: rest-7.3, rest-7.4
test('a page in the middle has all headers and links, in order', async (t) => {
  const { owner, path } = await pipelines(5);
  const answer = await app.as(owner).get(`${path}?page=2&per_page=2&status=success`);
  t.is(answer.status, 200);
  t.is(answer.body.length, 2);
  t.deepEqual(paging(answer), {
    'x-page': '2',
    'x-per-page': '2',
    'x-next-page': '3',
    'x-prev-page': '1',
    'x-total': '5',
    'x-total-pages': '3',
  });
  const rest = { per_page: '2', status: 'success' };
  t.deepEqual(links(answer), [
    ['prev', { page: '1', ...rest }],
    ['next', { page: '3', ...rest }],
    ['first', { page: '1', ...rest }],
    ['last', { page: '3', ...rest }],
  ]);
});

// Contract: rest-7.4
test('the first page has no prev and the last no next, and the headers are empty there', async (t) => {
  const { owner, path } = await pipelines(3);
  const first = await app.as(owner).get(`${path}?per_page=2`);
  t.is(first.headers.get('x-prev-page'), '');
  t.deepEqual(
    links(first).map(([rel]) => rel),
    ['next', 'first', 'last'],
  );
  const last = await app.as(owner).get(`${path}?per_page=2&page=2`);
  t.is(last.headers.get('x-next-page'), '');
  t.deepEqual(
    links(last).map(([rel]) => rel),
    ['prev', 'first', 'last'],
  );
});

// Contract: rest-7.7
test('pages neither repeat nor lose a record', async (t) => {
  const { owner, path } = await pipelines(7);
  const ids: number[] = [];
  for (const page of [1, 2, 3]) {
    const { body } = await app.as(owner).get(`${path}?per_page=3&page=${page}&order_by=status`);
    ids.push(...body.map((pipeline: { id: number }) => pipeline.id));
  }
  t.is(new Set(ids).size, 7);
});

// Contract: rest-7.1
test('page is 1 and per_page 20 unless given', async (t) => {
  const { owner, path } = await pipelines(21);
  const answer = await app.as(owner).get(path);
  t.is(answer.body.length, 20);
  t.like(paging(answer), {
    'x-page': '1',
    'x-per-page': '20',
    'x-next-page': '2',
    'x-total': '21',
    'x-total-pages': '2',
  });
  t.like(paging(await app.as(owner).get(`${path}?page=&per_page=`)), { 'x-page': '1', 'x-per-page': '20' });
});

// Contract: rest-7.1
test('a page of 0 or below acts as page 1', async (t) => {
  const { owner, path } = await pipelines(1);
  for (const page of ['0', '-1', '-99999999999999999999']) {
    const answer = await app.as(owner).get(`${path}?page=${page}`);
    t.is(answer.body.length, 1, page);
    t.is(answer.headers.get('x-page'), '1', page);
  }
});

// Contract: rest-7.2
test('per_page above 100 is cut to 100', async (t) => {
  const { owner, path } = await pipelines(101);
  for (const perPage of ['101', '5000', '99999999999999999999']) {
    const answer = await app.as(owner).get(`${path}?per_page=${perPage}`);
    t.is(answer.body.length, 100);
    t.is(answer.headers.get('x-per-page'), '100');
    t.deepEqual(
      links(answer).map(([, query]) => (query as { per_page: string }).per_page),
      ['100', '100', '100'],
    );
  }
});

// Contract: rest-7.2
test('per_page of 0 has a value not allowed, below 0 too [unverified]', async (t) => {
  const { owner, path } = await pipelines(1);
  for (const perPage of ['0', '-1']) {
    const { status, body } = await app.as(owner).get(`${path}?per_page=${perPage}`);
    t.is(status, 400);
    t.deepEqual(body, { error: 'per_page has a value not allowed' });
  }
});

// Contract: rest-7.2
test('a page that is no integer is invalid', async (t) => {
  const { owner, path } = await pipelines(1);
  t.deepEqual((await app.as(owner).get(`${path}?page=two`)).body, { error: 'page is invalid' });
  t.deepEqual((await app.as(owner).get(`${path}?per_page=1.5`)).body, { error: 'per_page is invalid' });
});

// Contract: rest-7.3
test('an empty list has one page', async (t) => {
  const { owner, path } = await pipelines(0);
  const answer = await app.as(owner).get(path);
  t.deepEqual(answer.body, []);
  t.deepEqual(paging(answer), {
    'x-page': '1',
    'x-per-page': '20',
    'x-next-page': '',
    'x-prev-page': '',
    'x-total': '0',
    'x-total-pages': '1',
  });
  t.deepEqual(
    links(answer).map(([rel]) => rel),
    ['first', 'last'],
  );
});

// Contract: rest-7.6
test('a page past the end is an empty 200 without neighbours', async (t) => {
  const { owner, path } = await pipelines(3);
  for (const page of ['2', '900', '99999999999999999999']) {
    const answer = await app.as(owner).get(`${path}?page=${page}`);
    t.is(answer.status, 200);
    t.deepEqual(answer.body, []);
    t.like(paging(answer), { 'x-next-page': '', 'x-prev-page': '', 'x-total': '3', 'x-total-pages': '1' });
    t.deepEqual(
      links(answer).map(([rel]) => rel),
      ['first', 'last'],
    );
  }
});

// Contract: rest-7.5
test('exactly 10,000 matches are counted', async (t) => {
  const { owner, path } = await pipelines(10_000);
  const client = app.as(owner);
  for (const query of ['', '?page=500', '?page=501', '?per_page=100&page=100']) {
    const answer = await client.get(path + query);
    t.is(answer.headers.get('x-total'), '10000', query);
    t.true(
      links(answer).some(([rel]) => rel === 'last'),
      query,
    );
  }
});

// Contract: rest-7.5
test('more than 10,000 matches are not counted: no x-total, no x-total-pages, no last', async (t) => {
  const { owner, path } = await pipelines(10_001);
  const client = app.as(owner);
  for (const [query, rels] of [
    ['', ['next', 'first']],
    ['?page=2', ['prev', 'next', 'first']],
    ['?page=501', ['prev', 'first']],
    ['?page=502', ['first']],
  ] as const) {
    const answer = await client.get(path + query);
    t.is(answer.headers.get('x-total'), null, query);
    t.is(answer.headers.get('x-total-pages'), null, query);
    t.deepEqual(
      links(answer).map(([rel]) => rel),
      [...rels],
      query,
    );
  }
});

// Contract: rest-7.4
test('links are absolute on the external URL and repeat every other parameter, but no credential', async (t) => {
  const { owner, path } = await pipelines(3);
  const answer = await app.anonymous.get(
    `${path}?private_token=${owner.token}&per_page=1&page=1&x[]=1&x[]=2&empty=&text=a%2Bb%20c&page=2`,
  );
  const next = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
  t.true(next.startsWith(`http://capstan.test/api/v4${path}?`), next);
  t.deepEqual(
    [...new URL(next).searchParams],
    [
      ['per_page', '1'],
      ['page', '3'],
      ['x[]', '1'],
      ['x[]', '2'],
      ['empty', ''],
      ['text', 'a+b c'],
    ],
  );
});

// Contract: rest-2.urls
test('links repeat no credential, however it was written and however the list is paged', async (t) => {
  const { owner, path } = await pipelines(3);
  const { token } = owner;
  const sent = [
    `private_token[]=${token}`,
    `private%5Ftoken=${token}`,
    `Private_Token=${token}`,
    `access_token=${token}`,
    `job%5ftoken=${token}`,
    `private_token=${token}`,
  ].join('&');
  for (const list of [`${path}?per_page=1`, '/projects?per_page=1&pagination=keyset&order_by=id&owned=true']) {
    const { status, headers } = await app.anonymous.get(`${list}&${sent}&kept=1`);
    t.is(status, 200, list);
    t.regex(headers.get('link') ?? '', /kept=1/, list);
    t.false((headers.get('link') ?? '').includes(token), headers.get('link') ?? '');
  }
});

// Contract: rest-7.4
test('links keep a path that is encoded', async (t) => {
  const project = await app.build.project();
  const path = `/projects/${encodeURIComponent(project.full_path)}/pipelines`;
  const { headers } = await app.as(project.owner).get(path);
  t.true((headers.get('link') ?? '').startsWith(`<http://capstan.test/api/v4${path}?`));
});

// Contract: rest-1.2
test('paging parameters are taken from a body too', async (t) => {
  const { owner, path } = await pipelines(3);
  const headers = { 'PRIVATE-TOKEN': owner.token, 'Content-Type': 'application/json' };
  const answer = await rawRequest(app.url, { path: `/api/v4${path}`, headers, body: '{"per_page":2}' });
  t.is(answer.body.length, 2);
  t.is(answer.headers['x-per-page'], '2');
});

// Contract: rest-7.3
test('a list in memory is paged in the same way', async (t) => {
  const answer = await app.anonymous.get('/numbers?count=5&per_page=2&page=2');
  t.deepEqual(answer.body, [3, 4]);
  t.like(paging(answer), { 'x-next-page': '3', 'x-prev-page': '1', 'x-total': '5', 'x-total-pages': '3' });
  t.is((await app.anonymous.get('/numbers?count=10001')).headers.get('x-total'), null);
});

// Contract: rest-7.8
test('lists without keyset paging have no offset ceiling', async (t) => {
  const { owner, path } = await pipelines(1);
  t.is((await app.as(owner).get(`${path}?page=600&per_page=100`)).status, 200);
});

// Contract: rest-7.8
test('lists with keyset paging have an offset ceiling, and its text names the type', async (t) => {
  const client = app.as(await app.build.user());
  t.is((await client.get('/projects?page=500&per_page=100')).status, 200);
  t.is((await client.get('/projects?page=50000&per_page=1')).status, 200);
  for (const query of ['page=501&per_page=100', 'page=50001&per_page=1', 'page=2501']) {
    const { status, body } = await client.get(`/projects?${query}`);
    t.is(status, 405, query);
    t.deepEqual(body, {
      error:
        'Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type Project. ' +
        'Remaining records can be retrieved using keyset pagination.',
    });
  }
});

// Contract: rest-7.12
test('anonymous callers page projects by keyset too', async (t) => {
  await app.build.project({ visibility: 'public', empty: true });
  const { status, headers } = await app.anonymous.get('/projects?pagination=keyset&order_by=id&per_page=1');
  t.is(status, 200);
  t.true(headers.has('link'));
});
