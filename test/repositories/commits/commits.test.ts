import test from 'ava';
import { sql } from 'kysely';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';

const app = useApp(test);

async function projectWithCommits(messages: string[] = []) {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}/repository/commits`;
  const commit = (body: Record<string, unknown>) =>
    owner.post(path, { branch: 'main', commit_message: 'A change', ...body });
  for (const [index, message] of messages.entries())
    await commit({
      commit_message: message,
      actions: [{ action: 'create', file_path: `f${index}.txt`, content: `${index}\n` }],
    });
  return { project, owner, path, commit };
}

const titles = (body: { title: string }[]) => body.map(({ title }) => title);

// Contract: delivery-6.create
test('a commit creates, updates, moves, deletes and marks files at once', async (t) => {
  const { owner, path, commit } = await projectWithCommits();
  await commit({
    actions: [
      { action: 'create', file_path: 'a.txt', content: 'one\n' },
      { action: 'create', file_path: 'b.txt', content: 'two\n' },
      {
        action: 'create',
        file_path: 'bin/run',
        content: Buffer.from([0, 1, 255]).toString('base64'),
        encoding: 'base64',
      },
    ],
  });
  const { status, body } = await commit({
    commit_message: 'Rework\n\nCloses nothing.\n\nReviewed-by: Ann <ann@example.com>',
    author_name: 'Ann Example',
    author_email: 'ann@example.com',
    actions: [
      { action: 'update', file_path: 'a.txt', content: 'changed\n' },
      { action: 'move', file_path: 'c.txt', previous_path: 'b.txt' },
      { action: 'delete', file_path: 'README.md' },
      { action: 'chmod', file_path: 'bin/run', execute_filemode: true },
    ],
  });
  t.is(status, 201);
  t.like(body, { title: 'Rework', author_name: 'Ann Example', author_email: 'ann@example.com' });
  t.is(body.short_id, body.id.slice(0, 8));
  t.deepEqual(body.trailers, { 'Reviewed-by': 'Ann <ann@example.com>' });
  t.deepEqual(Object.keys(body.stats), ['additions', 'deletions', 'total']);
  t.is(body.status, null);
  t.is(body.last_pipeline, null);
  const tree = (await owner.get(path.replace('/commits', '/tree?recursive=true'))).body;
  t.deepEqual(
    tree.map((entry: { mode: string; path: string }) => [entry.mode, entry.path]),
    [
      ['040000', 'bin'],
      ['100644', 'a.txt'],
      ['100755', 'bin/run'],
      ['100644', 'c.txt'],
    ],
  );
});

// Contract: delivery-6.create
test('the first commit of an empty repository makes the branch, which becomes the default one', async (t) => {
  const project = await app.build.project({ empty: true });
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}`;
  t.deepEqual((await owner.get(`${path}/repository/commits`)).body, []);
  const { status } = await owner.post(`${path}/repository/commits`, {
    branch: 'trunk',
    commit_message: 'First',
    actions: [{ action: 'create', file_path: 'a', content: '' }],
  });
  t.is(status, 201);
  t.is((await owner.get(path)).body.default_branch, 'trunk');
  t.true((await owner.get(`${path}/repository/branches/trunk`)).body.protected);
  t.deepEqual(titles((await owner.get(`${path}/repository/commits`)).body), ['First']);
});

// Contract: delivery-6.list
test('the list of commits on an empty repository is empty, not missing', async (t) => {
  const project = await app.build.project({ empty: true });
  const { status, body } = await app.as(project.owner).get(`/projects/${project.id}/repository/commits`);
  t.deepEqual([status, body], [200, []]);
});

// Contract: delivery-6.list
test('commits are listed newest first and paged without being counted', async (t) => {
  const { owner, path } = await projectWithCommits(['one', 'two', 'three']);
  const { body, headers } = await owner.get(`${path}?per_page=2`);
  t.deepEqual(titles(body), ['three', 'two']);
  t.is(headers.get('x-next-page'), '2');
  t.is(headers.get('x-total'), null);
  t.is(headers.get('x-total-pages'), null);
  t.notRegex(headers.get('link') ?? '', /rel="last"/);
  t.regex(headers.get('link') ?? '', /rel="next"/);
  const last = await owner.get(`${path}?per_page=2&page=2`);
  t.deepEqual(titles(last.body), ['one', 'Initial commit']);
  t.is(last.headers.get('x-next-page'), '');
});

