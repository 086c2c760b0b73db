import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { gitStarts } from '../../../shared/git/index.js';
import type { GitStart } from '../../../shared/git/index.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { commitOn, file, plainGit } from '../../git/git-fixture.js';
import { clone, git, lsRemote, getUrl } from './git-client.js';

const app = useApp(test);
const VERSIONS = ['0', '1', '2'];
const speaking = (version: string) => ({ 'protocol.version': version });

/** A project with `commits` on main, a branch and a tag, and refs of the service's own. */
async function projectWith(commits: number, visibility = 'public') {
  const project = await app.build.project({ visibility });
  const repository = getRepositoryPath(app.context(), project);
  const shas = [plainGit(repository, ['rev-parse', 'main']).trim()];
  for (let index = 0; index < commits; index += 1)
    shas.push(await commitOn(repository, shas.at(-1)!, [file(`docs/${index}.txt`, `${index}\n`.repeat(500))]));
  const head = shas.at(-1)!;
  const own = ['refs/remote/heads/main', `refs/keep-around/${shas[0]}`, 'refs/pipelines/1', 'refs/environments/a/1'];
  for (const ref of ['refs/heads/work', 'refs/tags/v1', 'refs/notes/x', ...own])
    plainGit(repository, ['update-ref', ref, shas[0]!]);
  return { project, repository, shas, head };
}

// Contract: git-http-1.smart, git-http-1.versions, git-http-4.hidden
test("a project is cloned and fetched by every version of the protocol, with all refs but the service's own", async (t) => {
  const { project, repository, head } = await projectWith(3);
  for (const version of VERSIONS) {
    const settings = speaking(version);
    const { stdout } = await lsRemote(app, project, { settings });
    const names = stdout.split('\n').map((line) => line.split('\t')[1]);
    t.deepEqual(
      names,
      ['HEAD', 'refs/heads/main', 'refs/heads/work', 'refs/notes/x', 'refs/tags/v1', undefined],
      version,
    );
    const copy = await clone(t, app, project, { settings, options: ['--mirror'] });
    t.is(copy.code, 0, copy.stderr);
    t.is(await copy.inside('rev-parse', 'HEAD'), head);
    t.is(
      await copy.inside('for-each-ref', '--format=%(refname)'),
      'refs/heads/main\nrefs/heads/work\nrefs/notes/x\nrefs/tags/v1',
    );
    t.is(await copy.inside('fsck', '--full'), '');
    const next = await commitOn(repository, head, [file(`later-${version}.txt`)], { branch: `later${version}` });
    await copy.inside('fetch', '--quiet');
    t.is(await copy.inside('rev-parse', `refs/heads/later${version}`), next);
    plainGit(repository, ['update-ref', '-d', `refs/heads/later${version}`]);
  }
});

// Contract: git-http-1.smart
test('the URL works with .git and without, in any case, and as http_url_to_repo tells it', async (t) => {
  const { project, head } = await projectWith(0);
  const { body } = await app.as(project.owner).get(`/projects/${project.id}`);
  t.is(body.http_url_to_repo, `${app.services.config.externalUrl}/${project.full_path}.git`);
  for (const end of ['.git', '', '.git/']) {
    const { code, stdout, stderr } = await git(['ls-remote', getUrl(app, project, undefined, end), 'HEAD']);
    t.deepEqual([code, stdout, stderr], [0, `${head}\tHEAD\n`, ''], end);
  }
  t.is((await lsRemote(app, project.full_path.toUpperCase())).code, 0);
});

// Contract: git-http-1.shallow
test('shallow clones and single branches', async (t) => {
  const { project, head, shas } = await projectWith(5);
  for (const version of VERSIONS) {
    const settings = speaking(version);
    const copy = await clone(t, app, project, { settings, options: ['--depth=2', '--branch=main'] });
    t.is(copy.code, 0, copy.stderr);
    t.is(await copy.inside('rev-list', '--count', 'HEAD'), '2');
    t.is(await copy.inside('branch', '-r', '--format=%(refname:short)', '--list', 'origin/work'), '');
    await copy.inside('fetch', '--quiet', '--deepen=1');
    t.is(await copy.inside('rev-list', '--count', 'HEAD'), '3');
    await copy.inside('fetch', '--quiet', '--unshallow');
    t.is(await copy.inside('rev-list', '--count', 'HEAD'), String(shas.length));
    t.is(await copy.inside('rev-parse', 'HEAD'), head);
    const tag = await clone(t, app, project, { settings, options: ['--single-branch', '--branch=v1'] });
    t.is(await tag.inside('rev-parse', 'HEAD'), shas[0]!);
  }
});

