import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { createDeployProject } from '../protected-environments/deploy-project.js';

const app = useApp(test);
const badRequest = (message: string) => [400, { message }];
const NOT_WAITING = badRequest('This deployment is not waiting for approvals.');
const NOT_ALLOWED = badRequest(
  "You don't have permission to approve this deployment. Contact the project or group owner for help.",
);
const OWN = badRequest(
  'You cannot approve your own deployment. This configuration can be adjusted in the protected environment settings.',
);
const NOT_REPRESENTED = badRequest(
  'There are no approval rules for the given `represent_as` parameter. Use a valid User/Group/Role name instead.',
);

/** A project with a Developer who deploys, and two Maintainers. */
async function setUp() {
  const setup = await createDeployProject(app);
  return {
    ...setup,
    deployer: await app.build.member(setup.project, 'developer'),
    first: await app.build.member(setup.project, 'maintainer'),
    second: await app.build.member(setup.project, 'maintainer'),
    read: async (id: number) => (await setup.owner.get(`${setup.path}/deployments/${id}`)).body,
  };
}

// Contract: protected-environments-7.blocked, readme-18.blocked, protected-environments-7.approve
test('a deployment that needs approvals is blocked until the last one makes it created, then it can run', async (t) => {
  const { path, deployer, first, second, approve, waiting, protectProject, read } = await setUp();
  await protectProject({ approval_rules: [{ access_level: 40, required_approvals: 2 }] });
  const { id, ...blocked } = await waiting(deployer);
  t.like(blocked, { pending_approval_count: 2, approvals: [] });
  const update = (status: string) => app.as(deployer).put(`${path}/deployments/${id}`, { status });
  for (const status of ['running', 'success']) t.is((await update(status)).status, 403);
  const approval = await approve(first, id, { comment: 'Tested' });
  t.is(approval.status, 201);
  t.like(approval.body, { status: 'approved', comment: 'Tested', user: { id: first.id, username: first.username } });
  t.deepEqual(Object.keys(approval.body).toSorted(), ['comment', 'created_at', 'status', 'user']);
  t.like(await read(id), { status: 'blocked', pending_approval_count: 1 });
  t.is((await update('running')).status, 403);
  await approve(second, id);
  t.like(await read(id), { status: 'created', pending_approval_count: 0, finished_at: null });
  t.is((await update('running')).body.status, 'running');
  t.is((await update('success')).body.status, 'success');
});

// Contract: readme-18.four
test('a deployment made with one of the four public statuses is never blocked', async (t) => {
  const { deployer, deploy, protectProject } = await setUp();
  await protectProject({ approval_rules: [{ access_level: 40 }] });
  for (const status of ['running', 'failed', 'canceled', 'success'])
    t.like((await deploy(deployer, { status })).body, { status, pending_approval_count: 0 });
  t.is((await deploy(deployer, { status: 'created', environment: 'free' })).body.status, 'created');
});

// Contract: readme-18.rejected
test('a rejection, even by the deployer, sets the deployment to failed and is shown with it', async (t) => {
  const { deployer, first, approve, waiting, protectProject, read } = await setUp();
  await protectProject({ approval_rules: [{ access_level: 30 }] });
  for (const user of [first, deployer]) {
    const { id } = await waiting(deployer);
    t.is((await approve(user, id, { status: 'rejected', comment: 'No' })).status, 201);
    const after = await read(id);
    t.is(after.status, 'failed');
    t.truthy(after.finished_at);
    t.like(after.approvals[0], { status: 'rejected', comment: 'No', user: { id: user.id } });
    const late = await approve(first, id);
    t.deepEqual([late.status, late.body], NOT_WAITING);
  }
});

