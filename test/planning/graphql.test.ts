import test from 'ava';
import { useApp } from '../core/app.js';

const app = useApp(test);

const IN_PROJECT = `query($path: ID!) { project(fullPath: $path) {
  labels { count nodes { id title color textColor description descriptionHtml archived } }
  wide: labels(includeAncestorGroups: true, first: 1) { nodes { title } pageInfo { hasNextPage endCursor } }
  found: labels(searchTerm: "WN") { nodes { title } }
  label(title: "shared") { id title }
  none: label(title: "none") { id }
  milestones(includeAncestors: true) { nodes { title } }
} }`;

// Contract: graphql-5.labels
test('a project in GraphQL has its labels, and those of its groups where that is asked for', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const as = app.as(group.owner);
  const own = { name: 'own', color: 'white', description: 'It *is*' };
  const { body: label } = await as.post(`/projects/${project.id}/labels`, own);
  const { body: shared } = await as.post(`/groups/${group.id}/labels`, { name: 'shared', color: 'black' });
  await as.post(`/groups/${group.id}/milestones`, { title: '1.0' });
  const { body } = await as.graphql(IN_PROJECT, { path: project.full_path });
  t.is(body.errors, undefined);
  t.deepEqual(body.data.project.labels, {
    count: 1,
    nodes: [
      {
        id: `gid://service/ProjectLabel/${label.id}`,
        title: 'own',
        color: '#FFFFFF',
        textColor: '#1F1E24',
        description: 'It *is*',
        descriptionHtml: 'It *is*',
        archived: false,
      },
    ],
  });
  t.like(body.data.project.wide, { nodes: [{ title: 'own' }], pageInfo: { hasNextPage: true } });
  t.deepEqual(body.data.project.found.nodes, [{ title: 'own' }]);
  t.deepEqual(body.data.project.label, { id: `gid://service/GroupLabel/${shared.id}`, title: 'shared' });
  t.is(body.data.project.none, null);
  t.deepEqual(body.data.project.milestones.nodes, [{ title: '1.0' }]);
  const next = `query($path: ID!, $after: String) { project(fullPath: $path) {
    labels(includeAncestorGroups: true, first: 1, after: $after) { nodes { title } } } }`;
  const after = body.data.project.wide.pageInfo.endCursor;
  const second = await as.graphql(next, { path: project.full_path, after });
  t.deepEqual(second.body.data.project.labels.nodes, [{ title: 'shared' }]);
});

const IN_GROUP = `query($path: ID!) { group(fullPath: $path) {
  labels(onlyGroupLabels: false) { nodes { title } }
  milestones(includeDescendants: true, first: 2) { count nodes { title } pageInfo { endCursor } }
  active: milestones(state: active) { nodes { title state } }
  then: milestones(containingDate: "2030-01-15") { nodes { title } }
} }`;

// Contract: graphql-5.labels, graphql-5.milestones
test('a group in GraphQL has its labels and milestones, and pages of them follow each other by cursors', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const as = app.as(group.owner);
  await as.post(`/groups/${group.id}/labels`, { name: 'a', color: 'red' });
  await as.post(`/projects/${project.id}/labels`, { name: 'b', color: 'red' });
  await as.post(`/groups/${group.id}/milestones`, { title: 'open end' });
  await as.post(`/groups/${group.id}/milestones`, { title: 'early', start_date: '2030-01-01', due_date: '2030-02-01' });
  await as.post(`/projects/${project.id}/milestones`, { title: 'second open end' });
  const { body } = await as.graphql(IN_GROUP, { path: group.full_path });
  t.is(body.errors, undefined);
  t.deepEqual(body.data.group.labels.nodes, [{ title: 'a' }, { title: 'b' }]);
  t.like(body.data.group.milestones, { count: 3, nodes: [{ title: 'early' }, { title: 'second open end' }] });
  t.deepEqual(body.data.group.active.nodes, [
    { title: 'early', state: 'active' },
    { title: 'open end', state: 'active' },
  ]);
  t.deepEqual(body.data.group.then.nodes, [{ title: 'early' }]);
  const next = `query($path: ID!, $after: String) { group(fullPath: $path) {
    milestones(includeDescendants: true, first: 2, after: $after) { nodes { title } } } }`;
  const after = body.data.group.milestones.pageInfo.endCursor;
  const second = await as.graphql(next, { path: group.full_path, after });
  t.deepEqual(second.body.data.group.milestones.nodes, [{ title: 'open end' }]);
});

const ONE = `query($id: MilestoneID!) { milestone(id: $id) {
  id iid title description state expired upcoming startDate dueDate webPath projectMilestone groupMilestone } }`;

// Contract: graphql-5.milestones
test('a milestone in GraphQL is found by its global id, and is null for who may not see it', async (t) => {
  const project = await app.build.project({ empty: true });
  const attributes = { title: '1.0', start_date: '2030-01-02', due_date: '2030-02-01' };
  const { id: number } = (await app.as(project.owner).post(`/projects/${project.id}/milestones`, attributes)).body;
  const id = `gid://service/Milestone/${number}`;
  const { body } = await app.as(project.owner).graphql(ONE, { id });
  t.deepEqual(body.data.milestone, {
    id,
    iid: '1',
    title: '1.0',
    description: null,
    state: 'active',
    expired: false,
    upcoming: true,
    startDate: '2030-01-02T00:00:00.000Z',
    dueDate: '2030-02-01T00:00:00.000Z',
    webPath: `/${project.full_path}/-/milestones/1`,
    projectMilestone: true,
    groupMilestone: false,
  });
  const stranger = app.as(await app.build.user());
  for (const client of [stranger, app.anonymous])
    t.deepEqual((await client.graphql(ONE, { id })).body, { data: { milestone: null } });
  const none = await stranger.graphql(ONE, { id: 'gid://service/Milestone/999999999' });
  t.deepEqual(none.body, { data: { milestone: null } });
});
