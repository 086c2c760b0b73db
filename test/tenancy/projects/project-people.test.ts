import test from 'ava';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);
const getIds = (body: { id: number }[]) => body.map(({ id }) => id);

// Contract: projects-1.users
test('the users of a project are all who have a role in it, by id', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const direct = await app.build.member(project, 'guest');
  const inherited = await app.build.groupMember(group, 'reporter');
  const { status, body } = await app.as(direct).get(`/projects/${project.id}/users`);
  t.is(status, 200);
  t.deepEqual(
    getIds(body),
    [group.owner, direct, inherited].map(({ id }) => id).sort((one, other) => one - other),
  );
  t.is(body[0].access_level, undefined);
  t.is(body.find(({ id }: { id: number }) => id === direct.id).username, direct.username);
});

// Contract: projects-1.users
test('the users of a project are searched, and some are left out', async (t) => {
  const project = await app.build.project({ empty: true });
  const person = await app.build.member(project, 'guest', await app.build.user({ name: 'Needle_1' }));
  const users = async (query: string) =>
    getIds((await app.as(person).get(`/projects/${project.id}/users?${query}`)).body);
  t.deepEqual(await users('search=eedle_'), [person.id]);
  t.deepEqual(await users('search=eedle%25'), []);
  t.deepEqual(await users(`skip_users[]=${person.id}`), [project.owner.id]);
  const bad = await app.as(person).get(`/projects/${project.id}/users?skip_users[]=x`);
  t.is(bad.status, 400);
});

// Contract: projects-1.groups
test('the groups of a project are those above it, and on wish those that it is shared with', async (t) => {
  const top = await app.build.group();
  const sub = await app.build.group({ parent: top, owner: top.owner });
  const project = await app.build.projectIn({ ...sub, owner: top.owner });
  const hidden = await app.build.group({ visibility: 'private', owner: top.owner });
  const open = await app.build.group({ visibility: 'public', owner: top.owner });
  for (const [group, group_access] of [
    [hidden, 30],
    [open, 20],
  ] as const) {
    const { status } = await app
      .as(top.owner)
      .post(`/projects/${project.id}/share`, { group_id: group.id, group_access });
    t.is(status, 201);
  }
  const guest = await app.build.member(project, 'guest');
  const groups = async (user: typeof guest, query = '') =>
    getIds((await app.as(user).get(`/projects/${project.id}/groups${query}`)).body);
  t.deepEqual(await groups(guest), [sub.id, top.id]);
  t.deepEqual(await groups(guest, '?with_shared=true'), [open.id, sub.id, top.id]);
  t.deepEqual(await groups(top.owner, '?with_shared=true'), [open.id, hidden.id, sub.id, top.id]);
  t.deepEqual(await groups(top.owner, '?with_shared=true&shared_min_access_level=30'), [hidden.id, sub.id, top.id]);
  t.deepEqual(await groups(top.owner, `?skip_groups[]=${sub.id}`), [top.id]);
  t.deepEqual(await groups(guest, `?search=${top.path.toUpperCase()}`), [top.id]);
  const { body } = await app.as(guest).get(`/projects/${project.id}/groups`);
  t.deepEqual(Object.keys(body[0]).sort(), ['avatar_url', 'full_name', 'full_path', 'id', 'name', 'web_url']);
});

// Contract: projects-1.groups
test('shared_visible_only leaves out groups that even a Maintainer may not read', async (t) => {
  const project = await app.build.project({ empty: true });
  const hidden = await app.build.group({ visibility: 'private', path: `hidden${unique()}` });
  await app
    .as(await app.build.admin())
    .post(`/projects/${project.id}/share`, { group_id: hidden.id, group_access: 10 });
  const groups = async (query: string) =>
    getIds((await app.as(project.owner).get(`/projects/${project.id}/groups?with_shared=true${query}`)).body);
  t.deepEqual(await groups(''), [hidden.id]);
  t.deepEqual(await groups('&shared_visible_only=true'), []);
});

// Contract: projects-1.groups
test('users and groups of a project are for those who may read it', async (t) => {
  const project = await app.build.project({ empty: true });
  const stranger = await app.build.user();
  for (const list of ['users', 'groups', 'starrers']) {
    t.is((await app.as(stranger).get(`/projects/${project.id}/${list}`)).status, 404);
    t.is((await app.anonymous.get(`/projects/${project.id}/${list}`)).status, 401);
  }
  const bad = await app.as(project.owner).get(`/projects/${project.id}/groups?shared_min_access_level=35`);
  t.is(bad.status, 400);
  t.deepEqual(bad.body, { error: 'shared_min_access_level does not have a valid value' });
});
