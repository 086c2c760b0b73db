import test from 'ava';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { existsSync } from 'node:fs';
import { importFork } from '../../../shared/repositories/project-forks/import-fork.js';
import { failImport } from '../../../shared/repositories/project-imports/import-state.js';
import { removeProject } from '../../../shared/repositories/project-lifecycle/remove-project.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { repositoryFiles } from '../../core/repository-files.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);
const fork = (user: BuiltUser, project: { id: number }, attributes: object = {}) =>
  app.as(user).post(`/projects/${project.id}/fork`, attributes);

/** A public project with a second branch and a tag. */
async function upstream(visibility = 'public') {
  const project = await app.build.project({ visibility });
  const owner = app.as(project.owner);
  await owner.post(`/projects/${project.id}/repository/files/side.txt`, {
    branch: 'side',
    start_branch: 'main',
    content: 'side',
    commit_message: 'Add',
  });
  await owner.post(`/projects/${project.id}/repository/tags`, { tag_name: 'v1', ref: 'main' });
  return project;
}

const branchNames = async (user: BuiltUser, id: number) =>
  (await app.as(user).get(`/projects/${id}/repository/branches`)).body.map(({ name }: { name: string }) => name);
const getStatus = async (id: number) => {
  const { body } = await app.as(await app.build.admin()).get(`/projects/${id}`);
  return { import_status: body.import_status, import_error: body.import_error };
};

// Contract: core-5.fork
test('a fork is answered at once and gets every branch and tag by a job', async (t) => {
  const project = await upstream();
  const user = await app.build.user();
  const { status, body } = await fork(user, project);
  t.is(status, 201);
  t.is(body.path_with_namespace, `${user.username}/${project.path}`);
  t.is(body.name, project.name);
  t.is(body.visibility, 'public');
  t.is(body.import_status, 'scheduled');
  t.is(body.forked_from_project.id, project.id);
  t.is((await getStatus(body.id)).import_status, 'scheduled');
  await app.work();
  t.is((await getStatus(body.id)).import_status, 'finished');
  t.deepEqual(await branchNames(user, body.id), ['main', 'side']);
  const [one, other] = await Promise.all(
    [project.id, body.id].map((id) => app.as(user).get(`/projects/${id}/repository/branches/side`)),
  );
  t.is(one?.body.commit.id, other?.body.commit.id);
  t.is((await app.as(user).get(`/projects/${body.id}/repository/tags/v1`)).status, 200);
  t.is((await app.as(user).get(`/projects/${body.id}/repository/files/side.txt/raw?ref=side`)).text, 'side');
  const after = (await app.as(user).get(`/projects/${body.id}`)).body;
  t.is(after.default_branch, 'main');
  t.false(after.empty_repo);
  t.is((await app.as(user).get(`/projects/${project.id}`)).body.forks_count, 1);
  t.false(after.mr_default_target_self);
  const aimed = await app.as(user).put(`/projects/${body.id}`, { mr_default_target_self: true });
  t.true(aimed.body.mr_default_target_self);
  const rule = await app.as(user).get(`/projects/${body.id}/protected_branches/main`);
  t.is(rule.body.push_access_levels[0].access_level, 40);
});

// Contract: core-5.fork.sharing
test('a fork shares the files of objects with its upstream', async (t) => {
  const project = await upstream();
  const user = await app.build.user();
  const { body } = await fork(user, project);
  await app.work();
  const objects = path.join(getRepositoryPath(app.context(), body), 'objects');
  const files = (await readdir(objects, { recursive: true })).filter((name) =>
    /^[0-9a-f]{2}\/[0-9a-f]{38}$/.test(name),
  );
  t.true(files.length > 0);
  for (const file of files) t.true((await stat(path.join(objects, file))).nlink > 1);
});

// Contract: core-5.fork.sharing
test('fork and upstream are changed and deleted without harm to the other', async (t) => {
  const project = await upstream();
  const user = await app.build.user();
  const { body } = await fork(user, project);
  await app.work();
  const pushed = await app.as(user).post(`/projects/${body.id}/repository/files/new.txt`, {
    branch: 'main',
    content: 'new',
    commit_message: 'Add',
  });
  t.is(pushed.status, 201);
  t.is((await app.as(user).get(`/projects/${project.id}/repository/files/new.txt?ref=main`)).status, 404);
  const admin = await app.build.admin();
  await app.as(admin).delete(`/projects/${project.id}?permanently_remove=true`);
  await app.work();
  t.false(existsSync(getRepositoryPath(app.context(), project)));
  t.is((await app.as(user).get(`/projects/${body.id}/repository/files/side.txt/raw?ref=side`)).text, 'side');
  const after = (await app.as(user).get(`/projects/${body.id}`)).body;
  t.false('forked_from_project' in after);
});

