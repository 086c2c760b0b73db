import test from 'ava';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';

const app = useApp(test);

const KIB = 1024;
const MIB = 1024 * KIB;

interface Texts {
  title?: string;
  message?: string;
  name?: string;
  email?: string;
  parents?: string[];
  file?: string;
}

/** A project whose main branch, and a tag, point to a commit that no API client could create. */
async function projectWithCommit(texts: Texts) {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const repository = getRepositoryPath(app.context(), project);
  const blob = plainGit(repository, ['hash-object', '-w', '--stdin'], texts.file ?? 'one\n').trim();
  const tree = plainGit(repository, ['mktree'], `100644 blob ${blob}\tfile\n`).trim();
  const person = `${texts.name ?? 'Ann'} <${texts.email ?? 'ann@example.com'}> 1340880260 +0000`;
  const head = [
    `tree ${tree}`,
    ...(texts.parents ?? []).map((id) => `parent ${id}`),
    `author ${person}`,
    `committer ${person}`,
  ];
  const text = `${head.join('\n')}\n\n${texts.title ?? 'Title'}\n\n${texts.message ?? ''}`;
  const sha = plainGit(repository, ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], text).trim();
  plainGit(repository, ['update-ref', 'refs/heads/main', sha]);
  await app.context().query(sql`
    update repository_refs set object_sha = ${sha}, target_sha = ${sha} where project_id = ${project.id}`);
  return { project, owner, repository, sha, path: `/projects/${project.id}/repository` };
}

interface CommitResponse {
  title: string;
  message: string;
  author_name: string;
  committer_email: string;
  parent_ids: string[];
}

/** All lists that contain commits. */
async function listed({
  project,
  owner,
  path,
}: Awaited<ReturnType<typeof projectWithCommit>>): Promise<CommitResponse[]> {
  await owner.post(`${path}/tags`, { tag_name: 'v1', ref: 'main' });
  await owner.post(`/projects/${project.id}/statuses/main`, { state: 'success', ref: 'main', name: 'a' });
  const first = async (url: string) => (await owner.get(url)).body[0];
  return Promise.all([
    first(`${path}/commits`),
    owner.get(`${path}/branches/main`).then(({ body }) => body.commit),
    first(`${path}/branches`).then((branch) => branch.commit),
    first(`${path}/tags`).then((tag) => tag.commit),
    first(`/projects/${project.id}/jobs`).then((job) => job.commit),
    first(`${path}/files/file/blame?ref=main`).then((group) => group.commit),
  ]);
}

// Contract: delivery-6.sizes
test('a commit among others tells the beginning of its texts, and by itself its whole message', async (t) => {
  const message = 'ü'.repeat(2 * MIB);
  const newProject = await projectWithCommit({ title: 't'.repeat(3000), message, name: 'n'.repeat(3000) });
  for (const commit of await listed(newProject)) {
    t.is(commit.title, `${'t'.repeat(KIB)}...`);
    t.true(Buffer.byteLength(commit.message) <= 10 * KIB + 3);
    // A character of two bytes is never cut in half.
    t.regex(commit.message, /^t+\n\nü+\.\.\.$/);
    t.is(commit.author_name, `${'n'.repeat(KIB)}...`);
  }
  const { body } = await newProject.owner.get(`${newProject.path}/commits/main`);
  t.is(body.title, `${'t'.repeat(KIB)}...`);
  t.regex(body.message, /^t+\n\nü+\.\.\.$/);
  t.true(Buffer.byteLength(body.message) <= MIB + 3 && Buffer.byteLength(body.message) > MIB - 3);
});

// Contract: delivery-6.sizes
test('a message that fits is told as it is', async (t) => {
  const message = 'x'.repeat(20 * KIB);
  const newProject = await projectWithCommit({ message });
  t.is((await newProject.owner.get(`${newProject.path}/commits/main`)).body.message, `Title\n\n${message}`);
  const short = await projectWithCommit({ message: 'y'.repeat(9 * KIB) });
  for (const commit of await listed(short)) t.is(commit.message, `Title\n\n${'y'.repeat(9 * KIB)}`);
});

// Contract: delivery-6.sizes
test('a page of a hundred branches on the worst of commits is an answer of a bounded size', async (t) => {
  const newProject = await projectWithCommit({
    title: '\u0001'.repeat(MIB),
    message: '\u0001'.repeat(4 * MIB) + `\n\nKey: ${'v'.repeat(50)}`.repeat(1000) + '\n\n' + 'Key: v\n'.repeat(100_000),
    name: '\u0001n'.repeat(MIB),
    email: '\u0001e'.repeat(MIB),
    parents: Array.from({ length: 5000 }, (_, index) => index.toString(16).padStart(40, '0')),
  });
  const { project, sha } = newProject;
  await app.context().query(sql`
    insert into repository_refs (project_id, kind, full_name, name, object_sha, target_sha, created_at, updated_at)
    select ${project.id}, 'branch', 'refs/heads/b' || n, 'b' || n, ${sha}, ${sha}, now(), now()
      from generate_series(1, 200) n`);
  // The default branch's history is not walked: its parents do not exist.
  await app.context().query(sql`update projects set default_branch = null where id = ${project.id}`);
  const { status, text, body } = await newProject.owner.get(`${newProject.path}/branches?per_page=100`);
  t.is(status, 200);
  t.is(body.length, 100);
  t.is(body[0].commit.parent_ids.length, 100);
  t.true(text.length < 16 * MIB, String(text.length));
});

// Contract: delivery-5.sizes
test('a tag among others tells the beginning of its message, and by itself the whole', async (t) => {
  const { owner, repository, sha, path, project } = await projectWithCommit({});
  const message = 'm'.repeat(100 * KIB);
  const tag = `object ${sha}\ntype commit\ntag v1\ntagger Ann <ann@example.com> 1340880260 +0000\n\n${message}\n`;
  const id = plainGit(repository, ['hash-object', '-t', 'tag', '-w', '--stdin'], tag).trim();
  await app.context().query(sql`
    insert into repository_refs (project_id, kind, full_name, name, object_sha, target_sha, created_at, updated_at)
    values (${project.id}, 'tag', 'refs/tags/v1', 'v1', ${id}, ${sha}, now(), now())`);
  const [among] = (await owner.get(`${path}/tags?order_by=name`)).body;
  t.is(among.message, `${'m'.repeat(10 * KIB)}...`);
  t.is(among.created_at, '2012-06-28T10:44:20.000Z');
  t.is((await owner.get(`${path}/tags/v1`)).body.message, message);
});

// Contract: delivery-5a.sizes
test('blame of more than an answer holds is refused, and its parts are not', async (t) => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `${index} is a line`).join('\n');
  const { owner, path } = await projectWithCommit({ file: lines });
  t.is((await owner.get(`${path}/files/file/blame?ref=main`)).status, 200);
  const wide = await projectWithCommit({ file: 'abcdef\n'.repeat(1_450_000) });
  const { status, body } = await wide.owner.get(`${wide.path}/files/file/blame?ref=main`);
  t.deepEqual([status, body], [413, { message: '413 Request Entity Too Large' }]);
  const part = await wide.owner.get(`${wide.path}/files/file/blame?ref=main&range[start]=1&range[end]=3`);
  t.deepEqual(part.body[0].lines, ['abcdef', 'abcdef', 'abcdef']);
});
