import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);

const commitAs = (user: BuiltUser, id: number, attributes: Record<string, unknown>) =>
  app.as(user).post(`/projects/${id}/repository/commits`, {
    commit_message: 'A change',
    actions: [{ action: 'create', file_path: `${String(attributes.branch)}.txt`, content: 'x' }],
    ...attributes,
  });

const create = (name: string) => ({ actions: [{ action: 'create', file_path: name, content: 'x' }] });

// Contract: repository-api.commit-force
test('with force a branch starts anew from another branch or commit, and loses what it had', async (t) => {
  const project = await app.build.project();
  const { owner } = project;
  const commit = (attributes: Record<string, unknown>) => commitAs(owner, project.id, attributes);
  const first = (await commit({ branch: 'side', start_branch: 'main', ...create('one') })).body.id as string;
  const rejection = await commit({ branch: 'side', start_branch: 'main', ...create('two') });
  t.is(rejection.status, 400);
  const main = (await app.as(owner).get(`/projects/${project.id}/repository/commits/main`)).body.id as string;
  const forced = await commit({ branch: 'side', start_branch: 'main', force: true, ...create('two') });
  t.deepEqual([forced.status, forced.body.parent_ids], [201, [main]]);
  const bySha = await commit({ branch: 'side', start_sha: first, force: true, ...create('three') });
  t.deepEqual([bySha.status, bySha.body.parent_ids], [201, [first]]);
  const plain = await commit({ branch: 'side', force: true, ...create('four') });
  t.deepEqual([plain.status, plain.body.parent_ids], [201, [bySha.body.id]], 'without a start it goes on');
  t.is((await commit({ branch: 'new', start_branch: 'main', force: true, ...create('five') })).status, 201);
});

// Contract: repository-api.commit-force
test('a protected branch is forced where its rule lets it, and else only moves on', async (t) => {
  const project = await app.build.project();
  const { owner } = project;
  const commit = (attributes: Record<string, unknown>) => commitAs(owner, project.id, attributes);
  const before = (await app.as(owner).get(`/projects/${project.id}/repository/commits/main`)).body.id as string;
  await commit({ branch: 'main', ...create('one') });
  const rejection = await commit({ branch: 'main', start_sha: before, force: true, ...create('two') });
  t.deepEqual(
    [rejection.status, rejection.body],
    [403, { message: '403 Forbidden - You are not allowed to push into this branch' }],
  );
  await commit({ branch: 'ahead', start_branch: 'main', ...create('three') });
  t.is((await commit({ branch: 'main', start_branch: 'ahead', force: true, ...create('four') })).status, 201);
  await app.as(owner).patch(`/projects/${project.id}/protected_branches/main`, { allow_force_push: true });
  t.is((await commit({ branch: 'main', start_sha: before, force: true, ...create('five') })).status, 201);
});

async function forked() {
  const project = await app.build.project({ visibility: 'public' });
  const forker = await app.build.user();
  const { body: fork } = await app.as(forker).post(`/projects/${project.id}/fork`, {});
  await app.work();
  return { project, forker, fork: fork as { id: number } };
}

// Contract: repository-api.commit-start-project
test('a branch starts from a commit that only the other project has', async (t) => {
  const { project, forker, fork } = await forked();
  const later = (await commitAs(project.owner, project.id, { branch: 'main', ...create('upstream') })).body
    .id as string;
  const response = await commitAs(forker, fork.id, {
    branch: 'mine',
    start_branch: 'main',
    start_project: project.id,
    ...create('mine'),
  });
  t.deepEqual([response.status, response.body.parent_ids], [201, [later]]);
  t.is((await app.as(forker).get(`/projects/${fork.id}/repository/files/upstream?ref=mine`)).status, 200);
  const byPath = await commitAs(forker, fork.id, {
    branch: 'byPath',
    start_sha: later,
    start_project: project.full_path,
    ...create('other'),
  });
  t.deepEqual([byPath.status, byPath.body.parent_ids], [201, [later]]);
  // Nothing but the project: the branch of the same name there.
  const forced = await commitAs(forker, fork.id, {
    branch: 'main',
    start_project: project.id,
    force: true,
    ...create('anew'),
  });
  t.deepEqual([forced.status, forced.body.parent_ids], [201, [later]]);
});

// Contract: repository-api.commit-start-project
test('a project that is not to be seen is 404, one without its code or outside of the network 403', async (t) => {
  const { project, forker, fork } = await forked();
  const other = await app.build.project({ visibility: 'public' });
  const start = async (id: unknown) => {
    const attributes = { branch: 'mine', start_branch: 'main', start_project: id, ...create('mine') };
    const { status, body } = await commitAs(forker, fork.id, attributes);
    return [status, body];
  };
  t.deepEqual(await start(other.id), [
    403,
    { message: `403 Forbidden - Project is not included in the fork network for ${other.full_name}` },
  ]);
  const gone = { branch: 'mine', start_branch: 'gone', start_project: project.id, ...create('mine') };
  t.deepEqual((await commitAs(forker, fork.id, gone)).body, { message: 'Invalid reference name: gone' });
  await app.context().query(sql`update projects set repository_access_level = 'private' where id = ${project.id}`);
  t.is((await start(project.id))[0], 403);
  await app.context().query(sql`update projects set visibility = 'private' where id = ${project.id}`);
  for (const id of [project.id, 987_654_321]) t.deepEqual(await start(id), [404, { message: '404 Project Not Found' }]);
  t.is((await app.as(forker).get(`/projects/${fork.id}/repository/branches/mine`)).status, 404);
});
