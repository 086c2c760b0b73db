import test from 'ava';
import { failUpdate, sendDueUpdates } from '../../../shared/repositories/project-mirrors/mirror-state.js';
import { updateMirror } from '../../../shared/repositories/project-mirrors/update-mirror.js';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';
import { commitOn, file } from '../../git/git-fixture.js';
import { remoteRepository, serveGit, webServer } from '../../git/git-remote.js';
import { git, grow, mirrorSteps } from './mirror-steps.js';

const app = useApp(test);

test.before('let the service fetch from this machine', () =>
  app.set({ allow_local_requests_from_web_hooks_and_services: true }),
);

const { put, status, headOf, tagOf, pipelinesOf, mirrored, update } = mirrorSteps(app);

// Contract: interface-2.10.mirror
test.serial(
  'a mirror follows the repository at its URL: all at first, then new branches, tags and commits',
  async (t) => {
    const mirror = await mirrored(t);
    const { repository } = mirror;
    t.is(await headOf(mirror, 'trunk'), git(repository, 'rev-parse', 'trunk'));
    t.is(await tagOf(mirror, 'v1'), git(repository, 'rev-parse', 'v1'));
    t.is((await app.as(mirror.owner).get(`/projects/${mirror.id}`)).body.default_branch, 'trunk');
    t.like(await status(mirror), { enabled: true, update_status: 'finished', last_error: null });
    const moved = await grow(repository, 'trunk');
    const sha = await commitOn(repository, moved, [file('more.txt')], { branch: 'feature/more' });
    git(repository, 'tag', 'v2', sha);
    await update(mirror);
    t.is(await headOf(mirror, 'trunk'), moved);
    t.is(await headOf(mirror, 'feature%2Fmore'), sha);
    t.is(await tagOf(mirror, 'v2'), sha);
    const raw = await app.as(mirror.owner).get(`/projects/${mirror.id}/repository/files/more.txt/raw?ref=v2`);
    t.is(raw.text, 'more.txt\n');
  },
);

test.serial('what is deleted there stays here', async (t) => {
  const mirror = await mirrored(t);
  const head = await headOf(mirror, 'side');
  git(mirror.repository, 'update-ref', '-d', 'refs/heads/side');
  git(mirror.repository, 'tag', '-d', 'v1');
  await update(mirror);
  t.is(await headOf(mirror, 'side'), head);
  t.is((await status(mirror)).update_status, 'finished');
  t.truthy(await tagOf(mirror, 'v1'));
});

// Contract: interface-2.10.mirror
test.serial('a branch that went another way here stays, unless diverged branches are overwritten', async (t) => {
  const mirror = await mirrored(t);
  const { id, owner, repository } = mirror;
  await app.as(owner).post(`/projects/${id}/repository/files/mine.txt`, {
    branch: 'side',
    content: 'mine',
    commit_message: 'Mine',
  });
  const mine = await headOf(mirror, 'side');
  const theirs = await grow(repository, 'side');
  git(repository, 'tag', '--force', 'v1', theirs);
  const tag = await tagOf(mirror, 'v1');
  await update(mirror);
  t.is(await headOf(mirror, 'side'), mine);
  t.is(await tagOf(mirror, 'v1'), tag);
  t.is((await put(mirror, { mirror_overwrites_diverged_branches: true })).status, 200);
  await update(mirror);
  t.is(await headOf(mirror, 'side'), theirs);
  t.is(await tagOf(mirror, 'v1'), theirs);
});

// Contract: interface-2.10.mirror
test.serial('only protected branches are followed where that is chosen', async (t) => {
  const mirror = await mirrored(t, { only_mirror_protected_branches: true });
  const { repository } = mirror;
  t.is(await headOf(mirror, 'trunk'), undefined, 'nothing is protected yet');
  await app.as(mirror.owner).post(`/projects/${mirror.id}/protected_branches`, { name: 'tr*' });
  const moved = await grow(repository, 'trunk');
  await grow(repository, 'side');
  await update(mirror);
  t.is(await headOf(mirror, 'trunk'), moved);
  t.is(await headOf(mirror, 'side'), undefined);
});

// Contract: interface-2.10.mirror
test.serial('updates start pipelines where that is chosen, but for the first one', async (t) => {
  const mirror = await mirrored(t, { mirror_trigger_builds: true });
  const { repository } = mirror;
  t.deepEqual(await pipelinesOf(mirror), []);
  const sha = await grow(repository, 'trunk');
  await update(mirror);
  const [pipeline, ...others] = await pipelinesOf(mirror);
  t.like(pipeline, { ref: 'trunk', sha, source: 'push' });
  t.is(others.length, 0);
  await put(mirror, { mirror_trigger_builds: false });
  await grow(repository, 'trunk');
  await update(mirror);
  t.is((await pipelinesOf(mirror)).length, 1);
});

