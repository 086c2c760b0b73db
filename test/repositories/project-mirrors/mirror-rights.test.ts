import test from 'ava';
import type { ExecutionContext } from 'ava';
import { updateMirror } from '../../../shared/repositories/project-mirrors/update-mirror.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { commitOn, file } from '../../git/git-fixture.js';
import { remoteRepository, serveGit, webServer } from '../../git/git-remote.js';
import { git, grow, mirrorSteps } from './mirror-steps.js';
import type { Mirrored } from './mirror-steps.js';

const app = useApp(test);
const { put, status, headOf, tagOf, pipelinesOf, mirrored, update } = mirrorSteps(app);

test.before('let the service fetch from this machine', () =>
  app.set({ allow_local_requests_from_web_hooks_and_services: true }),
);

/** Replaces the protection of a branch with a rule for that branch. */
async function protect({ id, owner }: Mirrored, name: string, rule: object): Promise<void> {
  await app.as(owner).delete(`/projects/${id}/protected_branches/${name}`);
  await app.as(owner).post(`/projects/${id}/protected_branches`, { name, ...rule });
}

interface Event {
  author_id: number;
  event_name: string;
  details: Record<string, unknown>;
}

const getEvents = async ({ id, owner }: { id: number; owner: BuiltUser }): Promise<Event[]> =>
  (await app.as(owner).get(`/projects/${id}/audit_events?per_page=100`)).body;

/** A commit of the project's own, which the remote does not have. */
async function diverge({ id, owner }: Mirrored, branch: string): Promise<void> {
  const commit = { branch, content: 'mine', commit_message: 'Mine' };
  await app.as(owner).post(`/projects/${id}/repository/files/mine.txt`, commit);
}

/** Another repository with a branch `trunk` of its own. */
async function elsewhere(t: ExecutionContext): Promise<{ url: string; repository: string }> {
  const repository = await remoteRepository(t);
  return { repository, url: await webServer(t, (request, response) => serveGit(repository, request, response)) };
}

// Contract: interface-2.10.mirror.rights
test.serial('what the user of a mirror may not push stays as it is, and last_error names it', async (t) => {
  const mirror = await mirrored(t);
  const head = await headOf(mirror, 'trunk');
  await protect(mirror, 'trunk', { push_access_level: 0 });
  await app.as(mirror.owner).post(`/projects/${mirror.id}/protected_tags`, { name: 'v*', create_access_level: 0 });
  await protect(mirror, 'closed*', { push_access_level: 0 });
  const moved = await grow(mirror.repository, 'trunk');
  const side = await grow(mirror.repository, 'side');
  git(mirror.repository, 'branch', 'closed-1', moved);
  git(mirror.repository, 'tag', 'v2', moved);
  git(mirror.repository, 'tag', 'w2', moved);
  await update(mirror);
  t.is(await headOf(mirror, 'trunk'), head);
  t.is(await headOf(mirror, 'closed-1'), undefined);
  t.is(await tagOf(mirror, 'v2'), undefined);
  t.is(await headOf(mirror, 'side'), side);
  t.is(await tagOf(mirror, 'w2'), moved);
  const { update_status, last_error } = await status(mirror);
  t.is(update_status, 'finished');
  t.is(
    last_error,
    'Left out: refs/heads/trunk, refs/heads/closed-1, refs/tags/v2 (the user who answers for the mirror may not push to them).',
  );
  await protect(mirror, 'trunk', { push_access_level: 40 });
  await update(mirror);
  t.is(await headOf(mirror, 'trunk'), moved);
  t.notRegex((await status(mirror)).last_error, /trunk/);
});

// Contract: interface-2.10.mirror.rights
test.serial('rules that name users and groups hold for the user of a mirror as for anybody', async (t) => {
  const mirror = await mirrored(t);
  const chosen = await app.build.member(mirror, 'developer');
  await protect(mirror, 'trunk', { push_access_level: 0, allowed_to_push: [{ user_id: chosen.id }] });
  const head = await headOf(mirror, 'trunk');
  await grow(mirror.repository, 'trunk');
  await update(mirror);
  t.is(await headOf(mirror, 'trunk'), head);
  await protect(mirror, 'trunk', { push_access_level: 0, allowed_to_push: [{ user_id: mirror.owner.id }] });
  await update(mirror);
  t.is(await headOf(mirror, 'trunk'), git(mirror.repository, 'rev-parse', 'trunk'));
});