// Contract: delivery-6.list
test('the filters of the list of commits narrow it', async (t) => {
  const { owner, path, commit } = await projectWithCommits(['one']);
  app.clock.advance('1 minute');
  await commit({
    branch: 'side',
    start_branch: 'main',
    commit_message: 'aside',
    author_name: 'Zoe',
    author_email: 'zoe@example.com',
    actions: [{ action: 'create', file_path: 'dir/x', content: 'x' }],
  });
  const list = async (query: string) => titles((await owner.get(`${path}?${query}`)).body);
  t.deepEqual(await list(''), ['one', 'Initial commit']);
  t.deepEqual(await list('ref_name=side'), ['aside', 'one', 'Initial commit']);
  t.deepEqual(await list('ref_name=main..side'), ['aside']);
  t.deepEqual(await list('all=true'), ['aside', 'one', 'Initial commit']);
  t.deepEqual(await list('ref_name=side&path=dir'), ['aside']);
  t.deepEqual(await list('ref_name=side&author=Zoe'), ['aside']);
  t.deepEqual(await list('until=2001-01-01T00:00:00Z'), []);
  t.deepEqual(await list('since=2001-01-01T00:00:00Z&first_parent=true&order=topo'), ['one', 'Initial commit']);
  t.truthy((await owner.get(`${path}?with_stats=true`)).body[0].stats);
  t.false('stats' in (await owner.get(path)).body[0]);
  t.deepEqual((await owner.get(`${path}?ref_name=gone`)).body, { message: '404 Commit Not Found' });
  t.deepEqual((await owner.get(`${path}?order=x&since=x`)).body, {
    error: 'since is invalid, order does not have a valid value',
  });
});

// Contract: delivery-6.get
test('a commit is read by sha, short sha, branch or tag, with its newest pipeline', async (t) => {
  const { project, owner, path } = await projectWithCommits(['one']);
  const base = `/projects/${project.id}`;
  const pipeline = (await owner.post(`${base}/pipeline`, { ref: 'main' })).body;
  await owner.post(`${base}/repository/tags`, { tag_name: 'v1.0', ref: 'main' });
  for (const name of [pipeline.sha, pipeline.sha.slice(0, 8), 'main', 'v1.0', 'HEAD']) {
    const { status, body } = await owner.get(`${path}/${name}`);
    t.is(status, 200, name);
    t.like(body, { id: pipeline.sha, title: 'one', project_id: project.id, status: 'pending' });
    t.is(body.last_pipeline.id, pipeline.id);
    t.deepEqual(body.stats, { additions: 1, deletions: 0, total: 1 });
    t.is(body.parent_ids.length, 1);
  }
  t.false('stats' in (await owner.get(`${path}/main?stats=false`)).body);
  t.deepEqual((await owner.get(`${path}/gone`)).body, { message: '404 Commit Not Found' });
  t.is((await owner.get(`${path}/${'1'.repeat(40)}`)).status, 404);
});

// Contract: delivery-6.dates
test('commit dates keep their own offset', async (t) => {
  const { project, owner, path } = await projectWithCommits();
  const repository = getRepositoryPath(app.context(), project);
  const tree = plainGit(repository, ['rev-parse', 'main^{tree}']).trim();
  const text = `tree ${tree}\nauthor A <a@b.c> 1340880260 -0700\ncommitter C <c@b.c> 1340880260 +0200\n\nAbroad\n`;
  const sha = plainGit(repository, ['hash-object', '-t', 'commit', '-w', '--stdin'], text).trim();
  t.like((await owner.get(`${path}/${sha}`)).body, {
    title: 'Abroad',
    authored_date: '2012-06-28T03:44:20-07:00',
    committed_date: '2012-06-28T12:44:20+02:00',
    created_at: '2012-06-28T12:44:20+02:00',
  });
});

// Contract: delivery-6.refs
test('the branches and tags of a commit are listed', async (t) => {
  const { project, owner, path } = await projectWithCommits();
  await owner.post(`/projects/${project.id}/repository/tags`, { tag_name: 'v1', ref: 'main' });
  const all = [
    { type: 'branch', name: 'main' },
    { type: 'tag', name: 'v1' },
  ];
  t.deepEqual((await owner.get(`${path}/main/refs`)).body, all);
  t.deepEqual((await owner.get(`${path}/main/refs?type=tag`)).body, all.slice(1));
  t.is((await owner.get(`${path}/main/refs?type=branch`)).headers.get('x-total'), '1');
  t.deepEqual((await owner.get(`${path}/main/refs?type=x`)).body, { error: 'type does not have a valid value' });
  t.is((await owner.get(`${path}/gone/refs`)).status, 404);
});

