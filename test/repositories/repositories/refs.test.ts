import test from 'ava';
import { listRefs } from '../../../shared/git/index.js';
import { sql } from 'kysely';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: delivery-4.create, interface-4.0.5
test('a branch starts from a branch, a tag or a commit', async (t) => {
  const project = await app.build.project();
  const caller = app.as(project.owner);
  const path = `/projects/${project.id}/repository`;
  const main = (await caller.get(`${path}/branches/main`)).body;
  t.true(main.default);
  t.is((await caller.post(`${path}/tags`, { tag_name: 'v1.0', ref: 'main' })).status, 201);
  for (const [branch, ref] of [
    ['from/branch', 'main'],
    ['from/tag', 'v1.0'],
    ['from/sha', main.commit.id],
    ['from/short', main.commit.id.slice(0, 8)],
  ]) {
    const { status, body } = await caller.post(`${path}/branches`, { branch, ref });
    t.is(status, 201, branch);
    t.is(body.commit.id, main.commit.id);
  }
  const read = await caller.get(`${path}/branches/from%2Fbranch`);
  t.is(read.status, 200);
  t.is(read.body.name, 'from/branch');
  t.is((await caller.get(`${path}/branches/from/branch`)).status, 404);
});

// Contract: delivery-4.create
test('what is wrong with a new branch is said in the public words', async (t) => {
  const project = await app.build.project();
  const caller = app.as(project.owner);
  const path = `/projects/${project.id}/repository/branches`;
  t.deepEqual((await caller.post(path, { branch: 'main', ref: 'main' })).body, { message: 'Branch already exists' });
  t.deepEqual((await caller.post(path, { branch: 'x', ref: 'nope' })).body, {
    message: 'Invalid reference name: nope',
  });
  t.deepEqual((await caller.post(path, { branch: 'a..b', ref: 'main' })).body, { message: 'Branch name is invalid' });
  t.deepEqual((await caller.post(path, { branch: 'main/below', ref: 'main' })).body, {
    message: 'Branch already exists',
  });
  t.deepEqual((await caller.get(`${path}/nope`)).body, { message: '404 Branch Not Found' });
});

// Contract: delivery-5.create
test('a tag with a message is annotated: it has its own object, message and time', async (t) => {
  const project = await app.build.project();
  const caller = app.as(project.owner);
  const path = `/projects/${project.id}/repository/tags`;
  const light = (await caller.post(path, { tag_name: 'light', ref: 'main' })).body;
  t.is(light.target, light.commit.id);
  t.is(light.message, '');
  t.is(light.created_at, null);
  const annotated = (await caller.post(path, { tag_name: 'v2', ref: 'main', message: 'Second' })).body;
  t.not(annotated.target, annotated.commit.id);
  t.is(annotated.message, 'Second');
  t.is(annotated.created_at, '2030-01-01T00:00:00.000Z');
  t.deepEqual((await caller.post(path, { tag_name: 'v2', ref: 'main' })).body, { message: 'Tag v2 already exists' });
  t.deepEqual((await caller.get(`${path}/v3`)).body, { message: '404 Tag Not Found' });
});

test('the index of refs says what git says', async (t) => {
  const project = await app.build.project();
  const caller = app.as(project.owner);
  const path = `/projects/${project.id}/repository`;
  await caller.post(`${path}/branches`, { branch: 'feature', ref: 'main' });
  await caller.post(`${path}/tags`, { tag_name: 'v1', ref: 'main', message: 'One' });
  await Promise.all(
    Array.from({ length: 6 }, () => caller.post(`${path}/branches`, { branch: 'contested', ref: 'main' })),
  );
  const ctx = app.context();
  const inGit = await listRefs(getRepositoryPath(ctx, project));
  const indexed = await ctx.query(sql`select full_name as name, object_sha as sha, target_sha as target
    from repository_refs where project_id = ${project.id} order by full_name collate "C"`);
  t.deepEqual(
    indexed,
    inGit.map(({ name, sha, target }) => ({ name, sha, target })),
  );
});

test('guests of a private project see its record and not its code', async (t) => {
  const project = await app.build.project();
  const guest = await app.build.member(project, 'guest');
  t.is((await app.as(guest).get(`/projects/${project.id}`)).status, 200);
  t.false('default_branch' in (await app.as(guest).get(`/projects/${project.id}`)).body);
  t.is((await app.as(guest).get(`/projects/${project.id}/repository/branches`)).status, 403);
  const reporter = await app.build.member(project, 'reporter');
  t.is((await app.as(reporter).get(`/projects/${project.id}/repository/branches`)).status, 200);
  t.is(
    (await app.as(reporter).post(`/projects/${project.id}/repository/branches`, { branch: 'x', ref: 'main' })).status,
    403,
  );
});
