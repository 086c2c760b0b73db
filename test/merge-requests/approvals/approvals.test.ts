import test from 'ava';
import { useApp } from '../../core/app.js';
import { mergingIn } from '../merging/merging-steps.js';

const app = useApp(test);

test.before(() => app.set({ plan: 'premium' }));

// Contract: approvals-1.cycle
test('Developers approve once, and take it back', async (t) => {
  const { project, path, make, commit } = await mergingIn(app);
  const developer = await app.build.member(project, 'developer');
  const reporter = await app.build.member(project, 'reporter');
  const request = await make();
  const url = `${path}/${request.iid}`;
  const as = app.as(developer);
  t.like((await as.get(`${url}/approvals`)).body, {
    user_can_approve: true,
    user_has_approved: false,
    approved_by: [],
  });
  t.is((await app.as(reporter).post(`${url}/approve`)).status, 401);
  t.is((await app.as(project.owner).post(`${url}/approve`)).status, 401, 'of their own');
  const other = await as.post(`${url}/approve`, { sha: 'a'.repeat(40) });
  t.is(other.status, 409);
  const { status, body } = await as.post(`${url}/approve`, { sha: request.sha });
  t.is(status, 201);
  t.like(body, { approved: true, user_has_approved: true, user_can_approve: false, approvals_left: 0 });
  t.is(body.approved_by[0].user.id, developer.id);
  t.is((await as.post(`${url}/approve`)).status, 401, 'twice');
  const back = await as.post(`${url}/unapprove`);
  t.is(back.status, 201);
  t.deepEqual(back.body.approved_by, []);
  t.is((await as.post(`${url}/unapprove`)).status, 404);
  await as.post(`${url}/approve`);
  await commit(String(request.source_branch));
  await app.work();
  t.deepEqual((await as.get(`${url}/approvals`)).body.approved_by, [], 'a push takes approvals back');
});

// Contract: merging-2.approvals_before_merge, approvals-1.required
test('with Premium a merge waits for as many approvals as the project needs', async (t) => {
  const { project, path, make, merge, read } = await mergingIn(app, { approvals_before_merge: 1 });
  const developer = await app.build.member(project, 'developer');
  const request = await make();
  await app.work();
  t.is((await merge(request)).status, 405);
  t.is((await read(request)).detailed_merge_status, 'not_approved');
  const { body } = await app.as(developer).post(`${path}/${request.iid}/approve`);
  t.like(body, { approvals_required: 1, approvals_left: 0, approved: true });
  t.is((await merge(request)).status, 200);
});

// Contract: approvals-1.audited
test('how many approvals a project needs is in its audit log when that changes, by whom', async (t) => {
  const { project, owner } = await mergingIn(app, { approvals_before_merge: 1 });
  const put = (approvals_before_merge: number) => owner.put(`/projects/${project.id}`, { approvals_before_merge });
  t.is((await put(2)).status, 200);
  await put(2);
  const { body } = await owner.get(`/projects/${project.id}/audit_events`);
  const events = body.filter(
    ({ details }: { details: { change?: string } }) => details.change === 'approvals_before_merge',
  );
  t.deepEqual(
    events.map(({ author_id: author, details }: { author_id: number; details: Record<string, unknown> }) => [
      author,
      Number(details.from),
      Number(details.to),
    ]),
    [
      [project.owner.id, 1, 2],
      [project.owner.id, 0, 1],
    ],
  );
});

// Contract: approvals-1.reset
test('a bot of the project takes all approvals back, nobody else', async (t) => {
  const { project, path, make, owner } = await mergingIn(app);
  const developer = await app.build.member(project, 'developer');
  const request = await make();
  await app.as(developer).post(`${path}/${request.iid}/approve`);
  t.is((await owner.put(`${path}/${request.iid}/reset_approvals`)).status, 401);
  const bot = { name: 'bot', scopes: ['api'], access_level: 40, expires_at: '2030-06-01' };
  const { token } = (await owner.post(`/projects/${project.id}/access_tokens`, bot)).body;
  t.truthy(token);
  const answer = await app.withHeaders({ 'private-token': token }).put(`${path}/${request.iid}/reset_approvals`);
  t.is(answer.status, 202, answer.text);
  t.deepEqual((await owner.get(`${path}/${request.iid}/approvals`)).body.approved_by, []);
});

// Contract: approvals-1.state, approvals-1.rules
test('the approval state tells by which rule a merge request is approved, and who approved', async (t) => {
  const { project, path, make } = await mergingIn(app, { approvals_before_merge: 2 });
  const developer = await app.build.member(project, 'developer');
  const as = app.as(developer);
  const request = await make();
  const url = `${path}/${request.iid}`;
  const state = async () => (await as.get(`${url}/approval_state`)).body;
  const rule = {
    id: request.id,
    name: 'All Members',
    rule_type: 'any_approver',
    eligible_approvers: [],
    approvals_required: 2,
    users: [],
    groups: [],
    contains_hidden_groups: false,
    source_rule: null,
    overridden: false,
  };
  const before = await state();
  t.false(before.approval_rules_overwritten);
  t.like(before.rules[0], { ...rule, approved: false, approved_by: [] });
  await as.post(`${url}/approve`);
  const one = await state();
  t.like(one.rules[0], { approved: false, approved_by: [{ id: developer.id }] });
  const other = await app.build.member(project, 'developer');
  await app.as(other).post(`${url}/approve`);
  t.like((await state()).rules[0], { approved: true, approved_by: [{ id: developer.id }, { id: other.id }] });
  const { body: rules } = await as.get(`${url}/approval_rules`);
  t.is(rules.length, 1);
  t.like(rules[0], rule);
  t.like((await as.get(`${url}/approval_rules/${request.id}`)).body, rule);
  t.is((await as.get(`${url}/approval_rules/${request.id + 1}`)).status, 404);
  const own = await make({ approvals_before_merge: 0 });
  const overwritten = (await as.get(`${path}/${own.iid}/approval_state`)).body;
  t.true(overwritten.approval_rules_overwritten);
  t.like(overwritten.rules[0], { id: own.id, approvals_required: 0, approved: true, overridden: true });
  const stranger = await app.build.user();
  t.is((await app.as(stranger).get(`${url}/approval_state`)).status, 404);
});

// Contract: approvals-1.project
test('a project tells how its merge requests are approved', async (t) => {
  const { project, owner } = await mergingIn(app, { approvals_before_merge: 1 });
  const at = `/projects/${project.id}`;
  const { status, body } = await owner.get(`${at}/approvals`);
  t.is(status, 200);
  t.like(body, {
    approvals_before_merge: 1,
    reset_approvals_on_push: true,
    merge_requests_author_approval: false,
    merge_requests_disable_committers_approval: false,
  });
  const { body: rules } = await owner.get(`${at}/approval_rules`);
  t.is(rules.length, 1);
  t.like(rules[0], { id: project.id, rule_type: 'any_approver', approvals_required: 1, protected_branches: [] });
  t.deepEqual((await owner.get(`${at}/approval_rules/${project.id}`)).body, rules[0]);
  t.is((await owner.get(`${at}/approval_rules/${project.id + 1}`)).status, 404);
  t.is((await app.anonymous.get(`${at}/approval_rules`)).status, 401);
  t.is((await app.as(await app.build.user()).get(`${at}/approvals`)).status, 404);
});
