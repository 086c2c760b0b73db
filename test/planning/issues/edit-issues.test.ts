import test from 'ava';
import { useApp } from '../../core/app.js';
import { issuesIn } from './issue-steps.js';

const app = useApp(test);

// Contract: core-6.update, core-6.state
test('an edit changes what it names; closing notes when and by whom, reopening forgets both', async (t) => {
  const { owner, make, edit, read } = await issuesIn(app);
  const { iid } = await make();
  const { body: closed } = await edit(iid, { state_event: 'close', title: ' Another ', due_date: '2030-03-01' });
  t.like(closed, { state: 'closed', title: 'Another', due_date: '2030-03-01', closed_at: '2030-01-01T00:00:00.000Z' });
  t.is(closed.closed_by.id, owner.id);
  t.is((await edit(iid, { state_event: 'close' })).status, 200);
  t.like((await edit(iid, { state_event: 'reopen' })).body, { state: 'opened', closed_at: null, closed_by: null });
  const issue = (await read(iid)).body;
  t.like(issue, { title: 'Another', due_date: '2030-03-01' });
  t.like((await edit(iid, { due_date: '', description: null, discussion_locked: true })).body, {
    due_date: null,
    description: null,
    discussion_locked: true,
  });
});

// Contract: core-6.labels, core-6.labels-made, core-6.clear
test('labels are set, added and taken away, by text with commas or array, and cleared', async (t) => {
  const { make, edit } = await issuesIn(app);
  const { iid, labels } = await make({ labels: ['b', 'a,c'] });
  t.deepEqual(labels, ['a', 'b', 'c']);
  const after = async (change: object) => (await edit(iid, change)).body.labels;
  t.deepEqual(await after({ add_labels: 'd', remove_labels: ['a', 'nothing'] }), ['b', 'c', 'd']);
  t.deepEqual(await after({ labels: 'x , y,,' }), ['x', 'y']);
  t.deepEqual(await after({ labels: '' }), []);
  t.deepEqual(await after({ labels: ['z'], add_labels: ['w'] }), ['w', 'z']);
  t.deepEqual(await after({ labels: [] }), []);
});

// Contract: core-6.scoped
test.serial('of scoped labels an issue has the last one, from Premium on', async (t) => {
  const { make, edit } = await issuesIn(app);
  const { iid, labels } = await make({ labels: 'state::new,kind::a::b,kind::a::c,other' });
  t.deepEqual(labels, ['kind::a::c', 'other', 'state::new']);
  t.deepEqual((await edit(iid, { add_labels: 'state::done' })).body.labels, ['kind::a::c', 'other', 'state::done']);
  await app.set({ plan: 'free' });
  t.teardown(() => app.set({ plan: 'ultimate' }));
  const { body } = await edit(iid, { add_labels: 'state::new' });
  t.deepEqual(body.labels, ['kind::a::c', 'other', 'state::done', 'state::new']);
});

// Contract: core-6.labels-made
test('Guests make no labels: of theirs those count that are there', async (t) => {
  const { project, make } = await issuesIn(app);
  await make({ labels: 'known' });
  const guest = await app.build.member(project, 'guest');
  const { body } = await app.as(guest).post(`/projects/${project.id}/issues`, { title: 'x', labels: 'known,unknown' });
  t.deepEqual(body.labels, ['known']);
});

// Contract: core-6.clear
test('assignees are given by ids and cleared by 0 or an empty list; who may not read the project is passed over', async (t) => {
  const { project, owner, make, edit } = await issuesIn(app);
  const [member, stranger] = [await app.build.member(project, 'guest'), await app.build.user()];
  const { iid } = await make({ assignee_ids: [member.id, owner.id, stranger.id, 999_999] });
  const after = async (change: object) =>
    (await edit(iid, change)).body.assignees.map(({ id }: { id: number }) => id).sort();
  t.deepEqual(await after({ title: 'same' }), [owner.id, member.id].sort());
  t.deepEqual(await after({ assignee_ids: [0] }), []);
  t.deepEqual(await after({ assignee_id: member.id }), [member.id]);
  t.deepEqual(await after({ assignee_ids: [] }), []);
  t.deepEqual(await after({ assignee_ids: `${owner.id}` }), [owner.id]);
  t.deepEqual(await after({ assignee_ids: '' }), []);
});

