import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

async function projectWithBranches(...branches: string[]) {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}/repository`;
  for (const branch of branches) await owner.post(`${path}/branches`, { branch, ref: 'main' });
  const names = async (kind: 'branches' | 'tags') =>
    (await owner.get(`${path}/${kind}`)).body.map(({ name }: { name: string }) => name);
  return { project, owner, path, names };
}

// Contract: delivery-4.delete
test('a branch is deleted, the default one and protected ones are not', async (t) => {
  const { project, owner, path, names } = await projectWithBranches('feature/x', 'stable');
  const { status, text } = await owner.delete(`${path}/branches/feature%2Fx`);
  t.deepEqual([status, text], [204, '']);
  const head = await owner.delete(`${path}/branches/main`);
  t.deepEqual([head.status, head.body], [405, { message: 'Cannot remove HEAD branch' }]);
  await owner.post(`/projects/${project.id}/protected_branches`, { name: 'stable' });
  t.deepEqual((await owner.delete(`${path}/branches/stable`)).body, { message: '403 Forbidden' });
  t.deepEqual((await owner.delete(`${path}/branches/gone`)).body, { message: '404 Branch Not Found' });
  t.deepEqual(await names('branches'), ['main', 'stable']);
  const again = await owner.post(`${path}/branches`, { branch: 'feature/x', ref: 'main' });
  t.is(again.status, 201, 'its name is free again, in git too');
});

// Contract: delivery-4.head
test('HEAD of a branch is 204, or 404 without a body', async (t) => {
  const { owner, path } = await projectWithBranches('feature/x');
  t.is((await owner.head(`${path}/branches/feature%2Fx`)).status, 204);
  const { status, text } = await owner.head(`${path}/branches/gone`);
  t.deepEqual([status, text], [404, '']);
});

// Contract: delivery-4.merged
test('branches that the default branch has are merged, and deleted together but for protected ones', async (t) => {
  const { project, owner, path, names } = await projectWithBranches('done', 'kept');
  await owner.post(`/projects/${project.id}/protected_branches`, { name: 'kept' });
  await owner.post(`${path}/files/x`, { branch: 'ahead', start_branch: 'main', commit_message: 'x', content: 'x' });
  const merged = (await owner.get(`${path}/branches`)).body.filter((branch: { merged: boolean }) => branch.merged);
  t.deepEqual(
    merged.map(({ name }: { name: string }) => name),
    ['done', 'kept'],
  );
  const { status, body } = await owner.delete(`${path}/merged_branches`);
  t.deepEqual([status, body], [202, { message: '202 Accepted' }]);
  t.deepEqual(await names('branches'), ['ahead', 'kept', 'main']);
  t.is((await owner.delete(`${path}/merged_branches`)).status, 202, 'also when there is nothing to delete');
});

// Contract: delivery-5.delete
test('a tag is deleted, a protected one only by Maintainers', async (t) => {
  const { project, owner, path, names } = await projectWithBranches();
  for (const tag_name of ['v1', 'v2']) await owner.post(`${path}/tags`, { tag_name, ref: 'main' });
  await owner.post(`/projects/${project.id}/protected_tags`, { name: 'v1' });
  const developer = app.as(await app.build.member(project, 'developer'));
  t.deepEqual((await developer.delete(`${path}/tags/v1`)).body, { message: '403 Forbidden' });
  t.is((await developer.delete(`${path}/tags/v2`)).status, 204);
  t.is((await owner.delete(`${path}/tags/v1`)).status, 204);
  t.deepEqual((await owner.delete(`${path}/tags/v1`)).body, { message: '404 Tag Not Found' });
  t.deepEqual(await names('tags'), []);
});

// Contract: delivery-5.delete
test('If-Unmodified-Since is compared with the date of the commit', async (t) => {
  const { owner, path } = await projectWithBranches('side');
  await owner.post(`${path}/tags`, { tag_name: 'v1', ref: 'main' });
  const early = owner.with({ 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' });
  const late = owner.with({ 'If-Unmodified-Since': 'Sat, 01 Jan 2050 00:00:00 GMT' });
  for (const url of [`${path}/branches/side`, `${path}/tags/v1`]) {
    t.is((await early.delete(url)).status, 412);
    t.is((await late.delete(url)).status, 204);
  }
});

// Contract: delivery-4.delete
test('Developers delete branches and tags, Reporters do not', async (t) => {
  const { project, path } = await projectWithBranches('side');
  const reporter = app.as(await app.build.member(project, 'reporter'));
  for (const url of [`${path}/branches/side`, `${path}/merged_branches`, `${path}/tags/v1`])
    t.is((await reporter.delete(url)).status, 403);
  t.is((await app.anonymous.delete(`${path}/branches/side`)).status, 401);
  const developer = app.as(await app.build.member(project, 'developer'));
  t.is((await developer.delete(`${path}/branches/side`)).status, 204);
});