test.serial('an update comes every thirty minutes, for each project once', async (t) => {
  const mirror = await mirrored(t);
  const moved = await grow(mirror.repository, 'trunk');
  await sendDueUpdates(app.context());
  await app.work();
  t.not(await headOf(mirror, 'trunk'), moved);
  app.clock.advance('30 minutes');
  t.true((await sendDueUpdates(app.context())) >= 1);
  t.is(await sendDueUpdates(app.context()), 0);
  await app.work();
  t.is(await headOf(mirror, 'trunk'), moved);
  const { body } = await app.as(mirror.owner).get(`/projects/${mirror.id}/mirror/pull`);
  t.is(body.last_successful_update_at, app.clock.now().toISOString());
});

test.serial(
  'an update that is asked for comes at most every five minutes; asking early brings it forward',
  async (t) => {
    const mirror = await mirrored(t);
    const moved = await grow(mirror.repository, 'trunk');
    const ask = () => app.as(mirror.owner).post(`/projects/${mirror.id}/mirror/pull`);
    const { status: code, body } = await ask();
    t.is(code, 200);
    t.is(body.update_status, 'finished');
    await app.work();
    t.not(await headOf(mirror, 'trunk'), moved);
    app.clock.advance('5 minutes');
    await sendDueUpdates(app.context());
    await app.work();
    t.is(await headOf(mirror, 'trunk'), moved);
  },
);

test.serial(
  'an update that fails says why, is tried ever more seldom, and is given up until somebody asks',
  async (t) => {
    let broken = true;
    const repository = await remoteRepository(t);
    const url = await webServer(t, (request, response) =>
      broken ? void response.writeHead(500).end() : serveGit(repository, request, response),
    );
    const project = await app.build.project({ empty: true });
    await put(project, { import_url: url, mirror: true });
    const mirror = { id: project.id, owner: project.owner, repository };
    await app.work();
    t.like(await status(mirror), {
      update_status: 'failed',
      last_error: 'Unable to access repository with the URL and credentials provided',
      last_successful_update_at: null,
    });
    const due = async (after: string) => {
      const before = await status(mirror);
      app.clock.advance(after);
      await sendDueUpdates(app.context());
      await app.work();
      return (await status(mirror)).last_update_started_at !== before.last_update_started_at;
    };
    t.false(await due('29 minutes'));
    t.true(await due('1 minute'));
    t.false(await due('59 minutes'));
    t.true(await due('1 minute'));
    for (let failures = 3; failures < 14; failures += 1) t.true(await due('5 hours'), String(failures));
    t.false(await due('10 days'));
    broken = false;
    await update(mirror);
    t.like(await status(mirror), { update_status: 'finished', last_error: null });
    t.true(await due('30 minutes'));
  },
);

test.serial(
  'a mirror has the rights that its user has now: a lost role, a block or an archived project end it',
  async (t) => {
    const project = await app.build.project({ empty: true });
    const repository = await remoteRepository(t);
    const url = await webServer(t, (request, response) => serveGit(repository, request, response));
    const maintainer = await app.build.member(project, 'maintainer');
    await app.as(maintainer).put(`/projects/${project.id}`, { import_url: url, mirror: true });
    await app.work();
    const mirror = { id: project.id, owner: project.owner, repository };
    const head = await headOf(mirror, 'trunk');
    t.truthy(head);
    await grow(repository, 'trunk');
    const failsWith = async (reason: string) => {
      await update(mirror);
      t.like(await status(mirror), { update_status: 'failed', last_error: reason });
      t.is(await headOf(mirror, 'trunk'), head);
    };
    await app.build.member(project, 'developer', maintainer);
    await failsWith('The user who answers for the mirror is no Maintainer of the project.');
    await app.build.member(project, 'maintainer', maintainer);
    const admin = app.as(await app.build.admin());
    await admin.post(`/users/${maintainer.id}/block`);
    await failsWith('The user who answers for the mirror is gone or blocked.');
    await admin.post(`/users/${maintainer.id}/unblock`);
    await app.as(project.owner).post(`/projects/${project.id}/archive`);
    await failsWith('The project is read-only.');
    await app.as(project.owner).post(`/projects/${project.id}/unarchive`);
    await update(mirror);
    t.is(await headOf(mirror, 'trunk'), git(repository, 'rev-parse', 'trunk'));
  },
);

