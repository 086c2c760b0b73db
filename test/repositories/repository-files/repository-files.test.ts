import { createHash } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';

const app = useApp(test);

async function projectWithRepository() {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}/repository`;
  const file = (name: string) => `${path}/files/${encodeURIComponent(name)}`;
  const write = { branch: 'main', commit_message: 'A change' };
  return { project, owner, path, file, write };
}

// Contract: delivery-5a.delete, delivery-5a.get, delivery-5a.write
test('a file is created, read, updated and deleted', async (t) => {
  const { owner, file, write } = await projectWithRepository();
  const url = file('app/models/key.rb');
  const created = await owner.post(url, { ...write, content: 'class Key\nend\n' });
  t.deepEqual([created.status, created.body], [201, { file_path: 'app/models/key.rb', branch: 'main' }]);
  const read = await owner.get(`${url}?ref=main`);
  t.is(read.status, 200);
  t.like(read.body, {
    file_name: 'key.rb',
    file_path: 'app/models/key.rb',
    size: 14,
    encoding: 'base64',
    ref: 'main',
    content: Buffer.from('class Key\nend\n').toString('base64'),
    content_sha256: createHash('sha256').update('class Key\nend\n').digest('hex'),
    execute_filemode: false,
  });
  t.is(read.body.commit_id, read.body.last_commit_id);
  const updated = await owner.put(url, { ...write, content: 'class Lock\nend\n', execute_filemode: true });
  t.deepEqual([updated.status, updated.body], [200, { file_path: 'app/models/key.rb', branch: 'main' }]);
  t.like((await owner.get(`${url}?ref=HEAD`)).body, { size: 15, execute_filemode: true, ref: 'HEAD' });
  const deleted = await owner.delete(url, write);
  t.deepEqual([deleted.status, deleted.text], [204, '']);
  t.deepEqual((await owner.get(`${url}?ref=main`)).body, { message: '404 File Not Found' });
});

// Contract: delivery-5a.get, readme-decision-15.headers
test('HEAD of a file tells the same in headers, without a body', async (t) => {
  const { owner, file, write } = await projectWithRepository();
  await owner.post(file('docs/ünï.txt'), { ...write, content: 'x' });
  const got = (await owner.get(`${file('docs/ünï.txt')}?ref=main`)).body;
  const { status, text, headers } = await owner.head(`${file('docs/ünï.txt')}?ref=main`);
  t.deepEqual([status, text], [200, '']);
  for (const key of [
    'blob_id',
    'commit_id',
    'last_commit_id',
    'content_sha256',
    'encoding',
    'ref',
    'size',
    'execute_filemode',
  ])
    for (const prefix of ['service', 'gitlab'])
      t.is(headers.get(`x-${prefix}-${key.replaceAll('_', '-')}`), String(got[key]), key);
  t.is(decodeURIComponent(headers.get('x-service-file-path') ?? ''), 'docs/ünï.txt');
  const own = (of: Headers) => [...of.keys()].filter((name) => name.startsWith('x-service-'));
  const raw = await owner.get(`${file('docs/ünï.txt')}/raw`);
  for (const of of [headers, raw.headers]) {
    t.true(own(of).length >= 9);
    for (const name of own(of)) t.is(of.get(name.replace('service', 'gitlab')), of.get(name), name);
  }
  t.is(raw.headers.get('x-gitlab-blob-id'), got.blob_id);
  t.is(raw.headers.get('x-gitlab-commit-id'), got.commit_id);
  t.is((await owner.head(`${file('gone')}?ref=main`)).status, 404);
});

// Contract: delivery-5a.raw, rest-9.2
test('raw content keeps every byte, and no browser runs it', async (t) => {
  const { owner, file, write } = await projectWithRepository();
  const bytes = Buffer.from(Array.from({ length: 20_000 }, (_, index) => index % 256));
  await owner.post(file('data.bin'), { ...write, content: bytes.toString('base64'), encoding: 'base64' });
  await owner.post(file('page.html'), { ...write, content: '<script>alert(1)</script>' });
  const page = await owner.get(`${file('page.html')}/raw?ref=main`);
  t.is(page.text, '<script>alert(1)</script>');
  t.is(page.headers.get('content-type'), 'text/plain');
  t.is(page.headers.get('x-content-type-options'), 'nosniff');
  t.is((await owner.get(`${file('page.html')}/raw`)).text, page.text, 'the default branch without a ref');
  const answer = await fetch(`${app.url}/api/v4${file('data.bin')}/raw`, {
    headers: { 'PRIVATE-TOKEN': (await app.build.admin()).token },
  });
  t.is(answer.headers.get('content-type'), 'text/plain');
  t.is(answer.headers.get('content-disposition'), 'inline; filename="data.bin"');
  t.is(answer.headers.get('content-length'), '20000');
  t.true(Buffer.from(await answer.arrayBuffer()).equals(bytes));
  const head = await owner.head(`${file('data.bin')}/raw`);
  t.is(head.headers.get('content-length'), '20000');
  t.deepEqual((await owner.get(`${file('gone')}/raw`)).body, { message: '404 File Not Found' });
});

// Contract: delivery-5a.raw
test('raw content is kept under its own name, whatever that is', async (t) => {
  const { owner, file, write } = await projectWithRepository();
  const cases: [string, string][] = [
    ['docs/a b.txt', 'inline; filename="a b.txt"'],
    ['page.html', 'inline; filename="page.html"'],
    ['say "hi"\\.txt', 'inline; filename="say \\"hi\\"\\\\.txt"'],
    ['a;b=c.txt', 'inline; filename="a;b=c.txt"'],
    ['100%25.txt', `inline; filename="100%25.txt"; filename*=UTF-8''100%2525.txt`],
    ['отчёт.txt', `inline; filename="?????.txt"; filename*=UTF-8''${encodeURIComponent('отчёт')}.txt`],
    ["x'\u{1f600}.txt", `inline; filename="x'??.txt"; filename*=UTF-8''x%27%F0%9F%98%80.txt`],
  ];
  for (const [name, disposition] of cases) {
    t.is((await owner.post(file(name), { ...write, content: 'x' })).status, 201, name);
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await owner.request(method, `${file(name)}/raw`);
      t.is(headers.get('content-disposition'), disposition, name);
      t.is(headers.get('content-type'), 'text/plain', name);
    }
  }
});

// Contract: delivery-5a.raw
test('blame tells the commit of each group of lines', async (t) => {
  const { owner, file, write } = await projectWithRepository();
  const url = file('poem.txt');
  await owner.post(url, { ...write, commit_message: 'First', content: 'one\ntwo\nthree\n' });
  await owner.put(url, { ...write, commit_message: 'Second', content: 'one\n2\nthree\n' });
  const groups = (body: { commit: { title: string }; lines: string[] }[]) =>
    body.map((group) => [group.commit.title, group.lines]);
  const { status, body } = await owner.get(`${url}/blame?ref=main`);
  t.is(status, 200);
  t.deepEqual(groups(body), [
    ['First', ['one']],
    ['Second', ['2']],
    ['First', ['three']],
  ]);
  t.deepEqual(groups((await owner.get(`${url}/blame?ref=main&range[start]=2&range[end]=3`)).body), [
    ['Second', ['2']],
    ['First', ['three']],
  ]);
  t.deepEqual((await owner.get(`${url}/blame?range[start]=2`)).body, { error: 'range[end] is missing' });
  t.is((await owner.get(`${url}/blame?range[start]=3&range[end]=2`)).status, 400);
  t.is((await owner.get(`${url}/blame?range[start]=9&range[end]=10`)).status, 400);
  t.deepEqual((await owner.get(`${file('gone')}/blame`)).body, { message: '404 File Not Found' });
  await owner.post(file('empty'), { ...write, content: '' });
  t.deepEqual((await owner.get(`${file('empty')}/blame`)).body, []);
});

// Contract: delivery-5a.errors
test('what is wrong with a file or its change is said in the public words', async (t) => {
  const { owner, file, write } = await projectWithRepository();
  const readme = file('README.md');
  t.deepEqual((await owner.get(readme)).body, { error: 'ref is missing' });
  t.deepEqual((await owner.get(`${readme}?ref=`)).body, { error: 'ref is empty' });
  t.deepEqual((await owner.get(`${readme}?ref=gone`)).body, { message: '404 Commit Not Found' });
  const assertRejected = async (method: string, url: string, body: Record<string, unknown>, answer: unknown) => {
    const { status, body: said } = await owner.request(method, url, body);
    t.deepEqual([status, said], [400, answer]);
  };
  await assertRejected(
    'POST',
    readme,
    {},
    { error: 'branch is missing, commit_message is missing, content is missing' },
  );
  await assertRejected(
    'POST',
    readme,
    { ...write, content: 'x', encoding: 'rot13' },
    { error: 'encoding does not have a valid value' },
  );
  await assertRejected('POST', readme, { ...write, content: 'x' }, { message: 'A file with this name already exists' });
  for (const [method, body] of [
    ['PUT', { ...write, content: 'x' }],
    ['DELETE', write],
  ] as const)
    await assertRejected(method, file('gone'), body, { message: "A file with this name doesn't exist" });
  await assertRejected(
    'POST',
    file('.git/config'),
    { ...write, content: 'x' },
    { message: 'The path of the file is invalid' },
  );
});

// Contract: delivery-5a.errors
test('a change of a file that changed meanwhile is refused', async (t) => {
  const { owner, file, write } = await projectWithRepository();
  const url = file('README.md');
  const lastCommitId = (await owner.get(`${url}?ref=main`)).body.last_commit_id;
  t.is((await owner.put(url, { ...write, content: 'new', last_commit_id: lastCommitId })).status, 200);
  const message = 'You are attempting to update a file that has changed since you started editing it.';
  const late = await owner.put(url, { ...write, content: 'newer', last_commit_id: lastCommitId });
  t.deepEqual([late.status, late.body], [400, { message }]);
  t.deepEqual((await owner.delete(url, { ...write, last_commit_id: lastCommitId })).body, { message });
});

// Contract: delivery-5a.errors
test('no right on the branch is 400 for a protected one and 403 without the role', async (t) => {
  const { project, file, write } = await projectWithRepository();
  const developer = app.as(await app.build.member(project, 'developer'));
  const protectedOne = await developer.post(file('x'), { ...write, content: 'x' });
  t.deepEqual(
    [protectedOne.status, protectedOne.body],
    [400, { message: 'You are not allowed to push into this branch' }],
  );
  t.is((await developer.post(file('x'), { ...write, branch: 'mine', start_branch: 'main', content: 'x' })).status, 201);
  const reporter = app.as(await app.build.member(project, 'reporter'));
  const roleless = await reporter.post(file('x'), { ...write, content: 'x' });
  t.deepEqual([roleless.status, roleless.body], [403, { message: '403 Forbidden' }]);
});

// Contract: delivery-5a.write
test('the first file of an empty repository makes the branch, which becomes the default one', async (t) => {
  const project = await app.build.project({ empty: true });
  const owner = app.as(project.owner);
  const url = `/projects/${project.id}/repository/files/README.md`;
  t.is((await owner.post(url, { branch: 'trunk', commit_message: 'First', content: '# Hi\n' })).status, 201);
  t.is((await owner.get(`/projects/${project.id}`)).body.default_branch, 'trunk');
  t.is((await owner.get(`${url}/raw`)).text, '# Hi\n');
});

// Contract: delivery-5a.scopes
test('tokens for repositories read and write files', async (t) => {
  const { project, file, write } = await projectWithRepository();
  const reads = app.as(await app.build.token(project.owner, { scopes: ['read_repository'] }));
  const writes = app.as(await app.build.token(project.owner, { scopes: ['write_repository'] }));
  t.is((await reads.get(`${file('README.md')}?ref=main`)).status, 200);
  t.is((await reads.post(file('x'), { ...write, content: 'x' })).status, 403);
  t.is((await writes.post(file('x'), { ...write, content: 'x' })).status, 201);
});

// Contract: delivery-5a.get, delivery-5a.scopes
test('Markdown is answered as HTML too where that is asked for, as each caller may read it (decision 48)', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}/repository/files`;
  await owner.post(`/projects/${project.id}/issues`, { title: 'Seen by all' });
  await owner.post(`/projects/${project.id}/issues`, { title: 'Hidden', confidential: true });
  const content = '# Hi\n\nSee #1 and #2. **Go** <script>alert(1)</script>\n';
  const write = { branch: 'main', commit_message: 'A change' };
  for (const [name, text] of [
    ['guide.MD', content],
    ['plain.txt', content],
    ['binary.md', 'a\0b'],
    ['empty.md', ''],
    ['long.md', 'a'.repeat(1_048_577)],
  ] as const) {
    const sent = { content: Buffer.from(text).toString('base64'), encoding: 'base64' };
    t.is((await owner.post(`${path}/${name}`, { ...write, ...sent })).status, 201, name);
  }
  const html = async (client: typeof owner, name: string) =>
    (await client.get(`${path}/${name}?ref=main&render_html=true`)).body.content_html as string | null;

  t.false('content_html' in (await owner.get(`${path}/guide.MD?ref=main`)).body);
  const read = await app.anonymous.get(`${path}/guide.MD?ref=main&render_html=true`);
  t.is(read.status, 200);
  t.is(Buffer.from(read.body.content, 'base64').toString(), content);
  const issue = (iid: number) => new RegExp(`<a [^>]*href="[^"]*/issues/${iid}"`);
  const [ours, theirs] = [await html(owner, 'guide.MD'), read.body.content_html as string];
  for (const each of [ours, theirs]) {
    t.regex(each ?? '', /<h1[^>]*>.*Hi.*<\/h1>[^]*<strong>Go<\/strong>/);
    t.regex(each ?? '', issue(1));
    t.notRegex(each ?? '', /<script/);
  }
  t.regex(ours ?? '', issue(2));
  t.notRegex(theirs, issue(2));
  t.notRegex(theirs, /Hidden/);
  const reads = app.as(await app.build.token(project.owner, { scopes: ['read_repository'] }));
  const plain = await html(reads, 'guide.MD');
  t.regex(plain ?? '', /<strong>Go<\/strong>/);
  t.notRegex(plain ?? '', /issues\/|Seen by all|Hidden/);
  for (const name of ['plain.txt', 'binary.md', 'long.md']) t.is(await html(app.anonymous, name), null, name);
  t.is(await html(app.anonymous, 'empty.md'), '');
  t.is((await owner.get(`${path}/guide.MD?ref=main&render_html=maybe`)).status, 400);
});