// Contract: core-6.clear, core-6.milestone
test('a milestone is one of the project or of a group above it, and cleared by 0', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const { make, edit, milestone } = await issuesIn(app, project);
  const [own, above] = [await milestone({ project }), await milestone({ group })];
  const other = await milestone({ project: await app.build.project({ owner: project.owner }) });
  const { iid, milestone: ownMilestone } = await make({ milestone_id: own });
  t.like(ownMilestone, { id: own, project_id: project.id, state: 'active', expired: false });
  const moved = await edit(iid, { milestone_id: above });
  t.like(moved.body.milestone, { id: above, group_id: group.id });
  t.regex(moved.body.milestone.web_url, new RegExp(`/groups/${group.full_path}/-/milestones/`));
  const rejection = await edit(iid, { milestone_id: other, title: 'unseen' });
  t.deepEqual([rejection.status, rejection.body], [400, { message: { milestone_id: ['is invalid'] } }]);
  t.is((await edit(iid, { milestone_id: 0 })).body.milestone, null);
  t.not((await edit(iid, { milestone_id: '' })).body.title, 'unseen');
});

// Contract: core-6.types
test('types are converted both ways, and only incidents show a severity', async (t) => {
  const { make, edit } = await issuesIn(app);
  const { iid, ...issue } = await make({ issue_type: 'incident', severity: 'high' });
  t.like(issue, { type: 'INCIDENT', issue_type: 'incident', severity: 'HIGH' });
  for (const issue_type of ['issue', 'test_case', 'task']) {
    const { body } = await edit(iid, { issue_type });
    t.like(body, { issue_type, type: issue_type.toUpperCase(), severity: 'UNKNOWN' });
  }
  t.like((await edit(iid, { issue_type: 'incident' })).body, { issue_type: 'incident', severity: 'HIGH' });
});

// Contract: core-6.delete
test('Owners and Planners delete issues, Reporters to Maintainers and authors do not', async (t) => {
  const { project, make, path } = await issuesIn(app);
  for (const role of ['guest', 'reporter', 'developer', 'maintainer'] as const) {
    const member = await app.build.member(project, role);
    const response = await app.as(member).post(path, { title: 'own' });
    t.is((await app.as(member).delete(`${path}/${response.body.iid}`)).status, 403, role);
  }
  const { iid } = await make();
  const planner = await app.build.member(project, 'planner');
  t.is((await app.as(planner).delete(`${path}/${iid}`)).status, 204);
  const again = await app.as(project.owner).delete(`${path}/${iid}`);
  t.deepEqual([again.status, again.body], [404, { message: '404 Issue Not Found' }]);
  const unmodified = app.as(project.owner).with({ 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' });
  t.is((await unmodified.delete(`${path}/1`)).status, 412);
});

// Contract: core-6.roles
test('authors without a role edit words and state of their issue, and what is for Planners is passed over', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const { path } = await issuesIn(app, project);
  const author = await app.build.user();
  const response = await app
    .as(author)
    .post(path, { title: 'mine', labels: 'bug', weight: 4, assignee_ids: [author.id] });
  t.is(response.status, 201);
  t.like(response.body, { labels: [], weight: null, assignees: [] });
  const edited = await app.as(author).put(`${path}/1`, {
    title: 'still mine',
    state_event: 'close',
    labels: 'bug',
    confidential: true,
    due_date: '2030-02-02',
  });
  t.is(edited.status, 200);
  t.like(edited.body, { title: 'still mine', state: 'closed', labels: [], confidential: false, due_date: null });
  const other = await app.build.user();
  const rejection = await app.as(other).put(`${path}/1`, { title: 'x' });
  t.deepEqual([rejection.status, rejection.body], [403, { message: '403 Forbidden' }]);
  t.is((await app.anonymous.put(`${path}/1`, { title: 'x' })).status, 401);
});

// Contract: core-6.numbers
test('Owners choose number and time; a taken number is 409, and later ones are above it', async (t) => {
  const { project, make, path } = await issuesIn(app);
  const issue = await make({ iid: 41, created_at: '2020-02-02T02:02:02Z' });
  t.like(issue, { iid: 41, created_at: '2020-02-02T02:02:02.000Z' });
  const answer = await app.as(project.owner).post(path, { title: 'x', iid: 41 });
  t.deepEqual([answer.status, answer.body], [409, { message: 'Duplicated issue' }]);
  t.is((await make()).iid, 42);
  t.is((await make({ iid: 7 })).iid, 7);
  await app.as(project.owner).delete(`${path}/42`);
  t.is((await make()).iid, 43);
  const maintainer = await app.build.member(project, 'maintainer');
  const passedOver = await app.as(maintainer).post(path, { title: 'x', iid: 99, created_at: '2020-02-02' });
  t.like(passedOver.body, { iid: 44, created_at: '2030-01-01T00:00:00.000Z' });
  await make({ iid: 2 ** 31 - 1 });
  const none = await app.as(project.owner).post(path, { title: 'x' });
  t.is(none.status, 400);
});

// Contract: core-6.numbers
test('a hundred issues made at once have a hundred numbers', async (t) => {
  const { path, owner, project } = await issuesIn(app);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_one, index) => app.as(owner).post(path, { title: `Issue ${index}`, labels: 'a,b' })),
  );
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  t.is(new Set(answers.map(({ body }) => body.iid)).size, 100);
  t.is((await app.as(owner).get(`/projects/${project.id}`)).body.open_issues_count, 100);
});

