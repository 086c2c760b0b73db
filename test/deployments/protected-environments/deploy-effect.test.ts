import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { createDeployProject } from './deploy-project.js';
import { describeEntries } from './protections.js';

const app = useApp(test);
const FORBIDDEN = [403, { message: '403 Forbidden' }];

// Contract: protected-environments-7.none, protected-environments-7.refused
test('without protection Developers deploy and stop; with it only those whom it admits, others get 403', async (t) => {
  const { project, path, deploy, protectProject } = await createDeployProject(app);
  const developer = await app.build.member(project, 'developer');
  const maintainer = await app.build.member(project, 'maintainer');
  const response = await deploy(developer);
  t.is(response.status, 201);
  await protectProject({ deploy_access_levels: [{ access_level: 40 }] });
  const rejection = await deploy(developer);
  t.deepEqual([rejection.status, rejection.body], FORBIDDEN);
  const update = (user = developer) =>
    app.as(user).put(`${path}/deployments/${response.body.id}`, { status: 'success' });
  const stop = (user = developer) => app.as(user).post(`${path}/environments/${response.body.environment.id}/stop`);
  for (const answer of [await update(), await stop()]) t.deepEqual([answer.status, answer.body], FORBIDDEN);
  t.is((await update(maintainer)).status, 200);
  t.is((await stop(maintainer)).status, 200);
  t.is((await deploy(maintainer, { status: 'failed' })).status, 201);
  t.is((await deploy(developer, { environment: 'staging' })).status, 201, 'another name');
});

test('an environment that a refused deployment would have made is not left behind', async (t) => {
  const { project, path, owner, deploy, protectProject } = await createDeployProject(app);
  const developer = await app.build.member(project, 'developer');
  await protectProject({ deploy_access_levels: [{ access_level: 40 }] });
  t.is((await deploy(developer)).status, 403);
  t.deepEqual((await owner.get(`${path}/environments`)).body, []);
});

// Contract: protected-environments-7.governing
test('every governing entry from the project up to the root group has to admit, and in one any level does', async (t) => {
  const { root, group, project, deploy, protectProject, protectGroup, protectRoot } = await createDeployProject(app);
  const [first, second] = [await app.build.groupMember(root, 'maintainer'), await app.build.groupMember(root, 'owner')];
  await protectRoot({ deploy_access_levels: [{ user_id: first.id }, { user_id: second.id }] });
  const third = await app.build.groupMember(group, 'maintainer');
  const tries = async () =>
    [await deploy(first), await deploy(second), await deploy(third)].map(({ status }) => status);
  t.deepEqual(await tries(), [201, 201, 403]);
  await protectGroup({ deploy_access_levels: [{ user_id: second.id }, { user_id: third.id }] });
  t.deepEqual(await tries(), [403, 201, 403]);
  await protectProject({ deploy_access_levels: [{ user_id: third.id }] });
  t.deepEqual(await tries(), [403, 403, 403]);
  t.is((await deploy(await app.build.admin())).status, 201, 'administrators always');
  t.is((await deploy(third, { environment: 'dev' })).status, 201, 'another tier');
  t.is((await deploy(third, { environment: 'live' })).status, 403, 'another name of that tier');
  t.truthy(project);
});

// Contract: protected-environments-7.roles
test("a role is that in the entry's container: of the project, or of the group that protects the tier", async (t) => {
  const { root, group, project, deploy, protectRoot } = await createDeployProject(app);
  await protectRoot({ deploy_access_levels: [{ access_level: 30 }] });
  const ofProject = await app.build.member(project, 'owner');
  const ofGroup = await app.build.groupMember(group, 'owner');
  const ofRoot = await app.build.groupMember(root, 'developer');
  t.deepEqual(
    [await deploy(ofProject), await deploy(ofGroup), await deploy(ofRoot)].map(({ status }) => status),
    [403, 403, 201],
  );
});

