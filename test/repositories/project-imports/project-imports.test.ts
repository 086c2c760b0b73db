import { randomBytes } from 'node:crypto';
import test from 'ava';
import { importFromUrl } from '../../../shared/repositories/project-imports/import-from-url.js';
import { failImport } from '../../../shared/repositories/project-imports/import-state.js';
import { removeProject } from '../../../shared/repositories/project-lifecycle/remove-project.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { unique } from '../../core/builders.js';
import { commitOn, emptyRepository } from '../../git/git-fixture.js';
import { gitDaemon, remoteRepository, serveGit, webServer } from '../../git/git-remote.js';
import { repositoryFiles } from '../../core/repository-files.js';

const app = useApp(test);
const UNREACHABLE = 'Unable to access repository with the URL and credentials provided';

test.before('let the service fetch from this machine', () =>
  app.set({ allow_local_requests_from_web_hooks_and_services: true }),
);

const create = (user: BuiltUser, import_url: string, attributes: object = {}) =>
  app.as(user).post('/projects', { name: `Imported ${unique()}`, import_url, ...attributes });
const read = async (user: BuiltUser, id: number) => (await app.as(user).get(`/projects/${id}`)).body;
const getBranches = async (user: BuiltUser, id: number) =>
  (await app.as(user).get(`/projects/${id}/repository/branches`)).body.map(({ name }: { name: string }) => name);

/** What became of a project that is imported from a URL. */
async function imported(url: string, attributes: object = {}) {
  const user = await app.build.user();
  const { status, body } = await create(user, url, attributes);
  await app.work();
  return { user, status, id: body.id as number, body: await read(user, body.id) };
}

// Contract: core-5.import_url, interface-2.10.mirror
test('a project is imported from a URL by a job: every branch and tag, and the default branch', async (t) => {
  const repository = await remoteRepository(t);
  const url = `${await webServer(t, (request, response) => serveGit(repository, request, response))}/some/where.git`;
  const user = await app.build.user();
  const { status, body } = await create(user, url, { initialize_with_readme: true });
  t.is(status, 201);
  t.like(body, {
    import_status: 'scheduled',
    import_type: 'git',
    import_url: url,
    import_error: null,
    empty_repo: true,
  });
  await app.work();
  const after = await read(user, body.id);
  t.like(after, { import_status: 'finished', import_type: 'git', import_url: url, import_error: null });
  t.like(after, { default_branch: 'trunk', empty_repo: false });
  t.deepEqual(await getBranches(user, body.id), ['side', 'trunk']);
  const tag = (await app.as(user).get(`/projects/${body.id}/repository/tags/v1`)).body;
  t.is(tag.message, 'First');
  t.is((await app.as(user).get(`/projects/${body.id}/repository/files/README.md/raw`)).text, '# From elsewhere\n');
  const rule = await app.as(user).get(`/projects/${body.id}/protected_branches/trunk`);
  t.is(rule.body.push_access_levels[0].access_level, 40);
});

// Contract: interface-4.10.imported
test('imported lists what the caller imported from elsewhere', async (t) => {
  const repository = await remoteRepository(t);
  const url = await webServer(t, (request, response) => serveGit(repository, request, response));
  const { user, id } = await imported(url, { visibility: 'public' });
  await app.build.project({ owner: user });
  const upstream = await app.build.project({ visibility: 'public' });
  await app.as(user).post(`/projects/${upstream.id}/fork`);
  const list = async (of: BuiltUser) =>
    (await app.as(of).get('/projects?imported=true')).body.map((project: { id: number }) => project.id);
  t.deepEqual(await list(user), [id]);
  t.deepEqual(await list(await app.build.user()), []);
  t.deepEqual((await app.anonymous.get(`/projects?imported=true&id_after=${id - 1}`)).body, []);
  const all = (await app.as(user).get(`/projects?imported=0&owned=true`)).body;
  t.is(all.length, 3);
});