// Contract: core-9.tree
test('a tree lists folders, then files, of a path and recursively', async (t) => {
  const { owner, path, file, write } = await projectWithRepository();
  await owner.post(file('src/lib/a.ts'), { ...write, content: 'a' });
  await owner.post(file('src/b.ts'), { ...write, content: 'b' });
  const paths = async (query: string) =>
    (await owner.get(`${path}/tree?${query}`)).body.map((entry: { path: string }) => entry.path);
  const { body, headers } = await owner.get(`${path}/tree`);
  t.like(body[0], { name: 'src', type: 'tree', path: 'src', mode: '040000' });
  t.like(body[1], { name: 'README.md', type: 'blob', path: 'README.md', mode: '100644' });
  t.is(headers.get('x-total'), '2');
  t.deepEqual(await paths('path=src'), ['src/lib', 'src/b.ts']);
  t.deepEqual(await paths('recursive=true&ref=main'), ['src', 'src/lib', 'README.md', 'src/b.ts', 'src/lib/a.ts']);
  t.deepEqual(await paths('per_page=1&page=2'), ['README.md']);
  for (const query of ['path=gone', 'ref=gone', 'path=README.md'])
    t.deepEqual((await owner.get(`${path}/tree?${query}`)).body, { message: '404 Tree Not Found' }, query);
  const empty = await app.build.project({ empty: true });
  t.deepEqual((await app.as(empty.owner).get(`/projects/${empty.id}/repository/tree`)).body, {
    message: '404 Tree Not Found',
  });
});

// Contract: core-9.tree
test('a tree is paged by keyset with a page token, for anybody who may read it', async (t) => {
  const { project, owner, path, file, write } = await projectWithRepository();
  for (const name of ['a', 'b', 'c']) await owner.post(file(name), { ...write, content: 'the same' });
  await app.context().query(sql`update projects set visibility = 'public' where id = ${project.id}`);
  const found: string[] = [];
  let url: string | null = `${path}/tree?pagination=keyset&per_page=2`;
  let pages = 0;
  for (; url !== null && pages < 6; pages += 1) {
    const { status, body, headers } = await app.anonymous.get(url);
    t.is(status, 200);
    t.is(headers.get('x-page'), null);
    found.push(...body.map((entry: { path: string }) => entry.path));
    url = /<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
  }
  t.deepEqual(found, ['README.md', 'a', 'b', 'c']);
  t.is(pages, 3, 'the last page is empty and names no next one');
  t.deepEqual((await owner.get(`${path}/tree?pagination=keyset&page_token=zzz`)).body, {
    error: 'page_token is invalid',
  });
});