// Contract: protected-environments-7.groups
test('a group admits its direct members, with inheritance those of groups above it too', async (t) => {
  const { root, group, project, deploy, owner } = await createDeployProject(app);
  const above = await app.build.group({ owner: root.owner });
  const invited = await app.build.group({ parent: above, owner: root.owner });
  const direct = await app.build.groupMember(invited, 'developer');
  const inherited = await app.build.groupMember(above, 'developer');
  for (const { id } of [invited]) {
    const share = await owner.post(`/projects/${project.id}/share`, { group_id: id, group_access: 30 });
    t.is(share.status, 201);
  }
  const path = `/projects/${project.id}/protected_environments`;
  const response = await owner.post(path, { name: 'production', deploy_access_levels: [{ group_id: invited.id }] });
  const tries = async () => [await deploy(direct), await deploy(inherited)].map(({ status }) => status);
  t.deepEqual(await tries(), [201, 403]);
  const { id } = response.body.deploy_access_levels[0];
  await owner.put(`${path}/production`, { deploy_access_levels: [{ id, group_inheritance_type: 1 }] });
  t.deepEqual(await tries(), [201, 201]);
  t.truthy(group);
});

test('level 60 admits administrators alone', async (t) => {
  const { project, deploy, protectProject } = await createDeployProject(app);
  await protectProject({ deploy_access_levels: [{ access_level: 60 }] });
  t.is((await deploy(project.owner)).status, 403);
  t.is((await deploy(await app.build.admin())).status, 201);
});

// Contract: protected-environments-7.removed
test('memberships are asked as they are: demoted, expired and removed people deploy no more', async (t) => {
  const { project, deploy, protectProject, leave, owner, path } = await createDeployProject(app);
  const [leaving, demoted] = [
    await app.build.member(project, 'developer'),
    await app.build.member(project, 'maintainer'),
  ];
  await protectProject({
    deploy_access_levels: [{ user_id: leaving.id }, { access_level: 40 }],
    approval_rules: [{ user_id: leaving.id }, { access_level: 40 }],
  });
  t.is((await deploy(leaving)).status, 201);
  t.is((await deploy(demoted)).status, 201);
  await app.build.member(project, 'developer', demoted);
  t.is((await deploy(demoted)).status, 403);
  t.is((await leave(leaving)).status, 204);
  const { body } = await owner.get(`${path}/protected_environments/production`);
  t.deepEqual([describeEntries(body.deploy_access_levels), describeEntries(body.approval_rules)], [[40], [40]]);
  await app.build.member(project, 'developer', leaving);
  t.is((await deploy(leaving)).status, 403, 'who comes back is not named any more');
});

// Contract: protected-environments-7.removed
test('a group whose share ends, by itself or by its date, loses its entries', async (t) => {
  const { root, project, deploy, owner, path } = await createDeployProject(app);
  const invited = await app.build.group({ owner: root.owner });
  const member = await app.build.groupMember(invited, 'developer');
  await app.build.member(project, 'developer', member);
  const share = () => owner.post(`${path}/share`, { group_id: invited.id, group_access: 30 });
  await share();
  const protectedPath = `${path}/protected_environments`;
  const attributes = { deploy_access_levels: [{ group_id: invited.id }, { access_level: 60 }] };
  await owner.post(protectedPath, { name: 'production', ...attributes });
  t.is((await deploy(member)).status, 201);
  await app.context().query(sql`update project_shares set expires_on = '2000-01-01' where project_id = ${project.id}`);
  t.is((await deploy(member)).status, 403);
  await app.context().query(sql`update project_shares set expires_on = null where project_id = ${project.id}`);
  t.is((await deploy(member)).status, 201);
  t.is((await owner.delete(`${path}/share/${invited.id}`)).status, 204);
  t.is((await deploy(member)).status, 403);
  t.deepEqual(describeEntries((await owner.get(`${protectedPath}/production`)).body.deploy_access_levels), [60]);
});