test('default_branch chooses among the branches that come along', async (t) => {
  const repository = await remoteRepository(t);
  const url = await webServer(t, (request, response) => serveGit(repository, request, response));
  t.is((await imported(url, { default_branch: 'side' })).body.default_branch, 'side');
  t.is((await imported(url, { default_branch: 'absent' })).body.default_branch, 'trunk');
});

test('name and password of the URL are for the server alone, and are shown to nobody', async (t) => {
  const repository = await remoteRepository(t);
  const expected = `Basic ${Buffer.from('ann:s:e/cret').toString('base64')}`;
  const url = await webServer(t, (request, response) => {
    if (request.headers.authorization === expected) return serveGit(repository, request, response);
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
  });
  const right = await imported(url.replace('://', '://ann:s%3Ae%2Fcret@'));
  t.like(right.body, { import_status: 'finished', import_url: `${url}/` });
  const wrong = await imported(url.replace('://', '://ann:guess@'));
  t.like(wrong.body, { import_status: 'failed', import_error: UNREACHABLE, import_url: `${url}/` });
  t.is((await imported(url)).body.import_error, UNREACHABLE);
  const rows = JSON.stringify((await app.as(right.user).get(`/projects/${right.id}/audit_events`)).body);
  t.false(rows.includes('e/cret') || rows.includes('e%2Fcret'));
});

test('a redirect is followed; the password stays with the host that it was given for', async (t) => {
  const repository = await remoteRepository(t);
  const authorizations: (string | undefined)[] = [];
  const target = await webServer(t, (request, response) => {
    authorizations.push(request.headers.authorization);
    serveGit(repository, request, response);
  });
  const elsewhere = target.replace('127.0.0.1', 'localhost');
  const url = await webServer(t, (request, response) => {
    response.writeHead(301, { Location: `${elsewhere}/moved.git${request.url?.replace(/^\/old/, '')}` }).end();
  });
  const { body } = await imported(`${url.replace('://', '://ann:secret@')}/old`);
  t.like(body, { import_status: 'finished', import_url: `${url}/old` });
  t.true(authorizations.length > 1);
  t.true(authorizations.every((value) => value === undefined));
});

test('redirects without an end, to another kind of answer or to nowhere fail', async (t) => {
  const round: string = await webServer(t, (request, response) => {
    response.writeHead(302, { Location: String(request.url) }).end();
  });
  t.is((await imported(round)).body.import_error, UNREACHABLE);
  const sideways = await webServer(t, (_request, response) => {
    response.writeHead(302, { Location: '/sign_in' }).end();
  });
  t.is((await imported(sideways)).body.import_error, UNREACHABLE);
  const nowhere = await webServer(t, (_request, response) => void response.writeHead(302).end());
  t.is((await imported(nowhere)).body.import_error, UNREACHABLE);
});

// Contract: core-5.import_url
test('what is no git server fails the import, with a reason', async (t) => {
  const answers: Record<string, () => [number, string, string]> = {
    page: () => [200, 'text/html', '<h1>Hello</h1>'],
    missing: () => [404, 'text/plain', 'Not found'],
    broken: () => [500, 'text/plain', 'Oh'],
    liar: () => [200, 'application/x-git-upload-pack-advertisement', 'nonsense'],
  };
  const url = await webServer(t, (request, response) => {
    const [status, type, text] = answers[/^\/(\w+)/.exec(request.url ?? '')?.[1] ?? '']?.() ?? [404, 'text/plain', ''];
    response.writeHead(status, { 'Content-Type': type }).end(text);
  });
  for (const name of Object.keys(answers)) {
    const { status, body, user, id } = await imported(`${url}/${name}`);
    t.is(status, 201);
    t.like(body, { import_status: 'failed', import_error: UNREACHABLE, import_type: 'git', empty_repo: true }, name);
    // The project is there, and is written to as any other.
    const push = await app.as(user).post(`/projects/${id}/repository/files/new.txt`, {
      branch: 'main',
      content: 'new',
      commit_message: 'Add',
    });
    t.is(push.status, 201);
  }
  t.is((await imported('http://127.0.0.1:1027/nobody.git')).body.import_error, UNREACHABLE);
  t.is(
    (await imported('http://nowhere.invalid/a.git')).body.import_error,
    'The import URL is blocked: Host cannot be resolved or invalid',
  );
});