// Contract: interface-2.10.mirror.rights
test.serial('a mirror forces a protected branch only where its rule lets it, and a protected tag never', async (t) => {
  const mirror = await mirrored(t, { mirror_overwrites_diverged_branches: true });
  await app.as(mirror.owner).post(`/projects/${mirror.id}/protected_tags`, { name: 'v1', create_access_level: 40 });
  await diverge(mirror, 'trunk');
  await diverge(mirror, 'side');
  const [mine, tag] = [await headOf(mirror, 'trunk'), await tagOf(mirror, 'v1')];
  const theirs = await grow(mirror.repository, 'trunk');
  git(mirror.repository, 'tag', '--force', 'v1', theirs);
  await update(mirror);
  t.is(await headOf(mirror, 'side'), git(mirror.repository, 'rev-parse', 'side'));
  t.is(await headOf(mirror, 'trunk'), mine);
  t.is(await tagOf(mirror, 'v1'), tag);
  t.regex((await status(mirror)).last_error, /refs\/heads\/trunk, refs\/tags\/v1 /);
  await protect(mirror, 'trunk', { allow_force_push: true });
  await update(mirror);
  t.is(await headOf(mirror, 'trunk'), theirs);
});

// Contract: interface-2.10.mirror.rights
test.serial('whoever changes the URL of a mirror, or its credentials, answers for it from then on', async (t) => {
  const mirror = await mirrored(t, { mirror_trigger_builds: true, mirror_overwrites_diverged_branches: true });
  await protect(mirror, 'trunk', {
    push_access_level: 0,
    allowed_to_push: [{ user_id: mirror.owner.id }],
    merge_access_level: 0,
    allow_force_push: true,
  });
  const maintainer = await app.build.member(mirror, 'maintainer');
  const head = await headOf(mirror, 'trunk');
  const other = await elsewhere(t);
  const sha = await commitOn(other.repository, null, [file('evil.txt')], { branch: 'trunk' });
  const change = (import_url: string) => put({ ...mirror, owner: maintainer }, { import_url });
  const { body } = await change(other.url);
  t.is(body.mirror_user_id, maintainer.id);
  await app.work();
  t.is(await headOf(mirror, 'trunk'), head);
  t.regex((await status(mirror)).last_error, /refs\/heads\/trunk/);
  t.false((await pipelinesOf(mirror)).some((pipeline) => pipeline.sha === sha));
  // The same text changes nothing, other credentials do.
  t.is((await put(mirror, { import_url: other.url })).body.mirror_user_id, maintainer.id);
  const secret = other.url.replace('://', '://ann:one@');
  t.is((await put(mirror, { import_url: secret })).body.mirror_user_id, mirror.owner.id);
  t.is((await change(secret)).body.mirror_user_id, mirror.owner.id);
  t.is((await change(secret.replace('one', 'two'))).body.mirror_user_id, maintainer.id);
  await app.work();
});

// Contract: interface-2.10.mirror.audit
test.serial('the audit log tells what becomes of a mirror and of its URL, without its secrets', async (t) => {
  const mirror = await mirrored(t);
  const maintainer = await app.build.member(mirror, 'maintainer');
  const edit = (body: object) => put({ ...mirror, owner: maintainer }, body);
  await edit({ import_url: 'https://ann:s3cret@example.com/a.git?token=hidden' });
  await edit({ import_url: 'https://ann:other@example.com/a.git?token=hidden' });
  await edit({ mirror_trigger_builds: true, only_mirror_protected_branches: true });
  await edit({ mirror_overwrites_diverged_branches: true });
  await edit({ mirror: false });
  await app.work();
  const events = (await getEvents(mirror)).filter(({ author_id }) => author_id === maintainer.id);
  const changes = events.map(({ details }) => details.change).toSorted();
  t.deepEqual(changes, [
    'import_url',
    'import_url_credentials',
    'mirror',
    'mirror_overwrites_diverged_branches',
    'mirror_trigger_builds',
    'mirror_user_id',
    'only_mirror_protected_branches',
  ]);
  t.is(events.find(({ details }) => details.change === 'import_url')?.details.to, 'https://example.com/a.git');
  const text = JSON.stringify(await getEvents(mirror));
  for (const secret of ['s3cret', 'other@', 'ann', 'hidden']) t.false(text.includes(secret), secret);
});

// Contract: interface-2.10.mirror.audit
test.serial('a project that is made with a URL to import or mirror says so in the audit log', async (t) => {
  const owner = await app.build.user();
  const attributes = { name: 'Followed', import_url: 'https://ann:s3cret@example.com/b.git', mirror: true };
  const { body } = await app.as(owner).post('/projects', attributes);
  const events = await getEvents({ id: body.id, owner });
  t.deepEqual(events.flatMap(({ details }) => details.change ?? []).toSorted(), [
    'import_url',
    'mirror',
    'mirror_user_id',
  ]);
  t.false(JSON.stringify(events).includes('s3cret'));
});

