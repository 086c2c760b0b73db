import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { issueIn, getTarget } from './issues.js';

const app = useApp(test);
const NOT_FOUND = { message: '404 Not found' };

// Contract: issue-links-5.anonymous
test('nobody without a credential reads or makes links, also of public issues', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const [a, b] = [await issueIn(app, project), await issueIn(app, project)];
  const { id } = (await app.as(project.owner).post(a.links, getTarget(b))).body;
  for (const answer of [
    await app.anonymous.get(a.links),
    await app.anonymous.get(`${a.links}/${id}`),
    await app.anonymous.post(a.links, getTarget(b)),
    await app.anonymous.delete(`${a.links}/${id}`),
  ])
    t.deepEqual([answer.status, answer.body], [401, { message: '401 Unauthorized' }]);
});

// Contract: issue-links-5.update-both, issue-links-6.forbidden
test('linking takes the right to update both: Planners and above, authors and assignees that are members', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const stranger = await app.build.user();
  const linkAs = async (user: typeof stranger, params: Record<string, unknown> = {}) => {
    const [a, b] = [await issueIn(app, project, params), await issueIn(app, project, params)];
    return app.as(user).post(a.links, getTarget(b));
  };
  for (const role of ['planner', 'reporter', 'developer', 'maintainer', 'owner'] as const)
    t.is((await linkAs(await app.build.member(project, role))).status, 201, role);
  t.is((await linkAs(await app.build.admin())).status, 201);
  const guest = await app.build.member(project, 'guest');
  for (const user of [stranger, guest]) {
    const { status, body } = await linkAs(user);
    t.is(status, 403);
    t.is(body.message, "Couldn't link issues. You must have at least the Planner role in both projects.");
  }
  t.is((await linkAs(guest, { assignee_ids: [guest.id] })).status, 201);
  // For their own issues: a Guest may create links, a user who is not a member may not.
  for (const [user, expected] of [
    [guest, 201],
    [stranger, 403],
  ] as const) {
    const own = { id: project.id, owner: user };
    const [a, b] = [await issueIn(app, own), await issueIn(app, own)];
    t.is((await app.as(user).post(a.links, getTarget(b))).status, expected);
  }
});

// Contract: issue-links-5.target-project, issue-links-5.target-issue, issue-links-9.4, issue-links-4.2
test('a target that the caller may not see is 404, and left out of lists', async (t) => {
  const insider = await app.build.user();
  const [open, hidden] = [
    await app.build.project({ owner: insider, visibility: 'public' }),
    await app.build.project({ owner: insider }),
  ];
  const member = await app.build.member(open, 'maintainer');
  const [a, b, c] = [await issueIn(app, open), await issueIn(app, hidden), await issueIn(app, open)];
  const rejection = await app.as(member).post(a.links, getTarget(b));
  t.deepEqual([rejection.status, rejection.body], [404, { message: '404 Project Not Found' }]);
  const { id } = (await app.as(insider).post(a.links, getTarget(b))).body;
  await app.as(insider).post(a.links, getTarget(c));
  const linkedIds = async (user: typeof insider) =>
    (await app.as(user).get(a.links)).body.map((issue: { id: number }) => issue.id);
  t.deepEqual(await linkedIds(insider), [b.id, c.id]);
  t.deepEqual(await linkedIds(member), [c.id]);
  for (const answer of [
    await app.as(member).get(`${a.links}/${id}`),
    await app.as(member).delete(`${a.links}/${id}`),
    await app.as(insider).post(a.links, { target_project_id: open.id, target_issue_iid: 999 }),
  ])
    t.deepEqual([answer.status, answer.body], [404, NOT_FOUND]);
});

// Contract: issue-links-5.confidential, issue-links-9.5
test('confidential issues are linked and seen by those alone who may see them', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const [a, secret] = [await issueIn(app, project), await issueIn(app, project, { confidential: true })];
  const [guest, planner] = [await app.build.member(project, 'guest'), await app.build.member(project, 'planner')];
  for (const answer of [
    await app.as(guest).post(a.links, getTarget(secret)),
    await app.as(guest).get(secret.links),
    await app.as(guest).post(secret.links, getTarget(a)),
  ])
    t.deepEqual([answer.status, answer.body], [404, NOT_FOUND]);
  t.is((await app.as(planner).post(a.links, getTarget(secret))).status, 201);
  t.deepEqual((await app.as(guest).get(a.links)).body, []);
  t.is((await app.as(planner).get(a.links)).body[0].id, secret.id);
});

// Contract: issue-links-5.delete
test('who may not update one of the two may not unlink them', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const [a, b] = [await issueIn(app, project), await issueIn(app, project)];
  const { id } = (await app.as(project.owner).post(a.links, getTarget(b))).body;
  const guest = await app.build.member(project, 'guest');
  const rejection = await app.as(guest).delete(`${a.links}/${id}`);
  t.deepEqual([rejection.status, rejection.body], [404, { message: 'No Issue Link found' }]);
  t.is((await app.as(guest).get(`${a.links}/${id}`)).status, 200);
});

// Contract: issue-links-6.missing, issue-links-6.type, issue-links-6.iid, issue-links-9.8, issue-links-9.9
test('parameters are told by name', async (t) => {
  const project = await app.build.project();
  const [a, b] = [await issueIn(app, project), await issueIn(app, project)];
  const as = app.as(project.owner);
  for (const [body, error] of [
    [{}, 'target_project_id is missing, target_issue_iid is missing'],
    [{ ...getTarget(b), link_type: 'parent_of' }, 'link_type does not have a valid value'],
    [{ ...getTarget(b), target_issue_iid: 'x' }, 'target_issue_iid is invalid'],
  ] as const) {
    const answer = await as.post(a.links, body);
    t.deepEqual([answer.status, answer.body], [400, { error }]);
  }
  const answer = await as.get(`/projects/${project.id}/issues/first/links`);
  t.deepEqual([answer.status, answer.body], [400, { error: 'issue_iid is invalid' }]);
  // The id of an issue is no number of it.
  await app.context().query(sql`select setval(pg_get_serial_sequence('issues', 'id'), 1000000)`);
  const far = await issueIn(app, project);
  t.is((await as.get(`/projects/${project.id}/issues/${far.id}/links`)).status, 404);
});

// Contract: issue-links-7
test('a link is reached through its own issues alone', async (t) => {
  const project = await app.build.project();
  const [a, b, c] = [await issueIn(app, project), await issueIn(app, project), await issueIn(app, project)];
  const as = app.as(project.owner);
  const { id } = (await as.post(a.links, getTarget(b))).body;
  for (const answer of [await as.get(`${c.links}/${id}`), await as.delete(`${c.links}/${id}`)])
    t.deepEqual([answer.status, answer.body], [404, NOT_FOUND]);
  t.is((await as.get(a.links)).body.length, 1);
});
