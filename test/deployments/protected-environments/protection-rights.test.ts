import test from 'ava';
import { sql } from 'kysely';
import type { Role } from '../../../shared/core/operations/policy.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { groupFixture, describeEntries, projectFixture, TOO_SHORT } from './protections.js';

const app = useApp(test);
const LEVELS = { deploy_access_levels: [{ access_level: 40 }] };
const ROLES: Role[] = ['guest', 'planner', 'reporter', 'developer', 'maintainer', 'owner'];

/** The response status of each of the five requests for a user. */
async function statuses(user: BuiltUser, path: string, name: string) {
  const as = app.as(user);
  const response = await as.post(path, { name, ...LEVELS });
  const answers = [
    await as.get(path),
    response,
    await as.get(`${path}/${name}`),
    await as.put(`${path}/${name}`, {}),
    await as.delete(`${path}/${name}`),
  ];
  return answers.map(({ status }) => status);
}

// Contract: protected-environments-1.project.role, protected-environments-1.group.role
test('a table of roles: Maintainers of a project, Owners of a group, administrators of both, others 403', async (t) => {
  const { project } = await projectFixture(app);
  const { group } = await groupFixture(app);
  for (const role of ROLES) {
    const inProject = await app.build.member(project, role);
    const inGroup = await app.build.groupMember(group, role);
    t.deepEqual(
      await statuses(inProject, `/projects/${project.id}/protected_environments`, 'testing'),
      role === 'maintainer' || role === 'owner' ? [200, 201, 200, 200, 204] : [403, 403, 403, 403, 403],
      role,
    );
    t.deepEqual(
      await statuses(inGroup, `/groups/${group.id}/protected_environments`, 'testing'),
      role === 'owner' ? [200, 201, 200, 200, 200] : [403, 403, 403, 403, 403],
      role,
    );
  }
  const admin = await app.build.admin();
  t.deepEqual(await statuses(admin, `/projects/${project.id}/protected_environments`, 'x'), [200, 201, 200, 200, 204]);
  t.deepEqual(await statuses(admin, `/groups/${group.id}/protected_environments`, 'other'), [200, 201, 200, 200, 200]);
  const stranger = await app.build.user();
  for (const path of [`/projects/${project.id}`, `/groups/${group.id}`])
    t.deepEqual(await statuses(stranger, `${path}/protected_environments`, 'other'), [404, 404, 404, 404, 404]);
});

// Contract: protected-environments-1.role-first
test('the role comes before parameters; anonymous callers get 404 of what is private and 403 of what is public', async (t) => {
  const { project, path } = await projectFixture(app);
  const developer = await app.build.member(project, 'developer');
  const { status, body } = await app.as(developer).post(path(), { name: '', deploy_access_levels: 'x' });
  t.deepEqual([status, body], [403, { message: '403 Forbidden' }]);
  t.deepEqual((await app.anonymous.get(path())).body, { message: '404 Project Not Found' });
  const open = await app.build.project({ visibility: 'public' });
  t.is((await app.anonymous.get(`/projects/${open.id}/protected_environments`)).status, 403);
  t.is((await app.anonymous.post(`/projects/${open.id}/protected_environments`, {})).status, 403);
  const group = await app.build.group({ visibility: 'public' });
  t.is((await app.anonymous.get(`/groups/${group.id}/protected_environments`)).status, 403);
});

// Contract: protected-environments-1.cicd-off
test('with CI/CD switched off everybody but administrators is refused', async (t) => {
  const { project, path } = await projectFixture(app);
  const owner = app.as(project.owner);
  t.is((await owner.put(`/projects/${project.id}`, { builds_access_level: 'disabled' })).status, 200);
  t.is((await owner.get(path())).status, 403);
  t.is((await owner.post(path(), { name: 'a', ...LEVELS })).status, 403);
  t.is((await app.as(await app.build.admin()).get(path())).status, 200);
});

test('an archived project keeps its protected environments readable and refuses to change them', async (t) => {
  const { project, path, keeper, protect, unprotect } = await projectFixture(app);
  await protect('a');
  await app.context().query(sql`update projects set archived = true where id = ${project.id}`);
  t.is((await app.as(keeper).get(path('/a'))).status, 200);
  t.is((await protect('b')).status, 403);
  t.is((await unprotect('a')).status, 403);
});

// Contract: protected-environments-1.plan
test.serial(
  'without Premium all is 403, an unverified status, and what was protected comes back with the plan',
  async (t) => {
    const setup = await projectFixture(app);
    const { body } = await setup.protect('a');
    const inGroup = await groupFixture(app);
    await app.set({ plan: 'free' });
    t.teardown(() => app.set({ plan: 'ultimate' }));
    for (const { list, protect, update, unprotect, get } of [setup, inGroup])
      for (const answer of [
        await list(),
        await protect('b'),
        await get('a'),
        await update('a', {}),
        await unprotect('a'),
      ])
        t.deepEqual([answer.status, answer.body], [403, { message: '403 Forbidden' }]);
    await app.set({ plan: 'premium' });
    t.deepEqual((await setup.list()).body, [body]);
  },
);