// Contract: protected-environments-7.approve.errors
test('errors by precedence: not protected, approvals not configured, not waiting, own, not allowed', async (t) => {
  const { path, owner, deployer, first, deploy, approve, waiting, protectProject } = await setUp();
  const answer = async (user: typeof first, id: number, attributes = {}) => {
    const { status, body } = await approve(user, id, attributes);
    return [status, body];
  };
  const free = (await deploy(deployer)).body.id;
  t.deepEqual(await answer(first, free), badRequest('This environment is not protected.'));
  const { deploy_access_levels: levels } = await protectProject({});
  t.truthy(levels);
  t.deepEqual(await answer(first, free), badRequest('Deployment approvals is not configured for this environment.'));
  await owner.put(`${path}/protected_environments/production`, { approval_rules: [{ user_id: first.id }] });
  t.deepEqual(await answer(first, free), NOT_WAITING);
  const { id } = await waiting(first);
  t.deepEqual(await answer(first, id), OWN);
  t.deepEqual(await answer(deployer, id), NOT_ALLOWED);
  const theirs = await waiting(deployer);
  t.deepEqual(await answer(deployer, theirs.id), OWN, 'checked before whether a rule names them');
  t.deepEqual(await answer(first, theirs.id, { represented_as: 'Nobody' }), NOT_REPRESENTED);
  t.deepEqual(await answer(first, theirs.id, { status: 'maybe' }), [
    400,
    { error: 'status does not have a valid value' },
  ]);
  t.deepEqual(
    await answer(first, theirs.id, { comment: 'x'.repeat(256) }),
    badRequest('Comment is too long (maximum is 255 characters)'),
  );
  t.is((await approve(first, theirs.id, { comment: '😀'.repeat(255) })).status, 201);
});

// Contract: protected-environments-7.approve.own
test('the deployer may approve the deployment if the project allows it', async (t) => {
  const { path, owner, first, approve, waiting, protectProject } = await setUp();
  await protectProject({ approval_rules: [{ access_level: 40 }] });
  const { id } = await waiting(first);
  t.is((await approve(first, id)).status, 400);
  t.is((await owner.put(path, { allow_pipeline_trigger_approve_deployment: true })).status, 200);
  t.is((await approve(first, id)).status, 201);
});

// Contract: protected-environments-7.approve.several, protected-environments-7.required
test('rules of the project and its groups add up; one decision counts for one rule, chosen by name', async (t) => {
  const { root, approve, waiting, protectProject, protectRoot, read } = await setUp();
  const deployer = await app.build.groupMember(root, 'developer');
  const both = await app.build.groupMember(root, 'maintainer');
  await protectRoot({ approval_rules: [{ group_id: root.id }, { access_level: 40 }] });
  await protectProject({ approval_rules: [{ user_id: both.id }] });
  const { id } = await waiting(deployer);
  t.is((await read(id)).pending_approval_count, 3);
  await approve(both, id);
  await approve(both, id);
  t.is((await read(id)).pending_approval_count, 2, 'counted once, for the first rule that names them');
  await approve(both, id, { represented_as: root.name });
  await approve(both, id, { represented_as: both.name });
  const { approval_summary: summary } = await read(id);
  t.deepEqual(
    summary.rules.map((rule: { access_level_description: string; deployment_approvals: unknown[] }) => [
      rule.access_level_description,
      rule.deployment_approvals.length,
    ]),
    [
      [both.name, 1],
      [root.name, 1],
      ['Maintainers', 0],
    ],
  );
  t.is((await approve(deployer, id, { represented_as: 'Maintainers' })).status, 400);
  await approve(both, id, { represented_as: 'Maintainers' });
  t.like(await read(id), { status: 'created', pending_approval_count: 0 });
});

test('extra approvals for one rule do not make up for missing ones for another', async (t) => {
  const { root, project, deployer, first, second, approve, waiting, protectProject, read } = await setUp();
  const chosen = await app.build.member(project, 'developer');
  await protectProject({ approval_rules: [{ access_level: 40 }, { user_id: chosen.id }] });
  const { id } = await waiting(deployer);
  await approve(first, id);
  await approve(second, id);
  await approve(root.owner, id);
  t.like(await read(id), { status: 'blocked', pending_approval_count: 1 });
  await approve(chosen, id);
  t.is((await read(id)).status, 'created');
});

