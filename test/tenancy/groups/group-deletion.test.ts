import test from 'ava';
import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { removeGroup } from '../../../shared/tenancy/groups/remove-group.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: core-3.delete
test('deleting a group marks it, answers 202 and makes everything in it read-only', async (t) => {
  const group = await app.build.group();
  const sub = await app.build.group({ parent: group, owner: group.owner });
  const project = await app.build.projectIn({ ...sub, owner: group.owner }, { empty: false });
  const { status, body } = await app.as(group.owner).delete(`/groups/${group.id}`);
  t.is(status, 202);
  t.deepEqual(body, { message: '202 Accepted' });
  await app.work();
  t.is((await app.as(group.owner).get(`/groups/${group.id}`)).body.marked_for_deletion_on, '2030-01-01');
  t.is((await app.as(group.owner).get(`/projects/${project.id}`)).status, 200);
  const branch = await app
    .as(group.owner)
    .post(`/projects/${project.id}/repository/branches`, { branch: 'x', ref: 'main' });
  t.is(branch.status, 403);
  const inside = await app.as(group.owner).post('/projects', { name: 'New', namespace_id: sub.id });
  t.deepEqual(inside.body, { message: { namespace: ['is not valid'] } });
  t.is((await app.as(group.owner).post('/groups', { name: 'Fresh', path: 'fresh', parent_id: sub.id })).status, 403);
  t.deepEqual((await app.as(group.owner).delete(`/groups/${group.id}`)).body, {
    message: 'Group has been already marked for deletion',
  });
});

// Contract: core-3.list.filters
test('a marked group is left out by active=true, and found by active=false', async (t) => {
  const group = await app.build.group();
  await app.as(group.owner).delete(`/groups/${group.id}`);
  const count = async (active: boolean) =>
    (await app.as(group.owner).get(`/groups?search=${group.path}&active=${active}`)).body.length;
  t.is(await count(true), 0);
  t.is(await count(false), 1);
});

// Contract: core-3.restore
test('restoring a group frees what lies in it, except what is marked on its own', async (t) => {
  const group = await app.build.group();
  const sub = await app.build.group({ parent: group, owner: group.owner });
  t.is((await app.as(group.owner).post(`/groups/${group.id}/restore`)).status, 400);
  await app.as(group.owner).delete(`/groups/${sub.id}`);
  await app.as(group.owner).delete(`/groups/${group.id}`);
  const { status, body } = await app.as(group.owner).post(`/groups/${group.id}/restore`);
  t.is(status, 201);
  t.is(body.marked_for_deletion_on, null);
  const create = (parent_id: number) =>
    app.as(group.owner).post('/groups', { name: 'Fresh', path: 'fresh', parent_id });
  t.is((await create(group.id)).status, 201);
  t.is((await create(sub.id)).status, 403);
});

// Contract: core-3.delete
test('when its time has come a marked group is removed with its subgroups, projects and repositories', async (t) => {
  const group = await app.build.group();
  const sub = await app.build.group({ parent: group, owner: group.owner });
  const project = await app.build.projectIn({ ...sub, owner: group.owner }, { empty: false });
  const repository = getRepositoryPath(app.context(), project);
  t.true(existsSync(repository));
  const markedAt = app.clock.now();
  await app.as(group.owner).delete(`/groups/${group.id}`);
  await removeGroup(app.context(), group.id, markedAt);
  await app.work();
  for (const path of [`/groups/${group.id}`, `/groups/${sub.id}`, `/projects/${project.id}`])
    t.is((await app.as(group.owner).get(path)).status, 404);
  t.false(existsSync(repository));
  await removeGroup(app.context(), group.id, markedAt);
  t.is((await app.as(group.owner).post('/groups', { name: 'Again', path: group.path })).status, 201);
});

// Contract: core-3.restore
test('the removal of a group that was restored, or marked anew, changes nothing', async (t) => {
  const group = await app.build.group();
  const markedAt = app.clock.now();
  await app.as(group.owner).delete(`/groups/${group.id}`);
  await app.as(group.owner).post(`/groups/${group.id}/restore`);
  await removeGroup(app.context(), group.id, markedAt);
  t.is((await app.as(group.owner).get(`/groups/${group.id}`)).status, 200);
});

