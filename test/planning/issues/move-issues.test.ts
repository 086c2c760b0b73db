import test from 'ava';
import { useApp } from '../../core/app.js';
import { issuesIn } from './issue-steps.js';

const app = useApp(test);

/** An issue with all that a copy may take along, and a project of the same owner. */
async function setUp() {
  const from = await issuesIn(app);
  const { owner, project } = from;
  const to = await issuesIn(app, await app.build.project({ owner }));
  const member = await app.build.member(project, 'developer');
  const milestone = await from.milestone({ project }, { title: 'one' });
  await to.milestone({ project: to.project }, { title: 'one' });
  await to.make({ labels: 'shared' });
  const values = {
    labels: 'shared,left',
    milestone_id: milestone,
    weight: 2,
    due_date: '2030-05-05',
    confidential: true,
  };
  const issue = await from.make({ ...values, description: '- [x] a', assignee_ids: [member.id, owner.id] });
  await app.as(owner).post(`${from.path}/${issue.iid}/time_estimate`, { duration: '2h' });
  await app.as(owner).post(`${from.path}/${issue.iid}/add_spent_time`, { duration: '1h' });
  return { from, to, issue, owner, member };
}

const openIssues = async (project: { id: number; owner: Parameters<typeof app.as>[0] }) =>
  (await app.as(project.owner).get(`/projects/${project.id}`)).body.open_issues_count;

// Contract: core-6.move
test('a moved issue is closed here and made anew there, with what has the same name there', async (t) => {
  const { from, to, issue, owner } = await setUp();
  const reporter = await app.build.member(from.project, 'reporter');
  await app.build.member(to.project, 'reporter', reporter);
  const moved = await app.as(reporter).post(`${from.path}/${issue.iid}/move`, { to_project_id: to.project.id });
  t.is(moved.status, 201);
  t.like(moved.body, {
    project_id: to.project.id,
    iid: 2,
    title: issue.title,
    state: 'opened',
    labels: ['shared'],
    weight: 2,
    due_date: '2030-05-05',
    confidential: true,
    author: { id: owner.id },
    assignees: [{ id: owner.id }],
    milestone: { project_id: to.project.id, title: 'one' },
    time_stats: { time_estimate: 7200, total_time_spent: 3600 },
    task_completion_status: { count: 1, completed_count: 1 },
  });
  const { body: left } = await from.read(issue.iid);
  t.like(left, { state: 'closed', moved_to_id: moved.body.id, closed_by: { id: reporter.id } });
  t.deepEqual([await openIssues(from.project), await openIssues(to.project)], [0, 2]);
  const again = await app.as(owner).post(`${from.path}/${issue.iid}/move`, { to_project_id: to.project.id });
  t.deepEqual([again.status, again.body], [400, { message: 'Cannot move issue due to insufficient permissions!' }]);
});

// Contract: core-6.move
test('a move needs Reporters of both projects, and another project', async (t) => {
  const { from, to, issue, owner, member } = await setUp();
  const move = (user: typeof owner, to_project_id: unknown) =>
    app.as(user).post(`${from.path}/${issue.iid}/move`, { to_project_id });
  t.deepEqual((await move(owner, from.project.id)).body, {
    message: 'Cannot move issue to project it originates from!',
  });
  t.deepEqual((await move(member, to.project.id)).body, { message: '404 Project Not Found' });
  await app.build.member(to.project, 'planner', member);
  const rejection = await move(member, to.project.id);
  t.deepEqual(
    [rejection.status, rejection.body],
    [400, { message: 'Cannot move issue due to insufficient permissions!' }],
  );
  t.deepEqual((await move(owner, 'x')).body, { error: 'to_project_id is invalid' });
  t.like((await from.read(issue.iid)).body, { state: 'opened', moved_to_id: null });
});

// Contract: core-6.clone
test('a clone is open and by who made it, also in the same project', async (t) => {
  const { from, to, issue } = await setUp();
  const reporter = await app.build.member(from.project, 'reporter');
  const clone = (to_project_id: number) => app.as(reporter).post(`${from.path}/${issue.iid}/clone`, { to_project_id });
  await from.edit(issue.iid, { state_event: 'close' });
  const { status, body } = await clone(from.project.id);
  t.is(status, 201);
  t.like(body, {
    project_id: from.project.id,
    state: 'opened',
    author: { id: reporter.id },
    labels: ['left', 'shared'],
    time_stats: { total_time_spent: 0 },
  });
  t.like((await from.read(issue.iid)).body, { moved_to_id: null });
  t.is((await clone(to.project.id)).status, 404);
  await app.build.member(to.project, 'guest', reporter);
  const rejection = await clone(to.project.id);
  t.deepEqual(
    [rejection.status, rejection.body],
    [400, { message: 'Cannot clone issue due to insufficient permissions!' }],
  );
  t.is(await openIssues(from.project), 1);
});

