import test from 'ava';
import { useApp } from '../app.js';
import type { Client } from '../client.js';

const app = useApp(test);

// Contract: graphql-5.3.max-access-level
test('a project tells the highest role of whoever asks', async (t) => {
  const group = await app.build.group({ visibility: 'public' });
  const project = await app.build.projectIn(group, { visibility: 'public' });
  const both = await app.build.groupMember(group, 'reporter');
  await app.build.member(project, 'maintainer', both);
  const level = async (client: Client) => {
    const { body } = await client.graphql(`{ project(fullPath: "${project.full_path}") {
      maxAccessLevel { integerValue stringValue humanAccess } } }`);
    return body.data.project.maxAccessLevel;
  };
  const maintainer = { integerValue: 40, stringValue: 'MAINTAINER', humanAccess: 'Maintainer' };
  t.deepEqual(await level(app.as(both)), maintainer);
  const inherited = app.as(await app.build.groupMember(group, 'developer'));
  t.deepEqual(await level(inherited), { integerValue: 30, stringValue: 'DEVELOPER', humanAccess: 'Developer' });
  const none = { integerValue: 0, stringValue: 'NO_ACCESS', humanAccess: null };
  t.deepEqual(await level(app.as(await app.build.user())), none);
  t.deepEqual(await level(app.anonymous), none);
});

// Contract: graphql-5.2.groups-of-user
test('the caller lists the groups that they belong to, by name and by what they may do there', async (t) => {
  const user = await app.build.user();
  const word = `w${user.id}`;
  const makeGroup = async (letter: string, role: 'guest' | 'developer' | 'maintainer') => {
    const group = await app.build.group({ name: `${letter} ${word}`, visibility: 'public' });
    await app.build.groupMember(group, role, user);
    return group;
  };
  await makeGroup('a', 'guest');
  await makeGroup('b', 'developer');
  const owned = await makeGroup('c', 'maintainer');
  await app.build.group({ name: `d ${word}`, visibility: 'public' });
  const names = async (args: string) => {
    const { body } = await app.as(user).graphql(`{ currentUser { groups${args} { nodes { name } } } }`);
    return body.data.currentUser.groups.nodes.map(({ name }: { name: string }) => name.charAt(0)).join('');
  };
  t.is(await names(''), 'abc');
  t.is(await names(`(search: "b ${word}")`), 'b');
  t.is(await names('(permissionScope: CREATE_PROJECTS)'), 'bc');
  t.is(await names('(permissionScope: TRANSFER_PROJECTS)'), 'bc');
  t.is(await names('(permissionScope: IMPORT_PROJECTS)'), 'c');
  await app.as(owned.owner).put(`/groups/${owned.id}`, { project_creation_level: 'noone' });
  t.is(await names('(permissionScope: CREATE_PROJECTS)'), 'b');
  const { body } = await app.anonymous.graphql('{ currentUser { groups { nodes { name } } } }');
  t.is(body.data.currentUser, null);
});

// Contract: graphql-5.4.time, graphql-5.4.related-merge-requests, graphql-5.3.merge-request-notes
test('an issue tells its times as people write them and its merge requests, those who may comment on them', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}`;
  const { body: issue } = await owner.post(`${path}/issues`, { title: 'An issue' });
  await owner.post(`${path}/issues/${issue.iid}/time_estimate`, { duration: '1d 2h' });
  await owner.post(`${path}/issues/${issue.iid}/add_spent_time`, { duration: '30m' });
  const file = { branch: 'work', start_branch: 'main', content: 'x', commit_message: 'Add' };
  await owner.post(`${path}/repository/files/x.txt`, file);
  const proposed = {
    source_branch: 'work',
    target_branch: 'main',
    title: 'Add x',
    description: `Closes #${issue.iid}`,
  };
  const { body: request } = await owner.post(`${path}/merge_requests`, proposed);
  await owner.put(`${path}/merge_requests/${request.iid}`, { discussion_locked: true });
  const query = async (client: Client) => {
    const { body } = await client.graphql(`{ project(fullPath: "${project.full_path}") { issue(iid: "${issue.iid}") {
      humanTimeEstimate humanTotalTimeSpent
      relatedMergeRequests { nodes { iid userPermissions { createNote } } } } } }`);
    return body.data.project.issue;
  };
  const times = { humanTimeEstimate: '1d 2h', humanTotalTimeSpent: '30m' };
  const related = (createNote: boolean) => ({ nodes: [{ iid: String(request.iid), userPermissions: { createNote } }] });
  t.deepEqual(await query(owner), { ...times, relatedMergeRequests: related(true) });
  const stranger = app.as(await app.build.user());
  t.deepEqual(await query(stranger), { ...times, relatedMergeRequests: related(false) });
  await owner.put(`${path}/merge_requests/${request.iid}`, { discussion_locked: false });
  t.deepEqual(await query(stranger), { ...times, relatedMergeRequests: related(true) });
  t.deepEqual(await query(app.anonymous), { ...times, relatedMergeRequests: related(false) });
  t.is((await stranger.post(`${path}/merge_requests/${request.iid}/notes`, { body: 'Hello' })).status, 201);
  await owner.put(path, { merge_requests_access_level: 'private' });
  t.deepEqual((await query(stranger)).relatedMergeRequests, { nodes: [] });
});