// Contract: core-5.fork
test('until its repository is there a fork is read-only, and is not forked itself', async (t) => {
  const project = await upstream();
  const user = await app.build.user();
  const { body } = await fork(user, project);
  const push = await app.as(user).post(`/projects/${body.id}/repository/files/new.txt`, {
    branch: 'main',
    content: 'new',
    commit_message: 'Add',
  });
  t.is(push.status, 403);
  const other = await app.build.user();
  const again = await fork(other, body);
  t.is(again.status, 409);
  t.deepEqual(again.body, { message: 'The repository of the project is still being imported.' });
});

test('a fork brings nothing of a project that whoever asked may not read any more', async (t) => {
  const project = await upstream('private');
  const user = await app.build.member(project, 'reporter');
  const { body } = await fork(user, project);
  await app.as(project.owner).delete(`/projects/${project.id}/members/${user.id}`);
  await app.work();
  t.deepEqual(await getStatus(body.id), {
    import_status: 'failed',
    import_error: 'The user who asked for the fork may not fork the project any more.',
  });
  t.deepEqual(await branchNames(user, body.id), []);
});

// Contract: core-5.fork.params
test('branches names the one branch to fork', async (t) => {
  const project = await upstream();
  const user = await app.build.user();
  const { body } = await fork(user, project, { branches: 'side' });
  await app.work();
  t.deepEqual(await branchNames(user, body.id), ['side']);
  t.is((await app.as(user).get(`/projects/${body.id}`)).body.default_branch, 'side');
});

// Contract: core-5.fork.picture
test('a fork has a picture of its own, like that of its upstream', async (t) => {
  const project = await upstream();
  const form = new FormData();
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  form.set('avatar', new Blob([png], { type: 'image/png' }), 'a.png');
  const path = `/api/v4/projects/${project.id}`;
  t.is((await app.as(project.owner).raw('PUT', path, form)).status, 200);
  const { body } = await fork(await app.build.user(), project);
  await app.as(project.owner).put(`/projects/${project.id}`, { avatar: '' });
  const picture = new URL(body.avatar_url);
  t.true(picture.pathname.startsWith(`/uploads/-/system/project/avatar/${body.id}/`));
  t.is((await app.anonymous.raw('GET', picture.pathname)).status, 200);
});

// Contract: core-5.fork.params
test('a branch that is not there is 404, one that goes meanwhile makes the fork fail and say so', async (t) => {
  const project = await upstream();
  const user = await app.build.user();
  for (const branches of ['absent', 'no..name', 'refs/heads/side']) {
    const { status, body } = await fork(user, project, { branches });
    t.is(status, 404, branches);
    t.deepEqual(body, { message: '404 Source Branch Not Found' });
  }
  const { body } = await fork(user, project, { branches: 'side' });
  t.is((await app.as(project.owner).delete(`/projects/${project.id}/repository/branches/side`)).status, 204);
  await app.work();
  t.deepEqual(await getStatus(body.id), {
    import_status: 'failed',
    import_error: 'The branch side does not exist.',
  });
});

// Contract: core-5.fork
test('an empty project is forked as an empty one', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const user = await app.build.user();
  const { body } = await fork(user, project);
  await app.work();
  t.is((await getStatus(body.id)).import_status, 'finished');
  t.true((await app.as(user).get(`/projects/${body.id}`)).body.empty_repo);
  const push = await app.as(user).post(`/projects/${body.id}/repository/files/new.txt`, {
    branch: 'main',
    content: 'new',
    commit_message: 'Add',
  });
  t.is(push.status, 201);
});

// Contract: core-5.fork.params
test('a fork takes name, path, description, visibility and namespace of its own', async (t) => {
  const project = await upstream();
  const user = await app.build.user();
  const group = await app.build.group({ owner: user, visibility: 'internal' });
  const { status, body } = await fork(user, project, {
    namespace_path: group.full_path,
    name: 'Mine',
    path: 'mine',
    description: 'My own',
    visibility: 'private',
  });
  t.is(status, 201);
  t.is(body.path_with_namespace, `${group.full_path}/mine`);
  t.like(body, { name: 'Mine', description: 'My own', visibility: 'private' });
  const second = await fork(user, project, { namespace_id: group.id });
  t.is(second.body.namespace.id, group.id);
  t.is(second.body.visibility, 'internal');
});

