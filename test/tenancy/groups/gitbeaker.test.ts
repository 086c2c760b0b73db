import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);

const getClient = (user: { token: string }) => new Gitlab({ host: app.url, token: user.token });
const ids = (records: readonly object[]) =>
  records.map((record) => (record as { id: number }).id).sort((a, b) => a - b);

// Contract: core-3.gitbeaker
test('@gitbeaker/rest does the whole cycle of a group', async (t) => {
  const owner = await app.build.user();
  const api = getClient(owner);
  const path = `rockets${unique()}`;
  const group = await api.Groups.create('Rockets', path, { visibility: 'internal', description: 'Up' });
  t.like(group, { name: 'Rockets', path, visibility: 'internal' });
  const sub = await api.Groups.create('Engines', 'engines', { parentId: group.id, visibility: 'internal' });
  t.is((await api.Groups.show(`${path}/engines`)).id, sub.id);
  t.deepEqual(ids(await api.Groups.allSubgroups(group.id, {})), [sub.id]);
  t.deepEqual(ids(await api.Groups.allDescendantGroups(group.id, {})), [sub.id]);
  t.deepEqual(ids(await api.Groups.all({ owned: true })), [group.id, sub.id]);
  t.true(ids(await api.Groups.search(path)).includes(group.id));
  t.is((await api.Groups.edit(sub.id, { name: 'Motors', requestAccessEnabled: false })).name, 'Motors');
  const picture = { content: new Blob(['GIF89a']), filename: 'x.gif' };
  const pictured = await api.Groups.create('Pictured', `${path}-x`, { avatar: picture });
  t.truthy(pictured.avatar_url);
  t.is(await (await api.Groups.downloadAvatar(pictured.id)).text(), 'GIF89a');
  await api.Groups.removeAvatar(pictured.id);
  t.is((await api.Groups.show(pictured.id)).avatar_url, null);
  const other = await api.Groups.create('Other', `${path}-other`);
  t.true(ids(await api.Groups.allTransferLocations(sub.id)).includes(other.id));
  await api.Groups.transfer(sub.id, { groupId: other.id });
  t.is((await api.Groups.show(sub.id)).full_path, `${path}-other/engines`);
  const project = await api.Projects.create({ name: 'Thrust', namespaceId: group.id });
  t.deepEqual(ids(await api.Groups.allProjects(group.id)), [project.id]);
  await getClient(await app.build.admin()).Groups.transferProject(other.id, project.id);
  t.deepEqual(ids(await api.Groups.allProjects(other.id)), [project.id]);
  await api.Groups.remove(sub.id);
  t.truthy((await api.Groups.show(sub.id)).marked_for_deletion_on);
  await api.Groups.restore(sub.id);
  t.falsy((await api.Groups.show(sub.id)).marked_for_deletion_on);
});

// Contract: core-3.gitbeaker
test('@gitbeaker/rest shares groups and projects with groups', async (t) => {
  const owner = await app.build.user();
  const api = getClient(owner);
  const [group, other] = [await app.build.group({ owner }), await app.build.group({ owner })];
  const project = await app.build.projectIn(group);
  const shared = await api.Groups.share(group.id, other.id, 30, { expiresAt: '2030-06-01' });
  t.like((shared as unknown as { shared_with_groups: object[] }).shared_with_groups[0], {
    group_id: other.id,
    group_access_level: 30,
    expires_at: '2030-06-01',
  });
  await api.Groups.unshare(group.id, other.id, {});
  await t.throwsAsync(() => api.Groups.unshare(group.id, other.id, {}), { message: /Not Found/ });
  t.like(await api.Projects.share(project.id, other.id, 20), { group_id: other.id, group_access: 20 });
  t.deepEqual(ids(await api.Groups.allSharedProjects(other.id)), [project.id]);
  await api.Projects.unshare(project.id, other.id);
  t.deepEqual(await api.Groups.allSharedProjects(other.id), []);
});

// Contract: core-3.gitbeaker
test('@gitbeaker/rest does the whole cycle of the members of groups and projects', async (t) => {
  const owner = await app.build.user();
  const api = getClient(owner);
  const group = await app.build.group({ owner });
  const project = await app.build.projectIn(group);
  for (const [members, id] of [
    [api.GroupMembers, group.id],
    [api.ProjectMembers, project.id],
  ] as const) {
    const user = await app.build.user();
    const member = await members.add(id, 30, { userId: user.id, expiresAt: '2030-06-01' });
    t.like(member, { id: user.id, access_level: 30, expires_at: '2030-06-01' });
    t.is((await members.edit(id, user.id, 20)).access_level, 20);
    t.is((await members.show(id, user.id)).username, user.username);
    t.is((await members.show(id, owner.id, { includeInherited: true })).access_level, 50);
    t.true(ids(await members.all(id, { includeInherited: true })).includes(owner.id));
    t.deepEqual(ids(await members.all(id, { query: user.username })), [user.id]);
    await members.remove(id, user.id);
    await t.throwsAsync(() => members.show(id, user.id), { message: /Not [Ff]ound/ });
  }
});
