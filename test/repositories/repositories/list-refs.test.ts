import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';

const app = useApp(test);

/** Branches or tags, each on a commit of its own, one minute after the other. */
async function projectWithRefs(...tags: string[]) {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}/repository`;
  for (const name of tags) {
    app.clock.advance('1 minute');
    await owner.post(`${path}/files/${encodeURIComponent(name)}`, {
      branch: `b/${name}`,
      start_branch: 'main',
      commit_message: name,
      content: name,
    });
    await owner.post(`${path}/tags`, { tag_name: name, ref: `b/${name}` });
  }
  const names = async (query: string) =>
    (await owner.get(`${path}/${query}`)).body.map(({ name }: { name: string }) => name);
  return { owner, path, names };
}

// Contract: delivery-4.list
test('branches are listed by name, or by the date of their heads', async (t) => {
  const { names } = await projectWithRefs('z', 'a');
  t.deepEqual(await names('branches'), ['b/a', 'b/z', 'main']);
  t.deepEqual(await names('branches?sort=updated_asc'), ['main', 'b/z', 'b/a']);
  t.deepEqual(await names('branches?sort=updated_desc'), ['b/a', 'b/z', 'main']);
  t.deepEqual(await names('branches?sort=updated_desc&per_page=1&page=2'), ['b/z']);
});

// Contract: delivery-4.list
test('branches are found by a part of their name or by a regular expression', async (t) => {
  const { owner, path, names } = await projectWithRefs('one', 'two');
  t.deepEqual(await names('branches?search=B%2FO'), ['b/one']);
  t.deepEqual(await names('branches?search=^b'), ['b/one', 'b/two']);
  t.deepEqual(await names('branches?search=n$'), ['main']);
  t.deepEqual(await names(`branches?regex=${encodeURIComponent('^b/(one|three)$')}`), ['b/one']);
  for (const regex of ['(', '(a+)\\1']) {
    const { status, body } = await owner.get(`${path}/branches?regex=${encodeURIComponent(regex)}`);
    t.deepEqual([status, body], [400, { error: 'regex is invalid' }]);
  }
  t.deepEqual((await owner.get(`${path}/branches?sort=x`)).body, { error: 'sort does not have a valid value' });
});

// Contract: delivery-4.list
test('branches that an expression finds are counted and paged, in every order', async (t) => {
  const { owner, path, names } = await projectWithRefs('v1', 'v2', 'v3', 'w1');
  const regex = `branches?regex=${encodeURIComponent('v[0-9]')}`;
  t.deepEqual(await names(`${regex}&sort=updated_desc`), ['b/v3', 'b/v2', 'b/v1']);
  t.deepEqual(await names(`${regex}&per_page=2&page=2`), ['b/v3']);
  t.is((await owner.get(`${path}/${regex}&per_page=1`)).headers.get('x-total'), '3');
  const { pages } = await readPages(owner, `${path}/${regex}&pagination=keyset&per_page=2`);
  t.deepEqual(pages, [['b/v1', 'b/v2'], ['b/v3'], []].slice(0, pages.length));
  t.deepEqual(await names(`${regex}&pagination=keyset&page_token=b/v1x`), ['b/v2', 'b/v3']);
  t.deepEqual(await names(`${regex}&search=3$`), ['b/v3']);
});

test('an expression that would take long is refused, and holds up nobody', async (t) => {
  const { owner, path } = await projectWithRefs();
  await app.services.db.query(sql`
    insert into repository_refs (project_id, kind, full_name, name, object_sha, target_sha, created_at, updated_at)
    select r.project_id, 'branch', 'refs/heads/' || u.name, u.name, r.object_sha, r.target_sha, r.created_at, r.updated_at
      from repository_refs r, (select 'a' || repeat('ab', 50) || n as name from generate_series(1, 3000) n) u
     where r.project_id = ${Number(path.split('/')[2])} and r.name = 'main'`);
  const ask = async (regex: string) => {
    const { status, body } = await owner.get(`${path}/branches?per_page=1&regex=${encodeURIComponent(regex)}`);
    return status === 200 ? status : [status, body.error];
  };
  const alternatives = Array.from({ length: 600 }, (_, index) => `(a|ab)*${index}`).join('|');
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => ask(alternatives)),
    ask('(a{1000}){1000}'),
    ask('([ab]?){200}[c-z]'),
    ask('([ab]*)*[0-4]$'),
    app.anonymous.get('/version').then(({ status }) => status),
  ]);
  t.deepEqual(answers, [
    ...Array.from({ length: 10 }, () => [400, 'regex is too long (maximum is 256 characters)']),
    [400, 'regex is too complex'],
    [400, 'regex is too complex'],
    200,
    401,
  ]);
  t.deepEqual(await ask('([ab]?){70}[c-z]'), [400, 'regex is too complex for so many names; search narrows them']);
});

// Contract: delivery-5.list
test('tags are listed newest first, or by name or version', async (t) => {
  const { owner, path, names } = await projectWithRefs('v1.10', 'v1.9', 'v1.2');
  t.deepEqual(await names('tags'), ['v1.2', 'v1.9', 'v1.10']);
  t.deepEqual(await names('tags?sort=asc'), ['v1.10', 'v1.9', 'v1.2']);
  t.deepEqual(await names('tags?order_by=name&sort=asc'), ['v1.10', 'v1.2', 'v1.9']);
  t.deepEqual(await names('tags?order_by=version'), ['v1.10', 'v1.9', 'v1.2']);
  t.deepEqual(await names('tags?order_by=version&sort=asc&per_page=1&page=2'), ['v1.9']);
  t.deepEqual(await names('tags?search=^v1.1'), ['v1.10']);
  t.is((await owner.get(`${path}/tags`)).headers.get('x-total'), '3');
  t.deepEqual((await owner.get(`${path}/tags?order_by=x`)).body, { error: 'order_by does not have a valid value' });
});

/** Follows the links of a list paged by keyset; the names of each page, and whether any page carried `x-` headers. */
async function readPages(client: Awaited<ReturnType<typeof projectWithRefs>>['owner'], first: string) {
  const pages: string[][] = [];
  let counted = false;
  for (let url: string | null = first; url !== null;) {
    const { body, headers } = await client.get(url);
    pages.push(body.map(({ name }: { name: string }) => name));
    counted ||= headers.has('x-total') || headers.has('x-page');
    const next = /<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    url = next ?? null;
  }
  return { pages, counted };
}

// Contract: delivery-4.keyset
test('branches and tags are paged by keyset in every order, up to a last empty page', async (t) => {
  const { owner, path } = await projectWithRefs('v1', 'v2', 'v3');
  const pages = async (query: string) => {
    const { pages: found, counted } = await readPages(owner, `${path}/${query}&pagination=keyset&per_page=2`);
    t.false(counted);
    return found;
  };
  t.deepEqual(await pages('branches?search='), [['b/v1', 'b/v2'], ['b/v3', 'main'], []]);
  t.deepEqual(await pages('branches?sort=updated_desc'), [['b/v3', 'b/v2'], ['b/v1', 'main'], []]);
  t.deepEqual(await pages('tags?order_by=updated'), [['v3', 'v2'], ['v1'], []]);
  t.deepEqual(await pages('tags?order_by=name&sort=asc'), [['v1', 'v2'], ['v3'], []]);
});

// Contract: delivery-5.page-token
test('a page token whose branch is gone still names a place among names, and is refused in other orders', async (t) => {
  const { owner, path, names } = await projectWithRefs('v1', 'v2');
  t.deepEqual(await names('branches?pagination=keyset&page_token=b/v1zzz'), ['b/v2', 'main']);
  const { status, body } = await owner.get(`${path}/branches?pagination=keyset&sort=updated_asc&page_token=gone`);
  t.deepEqual([status, body], [400, { error: 'page_token is invalid' }]);
  t.deepEqual((await owner.get(`${path}/tags?pagination=keyset&page_token=gone`)).body, {
    error: 'page_token is invalid',
  });
});