// Contract: protected-environments-5.group.user, interface-4.3.assignable
test('a group names members with Maintainer or Owner, also those of groups above', async (t) => {
  const above = await app.build.group();
  const { group, protect } = await groupFixture(app, above);
  const [developer, maintainer] = [
    await app.build.groupMember(group, 'developer'),
    await app.build.groupMember(group, 'maintainer'),
  ];
  const higher = await app.build.groupMember(above, 'maintainer');
  const expired = await app.build.groupMember(group, 'owner', undefined, '2000-01-01');
  const below = await app.build.group({ parent: group as never, owner: group.owner });
  const lower = await app.build.groupMember(below, 'owner');
  const all = [developer, maintainer, higher, expired, lower, await app.build.user()];
  const { status, body } = await protect('production', {
    deploy_access_levels: all.map(({ id }) => ({ user_id: id })),
    approval_rules: all.map(({ id }) => ({ user_id: id })),
  });
  t.is(status, 201);
  const fit = [`user ${maintainer.id}`, `user ${higher.id}`];
  t.deepEqual([describeEntries(body.deploy_access_levels), describeEntries(body.approval_rules)], [fit, fit]);
});

// Contract: protected-environments-5.group.group
test('a group names itself, groups below it, and groups that were invited to it', async (t) => {
  const above = await app.build.group();
  const { group, protect } = await groupFixture(app, above);
  const below = await app.build.group({ parent: group as never, owner: group.owner });
  const deep = await app.build.group({ parent: below, owner: group.owner });
  const [invited, other] = [await app.build.group({ owner: group.owner }), await app.build.group()];
  const share = await app.as(group.owner).post(`/groups/${group.id}/share`, { group_id: invited.id, group_access: 10 });
  t.is(share.status, 201);
  const { body } = await protect('production', {
    deploy_access_levels: [above, group, below, deep, invited, other, { id: 999_999 }].map(({ id }) => ({
      group_id: id,
    })),
  });
  t.deepEqual(
    describeEntries(body.deploy_access_levels),
    [group, below, deep, invited].map(({ id }) => `group ${id}`),
  );
});

// Contract: protected-environments-5.project.user, protected-environments-5.project.group
test('a project names members with Developer or above, direct or inherited, and groups that were invited to it', async (t) => {
  const { group, project, protect } = await projectFixture(app);
  const [reporter, developer] = [
    await app.build.member(project, 'reporter'),
    await app.build.member(project, 'developer'),
  ];
  const inherited = await app.build.groupMember(group, 'developer');
  const [invited, other] = [await app.build.group({ owner: group.owner }), await app.build.group()];
  const attributes = { group_id: invited.id, group_access: 20 };
  t.is((await app.as(group.owner).post(`/projects/${project.id}/share`, attributes)).status, 201);
  const { body } = await protect('production', {
    deploy_access_levels: [
      ...[reporter, developer, inherited, await app.build.user()].map(({ id }) => ({ user_id: id })),
      ...[invited, other, group].map(({ id }) => ({ group_id: id })),
    ],
  });
  t.deepEqual(describeEntries(body.deploy_access_levels), [
    `user ${developer.id}`,
    `user ${inherited.id}`,
    `group ${invited.id}`,
  ]);
});

// Contract: protected-environments-5.dropped, protected-environments-5.destroy
test('what does not qualify is left out, and with nothing left it is 422; former members can be removed', async (t) => {
  const { project, protect, update } = await projectFixture(app);
  const stranger = await app.build.user();
  const rejection = await protect('a', { deploy_access_levels: [{ user_id: stranger.id }] });
  t.deepEqual([rejection.status, rejection.body], [422, TOO_SHORT]);
  const member = await app.build.member(project, 'developer');
  const { body } = await protect('a', { deploy_access_levels: [{ user_id: member.id }, { access_level: 40 }] });
  const [level] = body.deploy_access_levels;
  const ignored = await update('a', { deploy_access_levels: [{ id: level.id, user_id: stranger.id }] });
  t.deepEqual([ignored.status, ignored.body], [200, body]);
  await app
    .context()
    .query(sql`delete from project_members where project_id = ${project.id} and user_id = ${member.id}`);
  const gone = await update('a', { deploy_access_levels: [{ id: level.id, user_id: member.id, _destroy: true }] });
  t.deepEqual(describeEntries(gone.body.deploy_access_levels), [40]);
});