// Contract: protected-environments-7.sole-approver
test('a rule whose only approver is gone becomes that of Maintainers, and others go', async (t) => {
  const { root, project, protectProject, protectRoot, leave, owner, path } = await createDeployProject(app);
  const [one, two] = [await app.build.member(project, 'developer'), await app.build.member(project, 'developer')];
  const { approval_rules: rules } = await protectProject({
    approval_rules: [{ user_id: one.id, required_approvals: 1 }, { user_id: two.id }],
  });
  const left = async () => (await owner.get(`${path}/protected_environments/production`)).body.approval_rules;
  await leave(one);
  t.deepEqual(describeEntries(await left()), [`user ${two.id}`]);
  await leave(two);
  t.deepEqual(describeEntries(await left()), [40]);
  t.is((await left())[0].id, rules[1].id);
  const member = await app.build.groupMember(root, 'maintainer');
  await protectRoot({ approval_rules: [{ user_id: member.id, required_approvals: 2 }] }, 'staging');
  t.is((await owner.delete(`/groups/${root.id}/members/${member.id}`)).status, 204);
  const [rule] = (await owner.get(`/groups/${root.id}/protected_environments/staging`)).body.approval_rules;
  t.like(rule, { access_level: 40, user_id: null, required_approvals: 2 });
});

// Contract: protected-environments-7.sole-approver
test('who is deleted, a user or a group, takes deploy levels along and leaves rules to Maintainers', async (t) => {
  const { root, project, protectRoot, protectProject, owner, path } = await createDeployProject(app);
  const below = await app.build.group({ parent: root, owner: root.owner });
  const user = await app.build.member(project, 'developer');
  const both = (entry: object) => ({
    deploy_access_levels: [entry, { access_level: 40 }],
    approval_rules: [entry, { access_level: 30 }],
  });
  await protectRoot(both({ group_id: below.id }));
  await protectProject(both({ user_id: user.id }));
  await app.context().query(sql`delete from users where id = ${user.id}`);
  await app.context().query(sql`delete from namespaces where id = ${below.id}`);
  for (const container of [`/groups/${root.id}`, path]) {
    const { body } = await owner.get(`${container}/protected_environments/production`);
    t.deepEqual([describeEntries(body.deploy_access_levels), describeEntries(body.approval_rules)], [[40], [40, 30]]);
  }
});

test('a group that moves away is not named any more by the group that it left', async (t) => {
  const { root, protectRoot, owner } = await createDeployProject(app);
  const below = await app.build.group({ parent: root, owner: root.owner });
  await protectRoot({
    deploy_access_levels: [{ group_id: below.id }, { group_id: root.id }],
    approval_rules: [{ group_id: below.id }],
  });
  t.true((await owner.post(`/groups/${below.id}/transfer`)).status < 300);
  const { body } = await owner.get(`/groups/${root.id}/protected_environments/production`);
  t.deepEqual(
    [describeEntries(body.deploy_access_levels), describeEntries(body.approval_rules)],
    [[`group ${root.id}`], [40]],
  );
});

test('a project that moves is governed by the groups that it lies in then', async (t) => {
  const { root, project, deploy, protectRoot } = await createDeployProject(app);
  const developer = await app.build.member(project, 'developer');
  await protectRoot({ deploy_access_levels: [{ access_level: 40 }] });
  t.is((await deploy(developer)).status, 403);
  const other = await app.build.group({ owner: root.owner });
  const moved = await app.as(root.owner).put(`/projects/${project.id}/transfer`, { namespace: other.id });
  t.is(moved.status, 200);
  t.is((await deploy(developer)).status, 201);
});

test.serial('without Premium nothing is protected, and nothing waits for approvals', async (t) => {
  const { project, deploy, protectProject } = await createDeployProject(app);
  const developer = await app.build.member(project, 'developer');
  await protectProject({ deploy_access_levels: [{ access_level: 40 }], approval_rules: [{ access_level: 40 }] });
  t.is((await deploy(developer)).status, 403);
  await app.set({ plan: 'free' });
  t.teardown(() => app.set({ plan: 'ultimate' }));
  t.is((await deploy(developer, { status: 'created' })).body.status, 'created');
});