// Contract: core-5.fork.params
test('a fork asked to be more visible than its upstream or its group is made as visible as they allow', async (t) => {
  const project = await app.build.project({ visibility: 'internal', empty: true });
  const user = await app.build.user();
  t.like(await fork(user, project, { visibility: 'public' }), { status: 201, body: { visibility: 'internal' } });
  const group = await app.build.group({ owner: user, visibility: 'private' });
  const inGroup = await fork(user, project, { visibility: 'public', namespace_id: group.id });
  t.like(inGroup, { status: 201, body: { visibility: 'private' } });
  const wrong = await fork(user, project, { visibility: 'secret' });
  t.like(wrong, { status: 400, body: { error: 'visibility does not have a valid value' } });
});

// Contract: core-5.fork.visibility
test('a fork is not made more visible than its upstream', async (t) => {
  const project = await app.build.project({ visibility: 'internal', empty: true });
  const user = await app.build.user();
  const { body: forked } = await fork(user, project, { visibility: 'private' });
  await app.work();
  const put = (attributes: object) => app.as(user).put(`/projects/${forked.id}`, attributes);
  const rejection = await put({ visibility: 'public', description: 'lost' });
  t.is(rejection.status, 400);
  t.deepEqual(rejection.body, {
    message: { visibility_level: ['public is not allowed since the fork source project has lower visibility.'] },
  });
  t.like((await app.as(user).get(`/projects/${forked.id}`)).body, { visibility: 'private', description: null });
  t.is((await put({ visibility: 'internal' })).status, 200);
  t.is((await app.as(user).delete(`/projects/${forked.id}/fork`)).status, 204);
  t.is((await put({ visibility: 'public' })).status, 200);
});

// Contract: core-5.fork.visibility
test('a fork keeps its visibility when its upstream is hidden, and is then only made less visible', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const user = await app.build.user();
  const { body: forked } = await fork(user, project);
  await app.work();
  t.is((await app.as(project.owner).put(`/projects/${project.id}`, { visibility: 'private' })).status, 200);
  const put = (attributes: object) => app.as(user).put(`/projects/${forked.id}`, attributes);
  t.like(await app.anonymous.get(`/projects/${forked.id}`), { status: 200, body: { visibility: 'public' } });
  t.is((await put({ visibility: 'public', description: 'Still here' })).status, 200);
  t.is((await put({ visibility: 'internal' })).status, 400);
  t.is((await put({ visibility: 'private' })).status, 200);
  t.is((await put({ visibility: 'internal' })).status, 400);
  const { body } = await app.as(await app.build.admin()).get(`/projects/${forked.id}`);
  t.is(body.forked_from_project.id, project.id);
});

// Contract: core-5.fork.visibility
test('a relation to an upstream that is less visible leaves the project as visible as it was', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const hidden = await app.build.project({ owner: project.owner, empty: true });
  const owner = app.as(project.owner);
  const { status, body } = await owner.post(`/projects/${project.id}/fork/${hidden.id}`);
  t.is(status, 201);
  t.is(body.visibility, 'public');
  t.is((await owner.put(`/projects/${project.id}`, { visibility: 'internal' })).status, 400);
});

// Contract: core-5.fork.errors
test('a target that is not there, not to be seen or not open to the caller is 404', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const user = await app.build.user();
  const hidden = await app.build.group({ visibility: 'private' });
  const open = await app.build.group({ visibility: 'public' });
  await app.build.groupMember(open, 'reporter', user);
  for (const attributes of [
    { namespace_id: hidden.id },
    { namespace_id: open.id },
    { namespace_path: 'nowhere' },
    { namespace_path: project.owner.username },
    { namespace_id: 999_999_999 },
  ]) {
    const { status, body } = await fork(user, project, attributes);
    t.is(status, 404, JSON.stringify(attributes));
    t.deepEqual(body, { message: '404 Target Namespace Not Found' });
  }
});

// Contract: core-5.fork.errors
test('a name or path that is taken is 409', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const answer = await fork(project.owner, project);
  t.is(answer.status, 409);
  t.deepEqual(Object.keys(answer.body.message).sort(), ['name', 'path', 'project_namespace.name']);
  t.is((await fork(project.owner, project, { name: 'Other', path: `other${unique()}` })).status, 201);
});

// Contract: core-5.fork.errors
test('two forks to one path at once: one 201, one 409', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const user = await app.build.user();
  const answers = await Promise.all(
    ['One', 'Two'].map((name) => fork(user, project, { name: `${name} ${unique()}`, path: 'same' })),
  );
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
});

// Contract: core-5.names
test('two forks of one name into one group at once: one 201, one 409', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const group = await app.build.group();
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(
      ['one', 'two'].map((path) =>
        fork(group.owner, project, { name: `Same ${round}`, path: `${path}-${round}`, namespace_id: group.id }),
      ),
    );
    t.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
    const text = ['has already been taken'];
    t.deepEqual(answers.find(({ status }) => status === 409)?.body, {
      message: { name: text, 'project_namespace.name': text },
    });
  }
});