// Contract: core-3.delete.now
test('an administrator removes a group at once', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group, { empty: false });
  const admin = await app.build.admin();
  const { status } = await app.as(admin).delete(`/groups/${group.id}?permanently_remove=true`);
  t.is(status, 202);
  t.is((await app.as(admin).get(`/groups/${group.id}`)).status, 404);
  t.deepEqual((await app.as(admin).get(`/groups?search=${group.path}`)).body, []);
  await app.work();
  t.is((await app.as(admin).get(`/projects/${project.id}`)).status, 404);
  t.false(existsSync(getRepositoryPath(app.context(), project)));
});

// Contract: core-3.delete.now
test('an Owner removes at once only a marked subgroup, by its full path', async (t) => {
  const group = await app.build.group();
  const sub = await app.build.group({ parent: group, owner: group.owner });
  const remove = (id: number, full_path?: string) =>
    app.as(group.owner).delete(`/groups/${id}`, { permanently_remove: true, ...(full_path ? { full_path } : {}) });
  t.deepEqual((await remove(group.id)).body, {
    message: '`permanently_remove` option is only available for subgroups.',
  });
  t.deepEqual((await remove(sub.id, sub.full_path)).body, { message: 'Group must be marked for deletion first.' });
  await app.as(group.owner).delete(`/groups/${sub.id}`);
  const wrong = await remove(sub.id, 'other');
  t.is(wrong.status, 400);
  t.deepEqual(wrong.body, { message: '`full_path` is incorrect. You must enter the complete path for the subgroup.' });
  t.is((await remove(sub.id, sub.full_path)).status, 202);
  await app.work();
  t.is((await app.as(group.owner).get(`/groups/${sub.id}`)).status, 404);
  t.is((await app.as(group.owner).get(`/groups/${group.id}`)).status, 200);
});

// Contract: core-3.delete
test('only Owners delete and restore a group', async (t) => {
  const group = await app.build.group();
  const maintainer = await app.build.groupMember(group, 'maintainer');
  t.is((await app.as(maintainer).delete(`/groups/${group.id}`)).status, 403);
  t.is((await app.as(maintainer).post(`/groups/${group.id}/restore`)).status, 403);
  t.is((await app.as(await app.build.user()).delete(`/groups/${group.id}`)).status, 404);
  t.is((await app.anonymous.delete(`/groups/${group.id}`)).status, 401);
});

// Contract: core-3.schedules
test('schedules in a group that is marked for deletion do not run', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group, { empty: false });
  const schedule = await app.build.schedule({ project, owner: group.owner });
  await app.as(group.owner).delete(`/groups/${group.id}`);
  const play = await app.as(group.owner).post(`/projects/${project.id}/pipeline_schedules/${schedule.id}/play`);
  t.is(play.status, 403);
});

// Contract: core-3.delete
test('a group that changed after If-Unmodified-Since is not deleted', async (t) => {
  const group = await app.build.group();
  const stale = app.as(group.owner).with({ 'If-Unmodified-Since': 'Mon, 31 Dec 2029 00:00:00 GMT' });
  t.is((await stale.delete(`/groups/${group.id}`)).status, 412);
  t.is((await app.as(group.owner).get(`/groups/${group.id}`)).body.marked_for_deletion_on, null);
});

// Contract: core-3.delete
test('the job that removes a marked group waits for seven days', async (t) => {
  const group = await app.build.group();
  await app.as(group.owner).delete(`/groups/${group.id}`);
  const jobs = await app.context().query<{ start_after: Date }>(sql`
    select j.start_after as "start_after" from pgboss.job j
     where j.name = 'groups.delete' and (j.data->>'group_id')::bigint = ${group.id}`);
  t.deepEqual(
    jobs.map((job) => job.start_after.toISOString()),
    ['2030-01-08T00:00:00.000Z'],
  );
});
