import test from 'ava';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import { sql } from 'kysely';
import { removeUser } from '../../../shared/tenancy/users/remove-user.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);

const ghosts = () =>
  app.context().query<{ id: number; username: string }>(sql`
    select u.id, u.username from users u join instance_ghost g on g.user_id = u.id`);

/** A project of another user, in which a Developer ran a pipeline. */
async function contribution(user: BuiltUser) {
  const project = await app.build.project();
  await app.build.member(project, 'maintainer', user);
  const { body } = await app.as(user).post(`/projects/${project.id}/pipeline`, { ref: 'main' });
  return { project, pipelineId: body.id as number };
}

// Contract: core-1.delete
test('deleting is 204, refuses the tokens at once, and removes the user by a job', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  const answer = await app.as(admin).delete(`/users/${user.id}`);
  t.is(answer.status, 204);
  t.is(answer.text, '');
  t.is((await app.as(user).get('/user')).status, 403);
  t.is((await app.as(admin).get(`/users/${user.id}`)).body.state, 'blocked');
  await app.work();
  t.is((await app.as(admin).get(`/users/${user.id}`)).status, 404);
  t.is((await app.as(user).get('/user')).status, 401, 'the token went with the user');
  const left = await app.context().query(sql`
    select id from namespaces where owner_id = ${user.id} union all
    select id from user_profiles where user_id = ${user.id} union all
    select id from personal_access_tokens where user_id = ${user.id}`);
  t.deepEqual(left, []);
});

// Contract: core-1.delete
test('the username is free again once the user is gone', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  await app.as(admin).delete(`/users/${user.id}`);
  await app.work();
  const again = await app.as(admin).post('/users', {
    email: `${user.username}@example.com`,
    name: 'Again',
    username: user.username,
    force_random_password: true,
  });
  t.is(again.status, 201);
});

// Contract: core-1.delete.own
test('projects of the personal namespace go with their repositories, others stay', async (t) => {
  const admin = await app.build.admin();
  const own = await app.build.project();
  const { project } = await contribution(own.owner);
  await app.as(admin).delete(`/users/${own.owner.id}`);
  await app.work();
  t.is((await app.as(admin).get(`/projects/${own.id}`)).status, 404);
  t.is((await app.as(admin).get(`/projects/${project.id}`)).status, 200);
  const members = (await app.as(admin).get(`/projects/${project.id}/members`)).body as { id: number }[];
  t.false(members.some(({ id }) => id === own.owner.id));
});

// Contract: core-1.delete.ghost
test('what a user did for others is the ghost user’s afterwards, of which there is one', async (t) => {
  const admin = await app.build.admin();
  const [one, two] = await Promise.all([app.build.user(), app.build.user()]);
  const group = await app.build.group();
  await app.build.groupMember(group, 'maintainer', one);
  const project = (await app.as(one).post('/projects', { name: 'Made', namespace_id: group.id })).body;
  const { project: other, pipelineId } = await contribution(two);
  await Promise.all([one, two].map((user) => app.as(admin).delete(`/users/${user.id}`)));
  await app.work();
  const [ghost, ...more] = await ghosts();
  t.deepEqual(more, []);
  const pipeline = (await app.as(admin).get(`/projects/${other.id}/pipelines/${pipelineId}`)).body;
  t.is(pipeline.user.id, ghost?.id);
  t.is(pipeline.user.name, 'Ghost User');
  t.is((await app.as(admin).get(`/projects/${project.id}`)).body.creator_id, ghost?.id);
});

// Contract: core-1.delete.ghost
test('the ghost is an internal user: not a human, and neither deleted nor blocked', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  await app.as(admin).delete(`/users/${user.id}`);
  await app.work();
  const [ghost] = await ghosts();
  const found = async (query: string) =>
    (await app.as(admin).get(`/users?username=${ghost?.username}${query}`)).body.length as number;
  t.is(await found(''), 1);
  t.is(await found('&humans=true'), 0);
  t.is(await found('&exclude_internal=true'), 0);
  t.is((await app.as(admin).delete(`/users/${ghost?.id}`)).status, 403);
  t.is((await app.as(admin).post(`/users/${ghost?.id}/block`)).status, 403);
});

// Contract: core-1.delete.ghost
test('schedules of a deleted user stay, inactive and without an owner', async (t) => {
  const admin = await app.build.admin();
  const project = await app.build.project();
  const owner = await app.build.member(project, 'developer');
  await app.as(project.owner).post(`/projects/${project.id}/repository/branches`, { branch: 'work', ref: 'main' });
  const schedule = await app.build.schedule({ project, owner, ref: 'work' });
  await app.as(admin).delete(`/users/${owner.id}`);
  await app.work();
  const { body } = await app.as(admin).get(`/projects/${project.id}/pipeline_schedules/${schedule.id}`);
  t.is(body.active, false);
  t.is(body.owner, null);
});