// Contract: delivery-6.errors
test('what is wrong with a commit is said in the public words, and nothing is changed', async (t) => {
  const { owner, path, commit } = await projectWithCommits();
  const assertRejected = async (body: Record<string, unknown>, answer: unknown) => {
    const { status, body: said } = await commit(body);
    t.deepEqual([status, said], [400, answer]);
  };
  const create = { action: 'create', file_path: 'new.txt', content: 'x' };
  t.deepEqual((await owner.post(path, {})).body, {
    error: 'branch is missing, commit_message is missing, actions is missing',
  });
  await assertRejected({ actions: [] }, { error: 'actions is empty' });
  await assertRejected(
    { actions: [{ action: 'rename', file_path: 'a' }] },
    { error: 'actions[0][action] does not have a valid value' },
  );
  await assertRejected(
    { actions: [create, { action: 'update', file_path: 'a' }] },
    { error: 'actions[1][content] is missing' },
  );
  await assertRejected(
    { actions: [{ action: 'move', file_path: 'a' }] },
    { error: 'actions[0][previous_path] is missing' },
  );
  await assertRejected(
    { actions: [{ ...create, content: '!', encoding: 'base64' }] },
    { error: 'actions[0][content] is invalid' },
  );
  await assertRejected(
    { actions: [create, { action: 'create', file_path: 'README.md', content: '' }] },
    {
      message: 'A file with this name already exists',
    },
  );
  await assertRejected(
    { actions: [{ action: 'delete', file_path: 'gone' }] },
    { message: "A file with this name doesn't exist" },
  );
  await assertRejected({ actions: [{ ...create, file_path: '../x' }] }, { message: 'The path of the file is invalid' });
  await assertRejected(
    { branch: 'new', actions: [create] },
    { message: 'You can only create or edit files when you are on a branch' },
  );
  await assertRejected(
    { branch: 'new', start_branch: 'gone', actions: [create] },
    { message: 'Invalid reference name: gone' },
  );
  await assertRejected(
    { branch: 'new', start_branch: 'main', start_sha: 'main', actions: [create] },
    {
      error: 'start_branch, start_sha are mutually exclusive',
    },
  );
  await assertRejected(
    { branch: 'a..b', start_branch: 'main', actions: [create] },
    { message: 'Branch name is invalid' },
  );
  t.deepEqual(titles((await owner.get(path)).body), ['Initial commit']);
});

// Contract: delivery-6.create
test('a new branch starts from a branch or a sha, an existing one from nothing else', async (t) => {
  const { owner, path, commit } = await projectWithCommits(['one']);
  const actions = [{ action: 'create', file_path: 'side.txt', content: 'x' }];
  const parent = (await owner.get(`${path}/main`)).body.parent_ids[0];
  t.is((await commit({ branch: 'early', start_sha: parent, actions })).body.parent_ids[0], parent);
  t.is((await commit({ branch: 'side', start_branch: 'main', actions })).status, 201);
  t.deepEqual((await commit({ branch: 'side', start_branch: 'main', actions })).body, {
    message: "A branch called 'side' already exists. Switch to that branch in order to make changes",
  });
});

// Contract: delivery-6.create
test('commits to one branch at once all happen, each on the one before', async (t) => {
  const { owner, path, commit } = await projectWithCommits();
  const names = ['a', 'b', 'c', 'd'];
  const answers = await Promise.all(
    names.map((name) =>
      commit({ commit_message: name, actions: [{ action: 'create', file_path: name, content: '' }] }),
    ),
  );
  t.deepEqual(
    answers.map(({ status }) => status),
    names.map(() => 201),
  );
  t.deepEqual(
    titles((await owner.get(path)).body)
      .slice(0, -1)
      .sort(),
    names,
  );
});

// Contract: delivery-6.errors
test('a protected branch takes commits of those whom its rule names', async (t) => {
  const { project, path } = await projectWithCommits();
  const body = { branch: 'main', commit_message: 'x', actions: [{ action: 'create', file_path: 'x', content: 'x' }] };
  const developer = app.as(await app.build.member(project, 'developer'));
  const rejection = await developer.post(path, body);
  t.deepEqual(
    [rejection.status, rejection.body],
    [403, { message: '403 Forbidden - You are not allowed to push into this branch' }],
  );
  t.is((await developer.post(path, { ...body, branch: 'mine', start_branch: 'main' })).status, 201);
  t.is((await app.as(await app.build.member(project, 'maintainer')).post(path, body)).status, 201);
  const reporter = app.as(await app.build.member(project, 'reporter'));
  t.deepEqual((await reporter.post(path, body)).body, { message: '403 Forbidden' });
  t.is((await reporter.get(path)).status, 200);
  t.is((await app.anonymous.post(path, body)).status, 401);
});

// Contract: delivery-6.roles
test('commits are read without a token on public projects, by members of private ones from Reporter on', async (t) => {
  const { project, path } = await projectWithCommits();
  t.is((await app.anonymous.get(path)).status, 404);
  t.is((await app.as(await app.build.member(project, 'guest')).get(path)).status, 403);
  await app
    .context()
    .query(sql`update projects set visibility = 'public', public_jobs = false where id = ${project.id}`);
  t.is((await app.anonymous.get(path)).status, 200);
  const { status, body } = await app.anonymous.get(`${path}/main`);
  t.is(status, 200);
  t.is(body.last_pipeline, null, 'pipelines are not public');
});