// Contract: core-6.reorder
test('issues are put between others by hand, also where there is no room left', async (t) => {
  const { make, path, owner } = await issuesIn(app);
  const issues: { id: number; iid: number }[] = [];
  for (let count = 0; count < 5; count += 1) issues.push(await make());
  const order = async () =>
    (await app.as(owner).get(`${path}?order_by=relative_position&sort=asc`)).body.map(
      ({ iid }: { iid: number }) => iid,
    );
  const reorder = (iid: number, between: object) => app.as(owner).put(`${path}/${iid}/reorder`, between);
  const id = (iid: number) => issues[iid - 1]?.id;
  t.is((await reorder(5, { move_before_id: id(1), move_after_id: id(2) })).status, 200);
  t.deepEqual(await order(), [1, 5, 2, 3, 4]);
  await reorder(4, { move_after_id: id(1) });
  t.deepEqual(await order(), [4, 1, 5, 2, 3]);
  await reorder(4, { move_before_id: id(3) });
  t.deepEqual(await order(), [1, 5, 2, 3, 4]);
  for (let turn = 0; turn < 30; turn += 1) {
    const [, second, third] = await order();
    t.is((await reorder(third, { move_before_id: id(1), move_after_id: id(second) })).status, 200);
    t.deepEqual((await order()).slice(0, 3), [1, third, second]);
  }
  t.is((await reorder(1, {})).status, 400);
  t.is((await reorder(1, { move_after_id: 999_999 })).status, 404);
});

// Contract: core-6.clone
test('a clone has the comments of its original only where they are asked for, threads, system notes and internal ones too', async (t) => {
  const { from, to, owner } = await setUp();
  const issue = await from.make({ title: 'Talked about' });
  const notes = `${from.path}/${issue.iid}/notes`;
  const as = app.as(owner);
  const { body: first } = await as.post(notes, { body: 'First' });
  await as.post(`${notes}/${first.id}/award_emoji`, { name: 'rocket' });
  await as.post(notes, { body: 'For Planners', internal: true });
  const thread = (await as.post(`${from.path}/${issue.iid}/discussions`, { body: 'Why?' })).body;
  await as.post(`${from.path}/${issue.iid}/discussions/${thread.id}/notes`, { body: 'Because' });
  await as.put(`${from.path}/${issue.iid}`, { title: 'Renamed' });
  const clone = async (values: object) => {
    const { status, body } = await as.post(`${from.path}/${issue.iid}/clone`, {
      to_project_id: to.project.id,
      ...values,
    });
    t.is(status, 201);
    return body as { iid: number; user_notes_count: number };
  };
  const getThreads = async (path: string, iid: number, reader = as) =>
    (await reader.get(`${path}/${iid}/discussions`)).body.map(
      ({ notes: said }: { notes: { body: string; system: boolean; internal: boolean }[] }) =>
        said.map(({ body, system, internal }) => `${body}${system ? ' (system)' : ''}${internal ? ' (internal)' : ''}`),
    );
  const withoutClones = (all: string[][]) => all.filter(([text]) => !text?.startsWith('cloned'));
  const plain = await clone({});
  t.deepEqual(withoutClones(await getThreads(to.path, plain.iid)), []);
  const copy = await clone({ with_notes: true });
  const original = withoutClones(await getThreads(from.path, issue.iid));
  t.deepEqual(original.slice(0, 3), [['First'], ['For Planners (internal)'], ['Why?', 'Because']]);
  t.regex(original[3]?.[0] ?? '', /^changed title .* \(system\)$/);
  t.is(original.length, 4);
  t.deepEqual(withoutClones(await getThreads(to.path, copy.iid)), original);
  t.is((await to.read(copy.iid)).body.user_notes_count, (await from.read(issue.iid)).body.user_notes_count);
  const guest = app.as(await app.build.member(to.project, 'guest'));
  t.deepEqual(
    withoutClones(await getThreads(to.path, copy.iid, guest)),
    original.filter(([text]) => text !== 'For Planners (internal)'),
  );
  const [copied] = (await as.get(`${to.path}/${copy.iid}/notes?sort=asc`)).body;
  t.like(copied, { body: 'First', author: { id: owner.id } });
  t.not(copied.id, first.id);
  const emoji = (await as.get(`${to.path}/${copy.iid}/notes/${copied.id}/award_emoji`)).body;
  t.deepEqual(
    emoji.map(({ name }: { name: string }) => name),
    ['rocket'],
  );
  t.deepEqual(withoutClones(await getThreads(from.path, issue.iid)), original);
});