// Contract: core-5.import_url
test('an empty repository is imported as an empty project', async (t) => {
  const repository = await emptyRepository(t);
  const url = await webServer(t, (request, response) => serveGit(repository, request, response));
  t.like((await imported(url)).body, { import_status: 'finished', import_error: null, empty_repo: true });
});

// Contract: core-5.import_url
test('the git protocol is spoken too, and the server learns the name that it was asked for', async (t) => {
  const hosts: string[] = [];
  const port = await gitDaemon(t, await remoteRepository(t), hosts);
  const { body } = await imported(`git://localhost:${port}/some/where.git`);
  t.like(body, { import_status: 'finished', default_branch: 'trunk' });
  t.true(hosts.includes(`localhost:${port}`));
});

// Contract: core-5.import_url.races
test.serial(
  'until its repository is there a project is read-only, and one that is deleted meanwhile leaves nothing',
  async (t) => {
    const repository = await remoteRepository(t);
    const url = await webServer(t, (request, response) => serveGit(repository, request, response));
    const user = await app.build.user();
    const { body } = await create(user, url);
    const push = () =>
      app.as(user).post(`/projects/${body.id}/repository/files/new.txt`, {
        branch: 'main',
        content: 'new',
        commit_message: 'Add',
      });
    t.is((await push()).status, 403);
    const markedAt = app.clock.now();
    await Promise.all([
      importFromUrl(app.context(), body.id, null),
      app
        .as(user)
        .delete(`/projects/${body.id}`)
        .then(() => removeProject(app.context(), body.id, markedAt)),
    ]);
    await app.work();
    t.deepEqual(await repositoryFiles(app, body), []);
  },
);

// Serial where a test itself does the work of the job, because another test would run the job in the meantime.
// Contract: core-5.import_url.races
test.serial(
  'an import that is repeated, or goes on after a crash, changes nothing that was pushed since',
  async (t) => {
    const repository = await remoteRepository(t);
    const url = await webServer(t, (request, response) => serveGit(repository, request, response));
    const user = await app.build.user();
    const { body } = await create(user, url);
    const again = () => importFromUrl(app.context(), body.id, null);
    await Promise.allSettled([again(), again()]);
    await again();
    await app.as(user).post(`/projects/${body.id}/repository/branches`, { branch: 'mine', ref: 'trunk' });
    await again();
    await failImport(app.context(), body.id, 'Too late.');
    t.deepEqual(await getBranches(user, body.id), ['mine', 'side', 'trunk']);
    t.like(await read(user, body.id), { import_status: 'finished', import_error: null });
  },
);

test.serial(
  'a repository that is larger than max_import_remote_file_size is not imported, whatever max_import_size is',
  async (t) => {
    const repository = await emptyRepository(t);
    await commitOn(repository, null, [{ action: 'create', file_path: 'large', content: randomBytes(3 * 1024 * 1024) }]);
    const url = await webServer(t, (request, response) => serveGit(repository, request, response));
    await app.set({ max_import_remote_file_size: 2 });
    const { body, id } = await imported(url);
    t.like(body, {
      import_status: 'failed',
      import_error: 'The remote repository is larger than the limit of 2 MiB.',
      empty_repo: true,
    });
    t.deepEqual(await repositoryFiles(app, { id }), []);
    await app.set({ max_import_remote_file_size: 4, max_import_size: 1 });
    t.is((await imported(url)).body.import_status, 'finished');
    await app.set({ max_import_remote_file_size: 10_240, max_import_size: 0 });
  },
);

test.serial('every plan has imports', async (t) => {
  const repository = await remoteRepository(t);
  const url = await webServer(t, (request, response) => serveGit(repository, request, response));
  await app.set({ plan: 'free' });
  const { body } = await imported(url);
  await app.set({ plan: 'ultimate' });
  t.like(body, { import_status: 'finished', import_url: `${url}/` });
});