// Contract: git-http-1.partial
test('partial clones leave out blobs or trees, and fetch them when they are needed', async (t) => {
  const { project, repository, head } = await projectWith(2);
  for (const version of VERSIONS) {
    for (const filter of ['blob:none', 'tree:0', 'blob:limit=100']) {
      const settings = speaking(version);
      const options = [`--filter=${filter}`, '--no-checkout'];
      const copy = await clone(t, app, project, { settings, options });
      t.is(copy.code, 0, copy.stderr);
      const missing = await copy.inside('rev-list', '--objects', '--all', '--missing=print', '--no-object-names');
      t.true(missing.includes('?'), `${filter} leaves nothing out in version ${version}`);
      await copy.inside('checkout', '--quiet', 'main');
      t.true(readFileSync(join(copy.folder, 'docs/1.txt'), 'utf8').startsWith('1\n1\n'));
    }
  }
  await commitOn(repository, head, [file('patterns', '*\n')]);
  const sparse = await clone(t, app, project, { options: ['--filter=sparse:oid=main:patterns', '--no-checkout'] });
  t.not(sparse.code, 0, 'patterns of the client are not compared with every path');
});

// Contract: git-http-1.versions
test('a commit is fetched by its id, whatever the version', async (t) => {
  const { project, shas } = await projectWith(3);
  for (const version of VERSIONS) {
    const copy = await clone(t, app, project, { settings: speaking(version), options: ['--depth=1', '--branch=v1'] });
    await copy.inside('fetch', '--quiet', '--depth=1', 'origin', shas[2]!);
    t.is(await copy.inside('rev-parse', 'FETCH_HEAD'), shas[2]!);
  }
});

// Contract: git-http-1.empty
test('a project without a repository is cloned as an empty one, which makes none', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  for (const version of VERSIONS) {
    const copy = await clone(t, app, project, { settings: speaking(version) });
    t.is(copy.code, 0, copy.stderr);
    t.is(await copy.inside('for-each-ref'), '');
  }
  const [row] = await app
    .context()
    .query<{ present: boolean }>(sql`select repository_created as present from projects where id = ${project.id}`);
  t.false(row!.present);
});

// Contract: git-http-1.moved
test('an old path sends git on to the new URL', async (t) => {
  const { project, head } = await projectWith(1, 'private');
  const old = project.full_path;
  const { body } = await app.as(project.owner).put(`/projects/${project.id}`, { path: 'elsewhere' });
  t.is(body.path, 'elsewhere');
  const headers = { Authorization: `Basic ${Buffer.from(`x:${project.owner.token}`).toString('base64')}` };
  const url = `/${old}.git/info/refs?service=git-upload-pack`;
  const moved = await app.withHeaders(headers).raw('GET', url);
  t.is(moved.status, 301);
  const base = app.services.config.externalUrl;
  t.is(moved.headers.get('location'), `${base}/${body.path_with_namespace}.git/info/refs?service=git-upload-pack`);
  t.is(moved.text, `This project has moved to ${base}/${body.path_with_namespace}.git\n`);
  const stranger = await app.build.user();
  t.is((await lsRemote(app, old, { as: stranger })).code, 128, 'strangers are not told');
  // The external URL must be the service's real one for git to follow the redirect.
  app.services.config.externalUrl = app.url;
  t.teardown(() => (app.services.config.externalUrl = base));
  const { code, stdout, stderr } = await lsRemote(app, old, { as: project.owner });
  t.is(code, 0, stderr);
  t.true(stdout.startsWith(`${head}\tHEAD`));
  t.regex(stderr, /redirecting to/);
});

// Contract: git-http-1.read-only
test('archived, marked and importing projects are fetched', async (t) => {
  for (const how of ['archived', 'marked', 'importing']) {
    const { project, head } = await projectWith(1);
    const owner = app.as(project.owner);
    if (how === 'archived') t.is((await owner.post(`/projects/${project.id}/archive`)).status, 201);
    if (how === 'marked') t.is((await owner.delete(`/projects/${project.id}`)).status, 202);
    if (how === 'importing')
      await app.context().query(sql`update projects set import_status = 'started' where id = ${project.id}`);
    const { body } = await owner.get(`/projects/${project.id}`);
    const { stdout, stderr } = await lsRemote(app, body.path_with_namespace, { as: project.owner });
    t.true(stdout.startsWith(`${head}\tHEAD`), `${how}: ${stderr}`);
  }
});

// Contract: git-http-7.lanes
test('transfers run in a lane of their own, for whoever asked, and many at once', async (t) => {
  const { project, head } = await projectWith(3, 'private');
  const starts: GitStart[] = [];
  const hear = (start: unknown) => {
    if ((start as GitStart).command === 'upload-pack') starts.push(start as GitStart);
  };
  gitStarts.subscribe(hear);
  t.teardown(() => gitStarts.unsubscribe(hear));
  const as = await app.build.member(project, 'reporter');
  const copies = await Promise.all(Array.from({ length: 10 }, () => clone(t, app, project, { as })));
  for (const copy of copies) {
    t.is(copy.code, 0, copy.stderr);
    t.is(await copy.inside('rev-parse', 'HEAD'), head);
  }
  const own = starts.filter(({ repository }) => repository === getRepositoryPath(app.context(), project));
  const owners = own.filter(({ caller }) => caller === `user ${as.id}`);
  t.true(owners.length >= 20);
  t.true(own.every(({ pool }) => pool === 'transfer'));
  t.deepEqual(app.services.git.pool('transfer').load.waiting, 0);
});