// Contract: core-6.bad-values
test('bad values are 400 by their names, and change nothing', async (t) => {
  const { make, edit, read, owner, path } = await issuesIn(app);
  const { iid } = await make({ title: 'kept' });
  const rows: [object, object][] = [
    [{ title: '' }, { message: { title: ["can't be blank"] } }],
    [{ title: '  ' }, { message: { title: ["can't be blank"] } }],
    [{ title: 'x'.repeat(256) }, { message: { title: ['is too long (maximum is 255 characters)'] } }],
    [
      { title: 'x', description: 'x'.repeat(1_048_577) },
      { message: { description: ['is too long (maximum is 1048576 characters)'] } },
    ],
    [{ title: 'x', weight: -1 }, { message: { weight: ['must be greater than or equal to 0'] } }],
    [{ title: 'x', due_date: '2030-02-30' }, { error: 'due_date is invalid' }],
    [{ title: 'x', issue_type: 'epic' }, { error: 'issue_type does not have a valid value' }],
    [{ title: 'x', labels: Array.from({ length: 1001 }, (_one, n) => `l${n}`) }, { error: 'labels is invalid' }],
    [
      { title: 'x', labels: ['y'.repeat(256)] },
      { message: { labels: ['title is too long (maximum is 255 characters)'] } },
    ],
    [{ title: 'x', milestone_id: 999_999 }, { message: { milestone_id: ['is invalid'] } }],
    [{ title: 'x', assignee_ids: ['you'] }, { error: 'assignee_ids is invalid' }],
    [{ title: 'x', confidential: 'perhaps' }, { error: 'confidential is invalid' }],
  ];
  for (const [attributes, body] of rows) {
    for (const answer of [await app.as(owner).post(path, attributes), await edit(iid, attributes)])
      t.deepEqual([answer.status, answer.body], [400, body], JSON.stringify(body));
  }
  for (const number of [0, -1, 2 ** 31, 'one'])
    t.deepEqual((await app.as(owner).post(path, { title: 'x', iid: number })).body, { error: 'iid is invalid' });
  t.deepEqual((await app.as(owner).post(path, {})).body, { error: 'title is missing' });
  const nothing = await edit(iid, {});
  t.is(nothing.status, 400);
  t.regex(nothing.body.error, /^title, description, .* are missing, at least one parameter must be provided$/);
  t.deepEqual((await edit(iid, { title: 'x', epic_id: 7 })).body, { message: '404 Not found' });
  t.like((await read(iid)).body, { title: 'kept', labels: [] });
  t.is((await app.as(owner).get(path)).body.length, 1);
  t.deepEqual((await app.as(owner).get(`${path}/x`)).body, { error: 'issue_iid is invalid' });
  for (const wrong of [2, 2 ** 31, 99_999_999_999])
    t.deepEqual((await app.as(owner).get(`${path}/${wrong}`)).body, { message: '404 Not found' });
});

// Contract: core-6.roles
test('in an archived project, and where issues are switched off, nothing is made or changed', async (t) => {
  const { project, make, edit, path, owner } = await issuesIn(app);
  const { iid } = await make();
  await app.as(owner).post(`/projects/${project.id}/archive`);
  t.is((await app.as(owner).post(path, { title: 'x' })).status, 403);
  t.is((await edit(iid, { title: 'x' })).status, 403);
  t.is((await app.as(owner).delete(`${path}/${iid}`)).status, 403);
  await app.as(owner).post(`/projects/${project.id}/unarchive`);
  await app.as(owner).put(`/projects/${project.id}`, { issues_access_level: 'disabled' });
  t.is((await app.as(owner).get(path)).status, 403);
  t.is((await app.as(owner).get(`${path}/${iid}`)).status, 404);
  t.is((await app.as(owner).post(path, { title: 'x' })).status, 403);
});

// Contract: core-6.free
test.serial('on Free an issue has one assignee and no weight; what was set before is kept', async (t) => {
  const { project, owner, make, edit, read } = await issuesIn(app);
  const member = await app.build.member(project, 'developer');
  const { iid } = await make({ weight: 5 });
  await app.set({ plan: 'free' });
  t.teardown(() => app.set({ plan: 'ultimate' }));
  const { body } = await edit(iid, { assignee_ids: [member.id, owner.id], weight: 9, epic_id: 7 });
  t.is(body.assignees.length, 1);
  t.is(body.assignee.id, member.id);
  t.is(body.weight, null);
  await app.set({ plan: 'ultimate' });
  t.is((await read(iid)).body.weight, 5);
});