// Contract: interface-2.10.mirror.rights
test.serial('rights and settings are those of the moment when refs are written', async (t) => {
  let meanwhile: (() => Promise<unknown>) | null = null;
  const mirror = await mirrored(t, {}, (repository) => async (request, response) => {
    const action = request.method === 'POST' ? meanwhile : null;
    if (action) meanwhile = null;
    request.pause();
    await action?.();
    serveGit(repository, request, response);
  });
  const during = async (action: () => Promise<unknown>) => {
    meanwhile = action;
    app.clock.advance('5 minutes');
    await app.as(mirror.owner).post(`/projects/${mirror.id}/mirror/pull`);
    await updateMirror(app.context(), mirror.id);
    t.true(meanwhile === null, 'it happened during the update');
  };
  const head = await headOf(mirror, 'trunk');
  const moved = await grow(mirror.repository, 'trunk');
  await during(() => protect(mirror, 'trunk', { push_access_level: 0 }));
  t.is(await headOf(mirror, 'trunk'), head);
  await protect(mirror, 'trunk', { push_access_level: 40 });
  const other = await elsewhere(t);
  await commitOn(other.repository, null, [file('other.txt')], { branch: 'trunk' });
  await during(() => put(mirror, { import_url: other.url, mirror_overwrites_diverged_branches: true }));
  t.is(await headOf(mirror, 'trunk'), head, 'what the former URL brought is not written');
  t.is((await status(mirror)).update_status, 'scheduled');
  await app.work();
  t.not(moved, head);
  t.regex((await status(mirror)).last_error, /refs\/heads\/trunk/);
});

test.serial('an update that is done twice changes nothing the second time', async (t) => {
  const mirror = await mirrored(t);
  await protect(mirror, 'trunk', { push_access_level: 0 });
  await grow(mirror.repository, 'trunk');
  const side = await grow(mirror.repository, 'side');
  app.clock.advance('5 minutes');
  await app.as(mirror.owner).post(`/projects/${mirror.id}/mirror/pull`);
  for (const _ of [1, 2]) await updateMirror(app.context(), mirror.id);
  t.is(await headOf(mirror, 'side'), side);
  t.regex((await status(mirror)).last_error, /refs\/heads\/trunk/);
  await app.work();
});

test.serial('a remote may have refs besides branches and tags, and symbolic ones', async (t) => {
  const mirror = await mirrored(t);
  const { repository } = mirror;
  git(repository, 'update-ref', 'refs/remotes/origin/trunk', 'trunk');
  git(repository, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
  git(repository, 'update-ref', 'refs/keep-around/refs/heads/x', 'trunk');
  git(repository, 'update-ref', 'refs/notes/commits', 'trunk');
  git(repository, 'symbolic-ref', 'refs/heads/alias', 'refs/heads/trunk');
  const moved = await grow(repository, 'trunk');
  await update(mirror);
  t.like(await status(mirror), { update_status: 'finished', last_error: null });
  t.is(await headOf(mirror, 'trunk'), moved);
  t.is(await headOf(mirror, 'alias'), moved);
  const { body } = await app.as(mirror.owner).get(`/projects/${mirror.id}/repository/branches`);
  t.deepEqual(
    body.map(({ name }: { name: string }) => name),
    ['alias', 'side', 'trunk'],
  );
});

test.serial('names that nothing may have do not come in, nor those that have no room beside others', async (t) => {
  const mirror = await mirrored(t);
  const { repository } = mirror;
  const sha = git(repository, 'rev-parse', 'trunk');
  git(repository, 'update-ref', `refs/heads/${'a'.repeat(40)}`, sha);
  git(repository, 'update-ref', 'refs/heads/HEAD', sha);
  git(repository, 'update-ref', 'refs/tags/-x', sha);
  git(repository, 'update-ref', 'refs/heads/refs/heads/main', sha);
  git(repository, 'update-ref', '-d', 'refs/heads/side');
  git(repository, 'update-ref', 'refs/heads/side/deep', sha);
  const moved = await grow(repository, 'trunk');
  await update(mirror);
  t.is(await headOf(mirror, 'trunk'), moved);
  const { body } = await app.as(mirror.owner).get(`/projects/${mirror.id}/repository/branches`);
  t.deepEqual(
    body.map(({ name }: { name: string }) => name),
    ['side', 'trunk'],
  );
  const { last_error: lastError } = await status(mirror);
  for (const name of [`refs/heads/${'a'.repeat(40)}`, 'refs/heads/HEAD', 'refs/tags/-x', 'refs/heads/refs/heads/main'])
    t.true(lastError.includes(name), name);
  t.regex(lastError, /refs\/heads\/side\/deep \(their names begin like those of others here\)/);
});