// Contract: core-5.places
test.serial('a project deleted while it is forked leaves a whole fork or a failed one', async (t) => {
  const project = await upstream();
  const user = await app.build.user();
  const [forked, deleted] = await Promise.all([
    fork(user, project),
    app.as(await app.build.admin()).delete(`/projects/${project.id}`, { permanently_remove: true }),
  ]);
  t.is(deleted.status, 202);
  t.true([201, 404].includes(forked.status), JSON.stringify(forked.body));
  await app.work();
  if (forked.status === 201) t.true(['finished', 'failed'].includes((await getStatus(forked.body.id)).import_status));
});

// Contract: core-5.fork.who
test('who may read the code of a project may fork it', async (t) => {
  const project = await app.build.project();
  for (const [role, status] of [
    ['guest', 403],
    ['planner', 403],
    ['reporter', 201],
    ['developer', 201],
  ] as const)
    t.is((await fork(await app.build.member(project, role), project)).status, status, role);
  t.is((await fork(await app.build.user(), project)).status, 404);
  t.is((await app.anonymous.post(`/projects/${project.id}/fork`)).status, 401);
});

// Contract: core-5.fork.who
test('forking_access_level leaves forking to members, or to nobody', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const [member, stranger] = [await app.build.member(project, 'guest'), await app.build.user()];
  const set = (forking_access_level: string) =>
    app.as(project.owner).put(`/projects/${project.id}`, { forking_access_level });
  t.is((await set('private')).status, 200);
  t.is((await fork(stranger, project)).status, 403);
  t.is((await fork(member, project)).status, 201);
  t.is((await set('disabled')).status, 200);
  t.is((await fork(member, project, { name: 'Again', path: 'again' })).status, 403);
});

// Contract: core-5.fork.races
test.serial('a fork deleted while its repository is copied leaves nothing behind', async (t) => {
  const project = await upstream();
  const user = await app.build.user();
  const { body } = await fork(user, project);
  const markedAt = app.clock.now();
  const remove = async () => {
    await app.as(user).delete(`/projects/${body.id}`);
    await removeProject(app.context(), body.id, markedAt);
  };
  await Promise.all([importFork(app.context(), body.id, project.id, null), remove()]);
  await app.work();
  t.deepEqual(await repositoryFiles(app, body), []);
});

// Contract: core-5.fork.races
test.serial('an upstream deleted before or while it is copied leaves a whole fork or a failed one', async (t) => {
  const project = await upstream();
  const [one, other] = [await app.build.user(), await app.build.user()];
  const first = (await fork(one, project)).body;
  const second = (await fork(other, project)).body;
  const markedAt = app.clock.now();
  await app.as(project.owner).delete(`/projects/${project.id}`);
  await Promise.all([
    importFork(app.context(), first.id, project.id, null),
    removeProject(app.context(), project.id, markedAt),
  ]);
  const status = (await getStatus(first.id)).import_status;
  t.true(status === 'finished' || status === 'failed');
  if (status === 'finished') t.deepEqual(await branchNames(one, first.id), ['main', 'side']);
  await importFork(app.context(), second.id, project.id, null);
  t.deepEqual(await getStatus(second.id), {
    import_status: 'failed',
    import_error: 'The project that it was forked from is gone.',
  });
});

// Serial where a test itself does the work of the job, because another test would run the job in the meantime.
// Contract: core-5.fork.races
test.serial(
  'an import that is repeated, or goes on after a crash, changes nothing that was pushed since',
  async (t) => {
    const project = await upstream();
    const user = await app.build.user();
    const { body } = await fork(user, project);
    const again = () => importFork(app.context(), body.id, project.id, null);
    await Promise.allSettled([again(), again()]);
    await again();
    await app.as(user).post(`/projects/${body.id}/repository/branches`, { branch: 'mine', ref: 'main' });
    await again();
    await failImport(app.context(), body.id, 'Too late.');
    t.deepEqual(await branchNames(user, body.id), ['main', 'mine', 'side']);
    t.deepEqual(await getStatus(body.id), { import_status: 'finished', import_error: null });
  },
);

test('the forks of a project are listed for whoever may see them', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const user = await app.build.user();
  const open = (await fork(user, project)).body;
  const hidden = (await fork(user, project, { name: 'Hidden', path: 'hidden', visibility: 'private' })).body;
  const ids = async (answer: Promise<{ body: { id: number }[] }>) => (await answer).body.map(({ id }) => id);
  t.deepEqual(await ids(app.anonymous.get(`/projects/${project.id}/forks`)), [open.id]);
  t.deepEqual(await ids(app.as(user).get(`/projects/${project.id}/forks`)), [hidden.id, open.id]);
});