// Contract: core-1.delete.sole-owner
test('the sole Owner of a group is not deleted: 409, and nothing is changed', async (t) => {
  const admin = await app.build.admin();
  const group = await app.build.group();
  const answer = await app.as(admin).delete(`/users/${group.owner.id}`);
  t.is(answer.status, 409);
  t.deepEqual(answer.body, { message: 'User cannot be removed while is the sole-owner of a group' });
  t.is((await app.as(group.owner).get('/user')).status, 200);
  await app.build.groupMember(group, 'owner');
  t.is((await app.as(admin).delete(`/users/${group.owner.id}`)).status, 204);
});

// Contract: core-1.delete.sole-owner
test('an Owner above counts as another owner, a blocked or expired one does not', async (t) => {
  const admin = await app.build.admin();
  const parent = await app.build.group();
  const owner = await app.build.user();
  const sub = await app.build.group({ parent });
  await app.build.groupMember(sub, 'owner', owner);
  t.is((await app.as(admin).delete(`/users/${owner.id}`)).status, 204);
  const group = await app.build.group();
  const blocked = await app.build.groupMember(group, 'owner');
  await app.as(admin).post(`/users/${blocked.id}/block`);
  await app.build.groupMember(group, 'owner', undefined, '2029-12-31');
  t.is((await app.as(admin).delete(`/users/${group.owner.id}`)).status, 409);
});

// Contract: core-1.delete.sole-owner
test('of the last two Owners deleted at the same time one stays', async (t) => {
  const admin = await app.build.admin();
  const group = await app.build.group();
  const other = await app.build.groupMember(group, 'owner');
  const answers = await Promise.all([group.owner, other].map(({ id }) => app.as(admin).delete(`/users/${id}`)));
  t.deepEqual(answers.map(({ status }) => status).sort(), [204, 409]);
});

// Contract: core-1.delete.hard
test('hard_delete removes groups that the user alone owns, and leaves no ghost behind', async (t) => {
  const admin = await app.build.admin();
  const group = await app.build.group();
  const inGroup = await app.build.projectIn(group);
  const shared = await app.build.group();
  await app.build.groupMember(shared, 'owner', group.owner);
  const { project, pipelineId } = await contribution(group.owner);
  t.is((await app.as(admin).delete(`/users/${group.owner.id}?hard_delete=true`)).status, 204);
  await app.work();
  t.is((await app.as(admin).get(`/users/${group.owner.id}`)).status, 404);
  t.is((await app.as(admin).get(`/groups/${group.id}`)).status, 404);
  t.is((await app.as(admin).get(`/projects/${inGroup.id}`)).status, 404);
  t.is((await app.as(admin).get(`/groups/${shared.id}`)).status, 200);
  const pipeline = await app.as(admin).get(`/projects/${project.id}/pipelines/${pipelineId}`);
  t.is(pipeline.status, 200);
  t.is(pipeline.body.user, null);
});

// Contract: core-1.delete
test('deleting twice, and running the job twice, changes nothing more', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  t.is((await app.as(admin).delete(`/users/${user.id}`)).status, 204);
  t.is((await app.as(admin).delete(`/users/${user.id}`)).status, 204);
  await app.work();
  await removeUser(app.context(ANONYMOUS), user.id, false);
  t.is((await app.as(admin).get(`/users/${user.id}`)).status, 404);
  t.is((await app.as(admin).delete(`/users/${user.id}`)).status, 404);
});

// Contract: core-1.delete
test('only administrators delete users, and If-Unmodified-Since holds them back', async (t) => {
  const [user, other, admin] = await Promise.all([app.build.user(), app.build.user(), app.build.admin()]);
  t.is((await app.as(other).delete(`/users/${user.id}`)).status, 403);
  t.is((await app.as(user).delete(`/users/${user.id}`)).status, 403);
  t.is((await app.anonymous.delete(`/users/${user.id}`)).status, 401);
  const old = app.as(admin).with({ 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' });
  t.is((await old.delete(`/users/${user.id}`)).status, 412);
  t.deepEqual((await app.as(admin).delete(`/users/${user.id}?hard_delete=perhaps`)).body, {
    error: 'hard_delete is invalid',
  });
  t.is((await app.as(user).get('/user')).status, 200);
});

// Contract: core-1.delete.own
test('custom attributes, statuses, follows and the picture go with the user', async (t) => {
  const [user, other, admin] = await Promise.all([app.build.user(), app.build.user(), app.build.admin()]);
  await app.as(admin).put(`/users/${user.id}/custom_attributes/k`, { value: 'v' });
  await app.as(user).put('/user/status', { message: 'Here' });
  await app.as(user).post(`/users/${other.id}/follow`);
  await app.as(other).post(`/users/${user.id}/follow`);
  await app.as(admin).delete(`/users/${user.id}`);
  await app.work();
  t.is((await app.as(admin).get(`/users/${user.id}/custom_attributes`)).status, 404);
  t.like((await app.as(admin).get(`/users/${other.id}`)).body, { followers: 0, following: 0 });
});