// Contract: protected-environments-7.approve.repeat
test.serial('repeating a decision changes nothing, a different one overwrites it', async (t) => {
  const { deployer, first, approve, waiting, protectProject, read } = await setUp();
  await protectProject({ approval_rules: [{ access_level: 40, required_approvals: 2 }] });
  const { id } = await waiting(deployer);
  const { body } = await approve(first, id, { comment: 'One' });
  app.clock.advance('1 minute');
  t.deepEqual((await approve(first, id, { comment: 'Two' })).body, body);
  const rejected = await approve(first, id, { status: 'rejected', comment: 'Three' });
  t.like(rejected.body, { status: 'rejected', comment: 'Three', created_at: body.created_at });
  const { approvals } = await read(id);
  t.deepEqual(approvals, [rejected.body]);
});

// Contract: protected-environments-7.required
test('without rules, the highest approval count that is set is required, from those who may deploy', async (t) => {
  const { root, path, owner, first, approve, waiting, protectProject, protectRoot, read } = await setUp();
  await protectProject({ deploy_access_levels: [{ access_level: 30 }] });
  await protectRoot({ deploy_access_levels: [{ access_level: 30 }] });
  await owner.put(`${path}/protected_environments/production`, { required_approval_count: 1 });
  await owner.put(`/groups/${root.id}/protected_environments/production`, { required_approval_count: 2 });
  const [one, two] = [await app.build.groupMember(root, 'developer'), await app.build.groupMember(root, 'owner')];
  const { id } = await waiting(one);
  t.is((await read(id)).pending_approval_count, 2);
  const rejection = await approve(first, id);
  t.deepEqual([rejection.status, rejection.body], NOT_ALLOWED, 'the root group does not let them deploy');
  await approve(two, id);
  t.is((await read(id)).pending_approval_count, 1);
  await approve(root.owner, id);
  t.is((await read(id)).status, 'created');
});

test('a user who has just been demoted, removed or blocked cannot approve', async (t) => {
  const { project, deployer, first, second, approve, waiting, protectProject, leave } = await setUp();
  await protectProject({ approval_rules: [{ access_level: 40 }] });
  const { id } = await waiting(deployer);
  await app.build.member(project, 'developer', first);
  const demoted = await approve(first, id);
  t.deepEqual([demoted.status, demoted.body], NOT_ALLOWED);
  await app.build.member(project, 'guest', first);
  t.is((await approve(first, id)).status, 403);
  await leave(second);
  t.is((await approve(second, id)).status, 404);
});

// Contract: protected-environments-7.approve.roles
test('by role: for readers of deployments the rules decide, other members get 403, strangers 404', async (t) => {
  const { project, deployer, approve, waiting, protectProject } = await setUp();
  await protectProject({ approval_rules: [{ access_level: 40, required_approvals: 5 }] });
  const { id } = await waiting(deployer);
  const expected = { guest: 403, planner: 403, reporter: 400, developer: 400, maintainer: 201, owner: 201 } as const;
  for (const [role, status] of Object.entries(expected)) {
    const user = await app.build.member(project, role as keyof typeof expected);
    t.is((await approve(user, id)).status, status, role);
  }
  t.is((await approve(await app.build.admin(), id)).status, 201);
  t.is((await approve(await app.build.user(), id)).status, 404);
  t.is((await app.anonymous.post(`/projects/${project.id}/deployments/${id}/approval`, {})).status, 401);
});

test('concurrent approvals each count, and the deployment is unblocked once', async (t) => {
  const { project, deployer, approve, waiting, protectProject, read } = await setUp();
  await protectProject({ approval_rules: [{ access_level: 40, required_approvals: 5 }] });
  const { id } = await waiting(deployer);
  const users = await Promise.all(Array.from({ length: 8 }, () => app.build.member(project, 'maintainer')));
  const answers = await Promise.all(users.map((user) => approve(user, id)));
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [...Array.from({ length: 5 }, () => 201), 400, 400, 400]);
  t.like(await read(id), { status: 'created' });
});

