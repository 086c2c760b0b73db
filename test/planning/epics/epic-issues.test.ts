import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { removeUser } from '../../../shared/tenancy/users/remove-user.js';
import { useApp } from '../../core/app.js';
import { epicIn } from './epic-steps.js';

const app = useApp(test);

async function setting(visibility = 'private') {
  const group = await app.build.group({ visibility });
  const project = await app.build.projectIn(group, { visibility });
  const as = app.as(group.owner);
  const issues = `/projects/${project.id}/issues`;
  const make = async (attributes: object = {}) => (await as.post(issues, { title: 'i', ...attributes })).body;
  return { group, project, as, issues, make };
}

// Contract: epics-8.issues.list, epics-8.issues.add, epics-8.issues.remove, issue-links-2.epic
test('issues are put under an epic, listed in their order, and taken out', async (t) => {
  const { group, as, issues, make } = await setting();
  const { id, iid, path } = await epicIn(app, group);
  const [a, b] = [await make(), await make()];
  const added = await as.post(`${path}/issues/${a.id}`, {});
  t.is(added.status, 201);
  t.like(added.body, { epic: { id }, issue: { id: a.id } });
  t.deepEqual(Object.keys(added.body), ['id', 'epic', 'issue', 'relative_position']);
  await as.post(`${path}/issues/${b.id}`, {});
  const listed = (await as.get(`${path}/issues`)).body;
  t.deepEqual(
    listed.map((issue: { id: number; epic_issue_id: number }) => [issue.id, typeof issue.epic_issue_id]),
    [
      [a.id, 'number'],
      [b.id, 'number'],
    ],
  );
  const url = `/groups/${group.full_path}/-/epics/${iid}`;
  t.like((await as.get(`${issues}/${a.iid}`)).body, {
    epic_iid: iid,
    epic: { id, iid, title: 'Epic', url, group_id: group.id },
  });
  t.is((await as.get(issues)).body[0].epic.id, id);
  // Again is no second time; another epic takes it over.
  t.is((await as.post(`${path}/issues/${a.id}`, {})).body.id, added.body.id);
  const other = await epicIn(app, group);
  t.is((await as.post(`${other.path}/issues/${a.id}`, {})).body.epic.id, other.id);
  t.is((await as.get(`${path}/issues`)).body.length, 1);
  t.is((await as.delete(`${path}/issues/${added.body.id}`)).status, 404);
  const removed = await as.delete(`${path}/issues/${listed[1].epic_issue_id}`);
  t.deepEqual([removed.status, removed.body.issue.id], [200, b.id]);
  t.deepEqual((await as.get(`${path}/issues`)).body, []);
});

// Contract: epics-8.issues.move
test('issues of an epic are moved before and after each other, as often as wanted', async (t) => {
  const { group, as, make } = await setting();
  const { path } = await epicIn(app, group);
  const rows: number[] = [];
  for (let at = 0; at < 3; at += 1) rows.push((await as.post(`${path}/issues/${(await make()).id}`, {})).body.id);
  const [a, b, c] = rows;
  const move = async (row: number | undefined, attributes: object) => {
    const { status, body } = await as.put(`${path}/issues/${row}`, attributes);
    t.is(status, 200);
    return body.map(({ epic_issue_id }: { epic_issue_id: number }) => rows.indexOf(epic_issue_id));
  };
  t.deepEqual(await move(c, { move_after_id: a }), [2, 0, 1]);
  t.deepEqual(await move(c, { move_before_id: b }), [0, 1, 2]);
  t.deepEqual(await move(c, { move_before_id: a, move_after_id: b }), [0, 2, 1]);
  for (let round = 0; round < 30; round += 1) {
    await move(b, { move_before_id: a });
    t.deepEqual(await move(c, { move_before_id: a }), [0, 2, 1]);
  }
  t.is((await as.put(`${path}/issues/${a}`, {})).status, 400);
  t.is((await as.put(`${path}/issues/${a}`, { move_after_id: 999_999 })).status, 404);
});

// Contract: epics-8.issues.epic-id
test('epic_id of an issue sets and clears its epic, and filters lists', async (t) => {
  const { group, as, issues, make } = await setting();
  const { id } = await epicIn(app, group);
  const issue = await make({ epic_id: id });
  await make();
  t.is(issue.epic.id, id);
  const found = async (query: string) =>
    (await as.get(`${issues}?sort=asc&${query}`)).body.map(({ iid }: { iid: number }) => iid);
  t.deepEqual(await found(`epic_id=${id}`), [1]);
  t.deepEqual(await found('epic_id=Any'), [1]);
  t.deepEqual(await found('epic_id=None'), [2]);
  t.is((await as.put(`${issues}/1`, { epic_id: 0 })).body.epic, null);
  t.is((await as.put(`${issues}/1`, { epic_id: id })).body.epic.id, id);
  t.is((await as.put(`${issues}/1`, { epic_id: 999_999_999 })).status, 404);
});

