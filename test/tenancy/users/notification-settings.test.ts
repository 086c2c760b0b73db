import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: notifications.everywhere
test('the settings for everything begin with participating, and name the own address', async (t) => {
  const user = await app.build.user();
  const caller = app.as(user);
  const { body: self } = await caller.get('/user');
  const { status, body } = await caller.get('/notification_settings');
  t.is(status, 200);
  t.deepEqual(body, { level: 'participating', notification_email: self.email });
  const changed = await caller.put('/notification_settings', { level: 'watch', notification_email: self.email });
  t.is(changed.status, 200);
  t.deepEqual(changed.body, { level: 'watch', notification_email: self.email });
  t.deepEqual((await caller.get('/notification_settings')).body, changed.body);
  const other = await caller.put('/notification_settings', { level: 'mention', notification_email: 'a@b.example' });
  t.is(other.status, 400);
  t.deepEqual(other.body, { message: { notification_email: ['is not an email you own'] } });
  t.is((await caller.get('/notification_settings')).body.level, 'watch');
});

// Contract: notifications.places
test('a project and a group have a level of their own, global until it is set', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const caller = app.as(group.owner);
  for (const path of [`/projects/${project.id}`, `/groups/${group.id}`]) {
    t.deepEqual((await caller.get(`${path}/notification_settings`)).body, { level: 'global' });
    for (const level of ['disabled', 'participating', 'watch', 'mention', 'global']) {
      const { status, body } = await caller.put(`${path}/notification_settings`, { level });
      t.is(status, 200);
      t.deepEqual(body, { level });
      t.deepEqual((await caller.get(`${path}/notification_settings`)).body, { level });
    }
    const bad = await caller.put(`${path}/notification_settings`, { level: 'loud', new_note: true });
    t.is(bad.status, 400);
    t.deepEqual(bad.body, { message: "'loud' is not a valid level" });
    t.deepEqual((await caller.put(`${path}/notification_settings`, {})).body, { level: 'global' });
  }
});

// Contract: notifications.custom
test('the level custom shows what is chosen, which other levels keep to themselves', async (t) => {
  const project = await app.build.project({ empty: true });
  const path = `/projects/${project.id}/notification_settings`;
  const caller = app.as(project.owner);
  const quiet = await caller.put(path, { new_note: true, failed_pipeline: 'false' });
  t.deepEqual(quiet.body, { level: 'global' });
  const custom = await caller.put(path, { level: 'custom', new_issue: '1' });
  t.like(custom.body.events, {
    new_note: true,
    new_issue: true,
    failed_pipeline: false,
    fixed_pipeline: true,
    moved_project: true,
    close_issue: false,
  });
  t.false('new_epic' in custom.body.events);
  t.true('new_epic' in (await caller.put('/notification_settings', { level: 'custom' })).body.events);
  const less = await caller.put(path, { new_note: false });
  t.false(less.body.events.new_note);
  t.true(less.body.events.new_issue);
  const bad = await caller.put(path, { new_note: 'perhaps' });
  t.is(bad.status, 400);
  t.deepEqual(bad.body, { error: 'new_note is invalid' });
});

// Contract: notifications.custom
test('two changes at once are both kept', async (t) => {
  const project = await app.build.project({ empty: true });
  const path = `/projects/${project.id}/notification_settings`;
  const names = ['new_note', 'new_issue', 'close_issue', 'reopen_issue', 'new_merge_request'];
  const answers = await Promise.all(
    names.map((name) => app.as(project.owner).put(path, { level: 'custom', [name]: true })),
  );
  t.true(answers.every(({ status }) => status === 200));
  const { body } = await app.as(project.owner).get(path);
  for (const name of names) t.true(body.events[name], name);
});

