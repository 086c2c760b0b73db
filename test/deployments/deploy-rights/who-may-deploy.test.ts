import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { createDeployProject } from '../protected-environments/deploy-project.js';
import { describeEntries } from '../protected-environments/protections.js';

const app = useApp(test);

/** A protected project with an environment, and requests by its Maintainer. */
async function guardedEnvironment() {
  const setup = await createDeployProject(app);
  const { body } = await setup.owner.post(`${setup.path}/environments`, { name: 'production' });
  const path = `${setup.path}/environments/${body.id}/who_may_deploy`;
  const keeper = await app.build.member(setup.project, 'maintainer');
  const ask = (user?: { id: number }, by: BuiltUser = keeper) =>
    app.as(by).get(user ? `${path}?user_id=${user.id}` : path);
  const verdict = async (user: { id: number }) => {
    const { may_deploy: may, reason } = (await ask(user)).body.user;
    return [may, reason];
  };
  return { ...setup, keeper, ask, verdict };
}

// Contract: protected-environments.who-may-deploy
test('the governing entries are named from the project up to the root group', async (t) => {
  const { root, group, project, ask, protectProject, protectGroup, protectRoot } = await guardedEnvironment();
  const free = await ask();
  t.deepEqual(free.body, { protected: false, protected_environments: [], required_approvals: 0, user: null });
  await protectRoot({ approval_rules: [{ access_level: 40, required_approvals: 2 }] });
  await protectProject({ deploy_access_levels: [{ access_level: 40 }], approval_rules: [{ access_level: 30 }] });
  await protectGroup({ deploy_access_levels: [{ group_id: group.id, group_inheritance_type: 1 }] });
  const { body } = await ask();
  t.like(body, { protected: true, required_approvals: 3, user: null });
  type Governing = { project_id: number; group_id: number; full_path: string; deploy_access_levels: never[] };
  t.deepEqual(
    body.protected_environments.map(({ project_id, group_id, full_path, deploy_access_levels }: Governing) => [
      project_id,
      group_id,
      full_path,
      ...describeEntries(deploy_access_levels),
    ]),
    [
      [project.id, null, project.full_path, 40],
      [null, group.id, group.full_path, `group ${group.id}`],
      [null, root.id, root.full_path, 30],
    ],
  );
});

// Contract: protected-environments.who-may-deploy
test('of a user it tells yes or no, and why', async (t) => {
  const { root, group, project, verdict, ask, protectProject, protectRoot } = await guardedEnvironment();
  const developer = await app.build.member(project, 'developer');
  const free = 'The environment is not protected: Developers and above deploy there';
  t.deepEqual(await verdict(developer), [true, free]);
  t.deepEqual(await verdict(await app.build.user()), [false, 'The role in the project is below Developer']);
  await protectRoot({ deploy_access_levels: [{ access_level: 40 }] });
  await protectProject({ deploy_access_levels: [{ access_level: 40 }] });
  const [ofRoot, ofProject] = [`production of group ${root.full_path}`, `production of project ${project.full_path}`];
  t.deepEqual(await verdict(developer), [false, `Not admitted by protected environment ${ofProject}, ${ofRoot}`]);
  const inGroup = await app.build.groupMember(group, 'maintainer');
  t.deepEqual(await verdict(inGroup), [false, `Not admitted by protected environment ${ofRoot}`]);
  t.deepEqual(await verdict(root.owner), [true, `Admitted by protected environment ${ofProject}, ${ofRoot}`]);
  t.deepEqual(await verdict(await app.build.admin()), [true, 'Administrators may always deploy']);
  await app.context().query(sql`update users set state = 'blocked' where id = ${inGroup.id}`);
  t.deepEqual(await verdict(inGroup), [false, 'The user is blocked']);
  const unknown = await ask({ id: 999_999_999 });
  t.deepEqual([unknown.status, unknown.body], [404, { message: '404 User Not Found' }]);
});

test('what it tells is what happens', async (t) => {
  const { root, group, project, verdict, deploy, protectRoot, protectGroup } = await guardedEnvironment();
  const people = await Promise.all([
    app.build.member(project, 'reporter'),
    app.build.member(project, 'owner'),
    app.build.groupMember(group, 'developer'),
    app.build.groupMember(group, 'maintainer'),
    app.build.groupMember(root, 'developer'),
    app.build.groupMember(root, 'maintainer'),
  ]);
  await protectRoot({ deploy_access_levels: [{ access_level: 30 }, { group_id: group.id }] });
  await protectGroup({ deploy_access_levels: [{ access_level: 40 }] });
  for (const user of people) {
    const [may] = await verdict(user);
    t.is(may, (await deploy(user)).status === 201);
  }
});

// Contract: protected-environments.who-may-deploy
test('Developers ask about themselves, Maintainers about anybody, Reporters not at all', async (t) => {
  const { project, keeper, ask } = await guardedEnvironment();
  const [reporter, developer] = [
    await app.build.member(project, 'reporter'),
    await app.build.member(project, 'developer'),
  ];
  t.is((await ask(undefined, reporter)).status, 403);
  t.is((await ask(undefined, developer)).status, 200);
  t.is((await ask(developer, developer)).body.user.may_deploy, true);
  t.is((await ask(keeper, developer)).status, 403);
  t.is((await ask(developer, keeper)).status, 200);
  t.is((await ask(undefined, await app.build.user())).status, 404);
});

// Contract: protected-environments.who-may-deploy.statements
test('below twenty groups with twenty entries each it takes four statements at most', async (t) => {
  const owner = await app.build.user();
  let group = await app.build.group({ owner });
  const groups = [group];
  while (groups.length < 20) {
    group = await app.build.group({ owner, parent: group });
    groups.push(group);
  }
  const project = await app.build.projectIn(group);
  const members = await Promise.all(Array.from({ length: 19 }, () => app.build.groupMember(groups[0]!, 'maintainer')));
  const entries = [...members.map(({ id }) => ({ user_id: id })), { group_id: 0, group_inheritance_type: 1 }];
  for (const { id } of groups) {
    const levels = entries.map((entry) => ('group_id' in entry ? { ...entry, group_id: id } : entry));
    const response = await app.as(owner).post(`/groups/${id}/protected_environments`, {
      name: 'production',
      deploy_access_levels: levels,
      approval_rules: levels,
    });
    t.is(response.body.deploy_access_levels.length, 20);
  }
  const { body } = await app.as(owner).post(`/projects/${project.id}/environments`, { name: 'production' });
  const path = `/projects/${project.id}/environments/${body.id}/who_may_deploy?user_id=${members[3]?.id}`;
  await app.as(owner).get(path);
  t.true((await app.statementsOf(() => app.as(owner).get(path))) <= 4);
  const answer = await app.as(owner).get(path);
  t.true(answer.body.user.may_deploy);
  t.is(answer.body.protected_environments.length, 20);
  t.is(answer.body.required_approvals, 400);
});