test('removing a rule lets a deployment run that only this rule held back', async (t) => {
  const { path, owner, deployer, first, approve, waiting, protectProject, read } = await setUp();
  const { approval_rules: rules } = await protectProject({
    approval_rules: [{ access_level: 40, required_approvals: 2 }],
  });
  const { id } = await waiting(deployer);
  await approve(first, id);
  const removal = { approval_rules: [{ id: rules[0].id, _destroy: true }] };
  t.is((await owner.put(`${path}/protected_environments/production`, removal)).status, 200);
  const after = await read(id);
  t.like(after, { status: 'blocked', pending_approval_count: 0, approval_summary: { rules: [] } });
  t.is(after.approvals.length, 1, 'the approval is still there');
  t.is((await app.as(deployer).put(`${path}/deployments/${id}`, { status: 'running' })).status, 200);
});

test('the approval of a deleted user remains, attributed to the ghost user', async (t) => {
  const { deployer, first, approve, waiting, protectProject, read } = await setUp();
  await protectProject({ approval_rules: [{ access_level: 40, required_approvals: 2 }] });
  const { id } = await waiting(deployer);
  await approve(first, id);
  const admin = app.as(await app.build.admin());
  t.is((await admin.delete(`/users/${first.id}`)).status, 204);
  await app.work();
  const after = await read(id);
  t.is(after.approvals[0].user.username, 'ghost');
  t.is(after.pending_approval_count, 1);
});

test.serial('approving needs Premium', async (t) => {
  const { deployer, first, approve, waiting, protectProject } = await setUp();
  await protectProject({ approval_rules: [{ access_level: 40 }] });
  const { id } = await waiting(deployer);
  await app.set({ plan: 'free' });
  t.teardown(() => app.set({ plan: 'ultimate' }));
  t.is((await approve(first, id)).status, 403);
});

test('deleting an environment also deletes its deployments and their approvals', async (t) => {
  const { path, owner, deployer, first, approve, waiting, protectProject } = await setUp();
  await protectProject({ approval_rules: [{ access_level: 40, required_approvals: 2 }] });
  const { id, environment } = await waiting(deployer);
  await approve(first, id);
  t.is((await owner.post(`${path}/environments/${environment.id}/stop`)).status, 200);
  t.is((await owner.delete(`${path}/environments/${environment.id}`)).status, 204);
  const remaining = await app.context().query(sql`select 1 from deployment_approvals where deployment_id = ${id}`);
  t.deepEqual(remaining, []);
});

// Contract: protected-environments-7.approve
test('GraphQL returns the approvals of a deployment, what is missing, and whether the caller may approve', async (t) => {
  const { project, deployer, first, second, approve, waiting, protectProject } = await setUp();
  await protectProject({ approval_rules: [{ access_level: 40, required_approvals: 2 }] });
  const { id, iid } = await waiting(deployer);
  await approve(first, id, { comment: 'Tested' });
  const query = `query ($path: ID!, $iid: ID!) {
    project(fullPath: $path) {
      deployment(iid: $iid) {
        approvals { status comment createdAt user { username } }
        approvalSummary { totalRequiredApprovals totalPendingApprovalCount }
        userPermissions { approveDeployment }
      }
    }
  }`;
  const readDeployment = async (user: typeof deployer) => {
    const variables = { path: project.full_path, iid: String(iid) };
    const { body } = await app.as(user).graphql(query, variables);
    return body.data.project.deployment;
  };
  const deployment = await readDeployment(second);
  t.like(deployment.approvals, [{ status: 'approved', comment: 'Tested', user: { username: first.username } }]);
  t.deepEqual(deployment.approvalSummary, { totalRequiredApprovals: 2, totalPendingApprovalCount: 1 });
  const mayApprove = async (user: typeof deployer) => (await readDeployment(user)).userPermissions.approveDeployment;
  t.deepEqual([await mayApprove(first), await mayApprove(second), await mayApprove(deployer)], [true, true, false]);
  await approve(second, id);
  t.deepEqual([await mayApprove(first), await mayApprove(second)], [false, false], 'it no longer waits for approvals');
});