test.serial('a mirror needs a URL; without it, or switched off, nothing is followed', async (t) => {
  const project = await app.build.project({ empty: true });
  const blank = { message: { import_url: ["can't be blank"] } };
  t.deepEqual((await put(project, { mirror: true })).body, blank);
  const created = await app.as(project.owner).post('/projects', { name: `Mirror ${unique()}`, mirror: true });
  t.deepEqual(created.body, blank);
  const mirror = await mirrored(t);
  t.deepEqual((await put(mirror, { import_url: '' })).body, blank);
  t.is((await put(mirror, { mirror: false })).status, 200);
  const { status: code, body } = await app.as(mirror.owner).get(`/projects/${mirror.id}/mirror/pull`);
  t.is(code, 400);
  t.deepEqual(body, { message: 'The project is not mirrored' });
  t.is((await app.as(mirror.owner).post(`/projects/${mirror.id}/mirror/pull`)).status, 400);
  app.clock.advance('30 minutes');
  await sendDueUpdates(app.context());
  await grow(mirror.repository, 'trunk');
  const head = await headOf(mirror, 'trunk');
  await app.work();
  t.is(await headOf(mirror, 'trunk'), head);
});

test.serial('a project is imported first and mirrored from then on where both are asked for', async (t) => {
  const repository = await remoteRepository(t);
  const url = await webServer(t, (request, response) => serveGit(repository, request, response));
  const owner = await app.build.user();
  const attributes = { name: `Both ${unique()}`, import_url: url, mirror: true };
  const { body } = await app.as(owner).post('/projects', attributes);
  await app.work();
  const mirror = { id: body.id, owner, repository };
  t.is((await app.as(owner).get(`/projects/${body.id}`)).body.import_status, 'finished');
  t.is((await status(mirror)).update_status, 'none');
  const moved = await grow(repository, 'trunk');
  app.clock.advance('30 minutes');
  await sendDueUpdates(app.context());
  await app.work();
  t.is(await headOf(mirror, 'trunk'), moved);
});

test.serial('mirrors are for Maintainers, and need Premium', async (t) => {
  const mirror = await mirrored(t);
  const developer = await app.build.member(mirror, 'developer');
  t.is((await app.as(developer).get(`/projects/${mirror.id}/mirror/pull`)).status, 403);
  t.is((await app.as(developer).post(`/projects/${mirror.id}/mirror/pull`)).status, 403);
  await app.set({ plan: 'free' });
  const moved = await grow(mirror.repository, 'trunk');
  t.is((await app.as(mirror.owner).get(`/projects/${mirror.id}/mirror/pull`)).status, 403);
  app.clock.advance('30 minutes');
  t.is(await sendDueUpdates(app.context()), 0);
  await app.set({ plan: 'premium' });
  await sendDueUpdates(app.context());
  await app.work();
  t.is(await headOf(mirror, 'trunk'), moved);
  await app.set({ plan: 'ultimate' });
});

test.serial('an update that is repeated, or that another one overtook, does no harm', async (t) => {
  const mirror = await mirrored(t);
  const moved = await grow(mirror.repository, 'trunk');
  app.clock.advance('5 minutes');
  await app.as(mirror.owner).post(`/projects/${mirror.id}/mirror/pull`);
  await Promise.allSettled([updateMirror(app.context(), mirror.id), updateMirror(app.context(), mirror.id)]);
  await app.work();
  await updateMirror(app.context(), mirror.id);
  await failUpdate(app.context(), mirror.id, 'Too late.');
  t.is(await headOf(mirror, 'trunk'), moved);
  t.like(await status(mirror), { update_status: 'finished', last_error: null });
});

// Contract: interface-2.10.mirror.configure
test('a mirror that is configured by its own path follows its repository', async (t) => {
  const repository = await remoteRepository(t);
  const url = await webServer(t, (request, response) => serveGit(repository, request, response));
  const project = await app.build.project({ empty: true });
  const path = `/projects/${project.id}/mirror/pull`;
  t.is((await app.as(project.owner).put(path, { enabled: true, url })).status, 200);
  await app.work();
  t.like((await app.as(project.owner).get(path)).body, { update_status: 'finished', last_error: null });
  t.is(await headOf({ ...project, repository }, 'side'), git(repository, 'rev-parse', 'side'));
  const { body } = await app.as(project.owner).put(path, { enabled: true, url });
  t.is(body.update_status, 'finished', 'what is so already is not begun anew');
});