// Contract: epics-8.issues.tree, epics-8.issues.role
test('an epic holds issues of its group and below, of those that the caller may plan', async (t) => {
  const { group, project, as, make } = await setting('public');
  const elsewhere = await epicIn(app, await app.build.group({ owner: group.owner }));
  const issue = await make();
  t.is((await as.post(`${elsewhere.path}/issues/${issue.id}`, {})).status, 400);
  const subgroup = await app.build.group({ owner: group.owner, parent: group });
  const below = await epicIn(app, { ...subgroup, owner: group.owner });
  t.is((await as.post(`${below.path}/issues/${issue.id}`, {})).status, 400);
  const { path } = await epicIn(app, group);
  const other = await app.build.project();
  const own = (await app.as(other.owner).post(`/projects/${other.id}/issues`, { title: 'x' })).body;
  t.is((await as.post(`${path}/issues/${own.id}`, {})).status, 404);
  for (const [role, status] of [
    ['guest', 403],
    ['planner', 403],
    ['reporter', 201],
  ] as const) {
    const member = await app.build.groupMember(group, role);
    t.is((await app.as(member).post(`${path}/issues/${issue.id}`, {})).status, status, role);
  }
  // A Reporter of the group's epics alone may not plan issues that others keep.
  const stranger = await app.build.member(project, 'maintainer');
  t.is((await app.as(stranger).post(`${path}/issues/${issue.id}`, {})).status, 403);
});

// Contract: epics-8.moves
test('what goes to another tree of groups leaves its epics; what stays in it keeps them', async (t) => {
  const { group, project, as, issues, make } = await setting();
  const epic = await epicIn(app, group);
  const [staying, moved] = [await make({ epic_id: epic.id }), await make({ epic_id: epic.id })];
  const beside = await app.build.projectIn(group, {});
  const copy = (await as.post(`${issues}/${moved.iid}/move`, { to_project_id: beside.id })).body;
  t.is((await as.get(`/projects/${beside.id}/issues/${copy.iid}`)).body.epic.id, epic.id);
  const away = await app.build.group({ owner: group.owner });
  t.is((await as.put(`/projects/${project.id}/transfer`, { namespace: away.id })).status, 200);
  t.is((await as.get(`${issues}/${staying.iid}`)).body.epic, null);
});

// Contract: epics-8.moves
test('a group that is moved keeps its epics, with the labels that they had, without parents elsewhere', async (t) => {
  const above = await app.build.group();
  const group = { ...(await app.build.group({ owner: above.owner, parent: above })), owner: above.owner };
  const as = app.as(above.owner);
  await as.post(`/groups/${above.id}/labels`, { name: 'a', color: 'red' });
  const parent = await epicIn(app, above);
  const own = await epicIn(app, group, { parent_id: parent.id, labels: 'a' });
  const below = await epicIn(app, group, { parent_id: own.id });
  t.deepEqual((await as.get(`/groups/${group.id}/labels?include_ancestor_groups=false`)).body, []);
  const { status } = await as.post(`/groups/${group.id}/transfer`, {});
  t.true(status < 300, String(status));
  t.like((await as.get(own.path)).body, { parent_id: null, labels: ['a'] });
  t.is((await as.get(below.path)).body.parent_id, own.id);
  const [label] = (await as.get(`/groups/${group.id}/labels`)).body;
  t.is(label.name, 'a');
});

// Contract: epics-8.users
test("epics of a user who is removed are the ghost's, and with a hard removal they go", async (t) => {
  const group = await app.build.group();
  for (const hard of [false, true]) {
    const author = await app.build.groupMember(group, 'reporter');
    const { path } = await epicIn(app, group, {}, author);
    await app.as(author).post(`${path}/award_emoji`, { name: 'thumbsup' });
    await removeUser(app.context(), author.id, hard);
    const { status, body } = await app.as(group.owner).get(path);
    if (hard) t.is(status, 404);
    else t.deepEqual([body.author.username, body.upvotes], ['ghost', 1]);
  }
});

// Contract: epics-8.gitbeaker
test('@gitbeaker/rest makes, lists, edits and removes epics, their issues and events', async (t) => {
  const { group, as, make } = await setting();
  const { Epics, EpicIssues, EpicLabelEvents } = new Gitlab({ host: app.url, token: group.owner.token });
  const epic = await Epics.create(group.id, 'Epic', { labels: 'a' });
  t.is((await Epics.show(group.id, epic.iid)).id, epic.id);
  t.is((await Epics.all(group.id)).length, 1);
  t.is((await Epics.edit(group.id, epic.iid, { title: 'Other' })).title, 'Other');
  const issue = await make();
  const link = (await EpicIssues.assign(group.id, epic.iid, issue.id)) as unknown as { id: number };
  t.is((await EpicIssues.all(group.id, epic.iid)).length, 1);
  const other = (await as.post(`/groups/${group.id}/epics/${epic.iid}/issues/${(await make()).id}`, {})).body;
  await EpicIssues.edit(group.id, epic.iid, link.id, { moveBeforeId: other.id });
  await EpicIssues.remove(group.id, epic.iid, link.id);
  const [event] = await EpicLabelEvents.all(group.id, epic.id);
  t.is((await EpicLabelEvents.show(group.id, epic.id, (event as { id: number }).id)).id, (event as { id: number }).id);
  await Epics.remove(group.id, epic.iid);
  t.deepEqual(await Epics.all(group.id), []);
});