// Contract: projects-4.notification_level, interface-2.10.sharing
test('the record of a project tells the level of the role that it tells', async (t) => {
  const top = await app.build.group();
  const group = await app.build.group({ parent: top, owner: top.owner });
  const project = await app.build.projectIn(group);
  const user = await app.build.user();
  const admin = app.as(await app.build.admin());
  await admin.post(`/projects/${project.id}/members`, { user_id: user.id, access_level: 30 });
  await admin.post(`/groups/${group.id}/members`, { user_id: user.id, access_level: 20 });
  const caller = app.as(user);
  const permissions = async () => (await caller.get(`/projects/${project.id}`)).body.permissions;
  const role = (access_level: number, notification_level: number) => ({ access_level, notification_level });
  t.deepEqual(await permissions(), { project_access: role(30, 3), group_access: role(20, 3) });
  await caller.put(`/projects/${project.id}/notification_settings`, { level: 'watch' });
  await caller.put(`/groups/${group.id}/notification_settings`, { level: 'disabled' });
  await caller.put(`/groups/${top.id}/notification_settings`, { level: 'mention' });
  t.deepEqual(await permissions(), { project_access: role(30, 2), group_access: role(20, 0) });
  const list = await caller.get('/projects?membership=true');
  t.deepEqual(list.body[0].permissions, { project_access: role(30, 2), group_access: role(20, 0) });
  // If the role is inherited from an ancestor group, so is the notification level.
  await admin.post(`/groups/${top.id}/members`, { user_id: user.id, access_level: 10 });
  await caller.put(`/groups/${top.id}/notification_settings`, { level: 'mention' });
  await admin.put(`/groups/${group.id}/members/${user.id}`, { access_level: 20 });
  t.deepEqual((await permissions()).group_access, role(20, 0));
  await admin.delete(`/groups/${group.id}/members/${user.id}`);
  t.deepEqual((await permissions()).group_access, role(10, 4));
});

// Contract: projects-4.notification_level
test('whoever leaves begins anew on coming back', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const user = await app.build.member(project, 'developer');
  const caller = app.as(user);
  const path = `/projects/${project.id}/notification_settings`;
  await caller.put(path, { level: 'watch' });
  await app.as(project.owner).delete(`/projects/${project.id}/members/${user.id}`);
  t.deepEqual((await caller.get(path)).body, { level: 'global' });
  await caller.put(path, { level: 'mention' });
  t.deepEqual((await caller.get(path)).body, { level: 'mention' });
});

// Contract: notifications.places
test('settings are everybody their own, of what they may read, signed in', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const hidden = await app.build.project({ empty: true });
  const group = await app.build.group();
  const stranger = app.as(await app.build.user());
  await app.as(project.owner).put(`/projects/${project.id}/notification_settings`, { level: 'watch' });
  t.deepEqual((await stranger.get(`/projects/${project.id}/notification_settings`)).body, { level: 'global' });
  for (const [path, message] of [
    [`/projects/${hidden.id}`, '404 Project Not Found'],
    [`/groups/${group.id}`, '404 Group Not Found'],
  ] as const)
    for (const answer of [
      await stranger.get(`${path}/notification_settings`),
      await stranger.put(`${path}/notification_settings`, { level: 'watch' }),
    ]) {
      t.is(answer.status, 404);
      t.deepEqual(answer.body, { message });
    }
  for (const path of ['', `/projects/${project.id}`, `/groups/${group.id}`])
    t.is((await app.anonymous.get(`${path}/notification_settings`)).status, 401);
});

// Contract: notifications.clients
test('@gitbeaker/rest reads and changes settings', async (t) => {
  const project = await app.build.project({ empty: true });
  const api = new Gitlab({ host: app.url, token: project.owner.token });
  const changed = await api.NotificationSettings.edit({
    projectId: project.id,
    level: 'custom',
    newNote: true,
  } as never);
  t.like(changed, { level: 'custom' });
  t.like(await api.NotificationSettings.show({ projectId: project.id }), { level: 'custom' });
  t.like(await api.NotificationSettings.show(), { level: 'participating' });
});
