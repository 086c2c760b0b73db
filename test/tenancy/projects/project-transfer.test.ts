import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);
const at = (path: string) => `/projects/${encodeURIComponent(path)}`;
const transfer = (user: BuiltUser, project: { id: number }, namespace: number | string) =>
  app.as(user).put(`/projects/${project.id}/transfer`, { namespace });
const failure = (text: string) => ({ message: `Failed to transfer project {:new_namespace=>["${text}"]}` });
const NOT_ALLOWED = failure("You don't have permission to transfer projects into that namespace.");
const TAKEN = failure('Project with same name or path in target namespace already exists');

// Contract: core-5.transfer
test('a project moves to a group by its id or path; the old path redirects', async (t) => {
  const project = await app.build.project();
  const { owner } = project;
  const group = await app.build.group({ owner });
  const { status, body } = await transfer(owner, project, group.id);
  t.is(status, 200);
  t.is(body.path_with_namespace, `${group.full_path}/${project.path}`);
  t.is(body.name_with_namespace, `${group.full_name} / ${project.name}`);
  t.is(body.namespace.id, group.id);
  t.is((await app.as(owner).get(at(project.full_path))).status, 301);
  t.is((await app.as(owner).get(`/projects/${project.id}/repository/branches/main`)).status, 200);
  const sub = await app.build.group({ parent: group, owner });
  t.is((await transfer(owner, project, sub.full_path)).body.namespace.id, sub.id);
  const home = await transfer(owner, project, owner.username);
  t.is(home.body.path_with_namespace, project.full_path);
  t.is((await app.as(owner).get(at(project.full_path))).status, 200);
});

// Contract: core-5.transfer
test('a project transferred to a group is no more visible than the group', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const group = await app.build.group({ owner: project.owner, visibility: 'internal' });
  t.is((await transfer(project.owner, project, group.id)).body.visibility, 'internal');
  t.is((await app.anonymous.get(`/projects/${project.id}`)).status, 404);
});

// Contract: core-5.transfer.roles
test('roles from the old group end with the transfer, direct roles stay, those of the new group begin', async (t) => {
  const owner = await app.build.user();
  const from = await app.build.group({ owner });
  const to = await app.build.group({ owner });
  const project = await app.build.projectIn(from);
  const inherited = await app.build.groupMember(from, 'maintainer');
  const direct = await app.build.member(project, 'developer');
  const coming = await app.build.groupMember(to, 'reporter');
  t.is((await app.as(coming).get(`/projects/${project.id}`)).status, 404);
  await transfer(owner, project, to.id);
  t.is((await app.as(inherited).get(`/projects/${project.id}`)).status, 404);
  t.is((await app.as(direct).get(`/projects/${project.id}`)).status, 200);
  t.is((await app.as(coming).get(`/projects/${project.id}`)).status, 200);
});

// Contract: core-5.transfer.refs
test('rules over refs forget whom the transfer leaves without access', async (t) => {
  const owner = await app.build.user();
  const from = await app.build.group({ owner });
  const project = await app.build.projectIn(from, { empty: false });
  const [leaving, staying] = [
    await app.build.groupMember(from, 'developer'),
    await app.build.member(project, 'developer'),
  ];
  const rule = await app.as(owner).post(`/projects/${project.id}/protected_tags`, {
    name: 'v*',
    allowed_to_create: [{ user_id: leaving.id }, { user_id: staying.id }, { group_id: from.id }],
  });
  t.is(rule.status, 201);
  await transfer(owner, project, owner.username);
  const { body } = await app.as(owner).get(`/projects/${project.id}/protected_tags/v*`);
  const userIds = body.create_access_levels.map((entry: { user_id: number | null }) => entry.user_id);
  t.true(userIds.includes(staying.id));
  t.false(userIds.includes(leaving.id));
  t.false(body.create_access_levels.some((entry: { group_id: number | null }) => entry.group_id === from.id));
});

// Contract: core-5.transfer.roles
test("whoever's namespace a project comes to is its Owner", async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const admin = await app.build.admin();
  const person = await app.build.user();
  await app.build.member(project, 'guest', person);
  t.is((await transfer(admin, project, person.username)).status, 200);
  const { body } = await app.as(person).get(`/projects/${project.id}/members`);
  t.deepEqual(
    body
      .filter(({ id }: { id: number }) => id === person.id)
      .map((member: { access_level: number }) => member.access_level),
    [50],
  );
});

// Contract: core-5.transfer
test('a transfer needs Owner of the project and the right to create projects in the target', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const maintainer = await app.build.member(project, 'maintainer');
  t.is((await transfer(maintainer, project, maintainer.username)).status, 403);
  const other = await app.build.group({ visibility: 'public' });
  const rejection = await transfer(group.owner, project, other.id);
  t.is(rejection.status, 400);
  t.deepEqual(rejection.body, NOT_ALLOWED);
  await app.build.groupMember(other, 'reporter', group.owner);
  t.deepEqual((await transfer(group.owner, project, other.id)).body, NOT_ALLOWED);
  await app.build.groupMember(other, 'developer', group.owner);
  t.is((await transfer(group.owner, project, other.id)).status, 200);
  const stranger = await app.build.user();
  t.is((await transfer(stranger, project, stranger.username)).status, 404);
  t.is((await app.anonymous.put(`/projects/${project.id}/transfer`, { namespace: other.id })).status, 401);
});

// Contract: core-5.transfer
test('a namespace that is not there or not to be seen is 404, none at all 400', async (t) => {
  const project = await app.build.project({ empty: true });
  const hidden = await app.build.group({ visibility: 'private' });
  const somebody = await app.build.user();
  for (const namespace of [hidden.id, hidden.full_path, somebody.username, 'nowhere', '999999999999999999999', 0]) {
    const { status, body } = await transfer(project.owner, project, namespace);
    t.is(status, 404, String(namespace));
    t.deepEqual(body, { message: '404 Namespace Not Found' });
  }
  const { status, body } = await app.as(project.owner).put(`/projects/${project.id}/transfer`, {});
  t.is(status, 400);
  t.deepEqual(body, { error: 'namespace is missing' });
});

// Contract: core-5.transfer
test('a transfer to where the project is, or where its path or name is taken, is 400 and changes nothing', async (t) => {
  const project = await app.build.project({ empty: true });
  const { owner } = project;
  t.deepEqual((await transfer(owner, project, owner.username)).body, failure('Project is already in this namespace.'));
  const byPath = await app.build.group({ owner });
  await app.as(owner).post('/projects', { name: 'Other', path: project.path.toUpperCase(), namespace_id: byPath.id });
  const byName = await app.build.group({ owner });
  await app.as(owner).post('/projects', { name: project.name, path: `other${unique()}`, namespace_id: byName.id });
  for (const group of [byPath, byName]) {
    const { status, body } = await transfer(owner, project, group.id);
    t.is(status, 400);
    t.deepEqual(body, TAKEN);
  }
  t.is((await app.as(owner).get(at(project.full_path))).status, 200);
});

test('a project that is marked for deletion, or a target that is, takes part in no transfer', async (t) => {
  const project = await app.build.project({ empty: true });
  const group = await app.build.group({ owner: project.owner });
  await app.as(project.owner).delete(`/groups/${group.id}`);
  t.deepEqual((await transfer(project.owner, project, group.id)).body, NOT_ALLOWED);
  const open = await app.build.group({ owner: project.owner });
  await app.as(project.owner).delete(`/projects/${project.id}`);
  t.deepEqual((await transfer(project.owner, project, open.id)).body, failure('Project is scheduled for deletion.'));
});

test('a full personal namespace takes no project by transfer', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  await app.as(await app.build.admin()).put(`/users/${group.owner.id}`, { projects_limit: 0 });
  t.deepEqual((await transfer(group.owner, project, group.owner.username)).body, NOT_ALLOWED);
});

// Contract: core-5.transfer.locations
test('the groups that a project can go to are those where its Owner may create projects', async (t) => {
  const project = await app.build.project({ empty: true });
  const { owner } = project;
  const owned = await app.build.group({ owner });
  const [developer, reporter, closed, marked, foreign] = await Promise.all(
    Array.from({ length: 5 }, () => app.build.group({ visibility: 'public' })),
  );
  for (const [group, role] of [
    [developer, 'developer'],
    [reporter, 'reporter'],
    [closed, 'developer'],
    [marked, 'maintainer'],
  ] as const)
    await app.build.groupMember(group as { id: number }, role, owner);
  await app.as(closed?.owner as BuiltUser).put(`/groups/${closed?.id}`, { project_creation_level: 'maintainer' });
  await app.as(marked?.owner as BuiltUser).delete(`/groups/${marked?.id}`);
  const { status, body } = await app.as(owner).get(`/projects/${project.id}/transfer_locations`);
  t.is(status, 200);
  const ids = body.map(({ id }: { id: number }) => id);
  t.deepEqual(
    ids.toSorted((one: number, other: number) => one - other),
    [owned.id, developer?.id as number].toSorted((one, other) => one - other),
  );
  t.is(foreign && (await transfer(owner, project, foreign.id)).status, 400);
  for (const id of ids) t.is((await transfer(owner, project, id)).status, 200);
  const found = await app.as(owner).get(`/projects/${project.id}/transfer_locations?search=${owned.path}`);
  t.true(found.body.every(({ id }: { id: number }) => id === owned.id));
  const maintainer = await app.build.member(project, 'maintainer');
  t.is((await app.as(maintainer).get(`/projects/${project.id}/transfer_locations`)).status, 403);
});

test('a transfer is told in the audit log, and with it a lower visibility', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const group = await app.build.group({ owner: project.owner, visibility: 'private' });
  await transfer(project.owner, project, group.id);
  const events = await app.context().query<{ event: string; from: string; to: string }>(sql`
    select e.event_name as "event", e.value_from as "from", e.value_to as "to" from audit_events e
     where e.entity_type = 'Project' and e.entity_id = ${project.id} and e.change in ('namespace', 'visibility')
     order by e.id`);
  t.deepEqual(events, [
    { event: 'project_namespace_updated', from: project.full_path, to: `${group.full_path}/${project.path}` },
    { event: 'project_visibility_level_updated', from: 'public', to: 'private' },
  ]);
});

// Contract: core-5.transfer.races
test('a transfer while the target group is renamed ends below the new path', async (t) => {
  const project = await app.build.project({ empty: true });
  const group = await app.build.group({ owner: project.owner });
  const path = `renamed${unique()}`;
  const [moved, renamed] = await Promise.all([
    transfer(project.owner, project, group.id),
    app.as(project.owner).put(`/groups/${group.id}`, { path }),
  ]);
  t.is(moved.status, 200);
  t.is(renamed.status, 200);
  const { body } = await app.as(project.owner).get(`/projects/${project.id}`);
  t.is(body.path_with_namespace, `${path}/${project.path}`);
});

// Contract: core-5.transfer.races
test('a transfer while the group above it is renamed ends in its new place', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const target = await app.build.group({ owner: group.owner });
  const [moved, renamed] = await Promise.all([
    transfer(group.owner, project, target.id),
    app.as(group.owner).put(`/groups/${group.id}`, { path: `renamed${unique()}` }),
  ]);
  t.is(moved.status, 200);
  t.is(renamed.status, 200);
  const { body } = await app.as(group.owner).get(`/projects/${project.id}`);
  t.is(body.path_with_namespace, `${target.full_path}/${project.path}`);
});

// Contract: core-5.transfer.races
test('two projects of one path transferred to one group at once: one 200, one 400', async (t) => {
  const owner = await app.build.user();
  const [one, two, target] = await Promise.all([1, 2, 3].map(() => app.build.group({ owner })));
  const projects = await Promise.all(
    [one, two].map((group) =>
      app.as(owner).post('/projects', { name: `Name ${unique()}`, path: 'same', namespace_id: group?.id }),
    ),
  );
  const answers = await Promise.all(projects.map(({ body }) => transfer(owner, body, target?.id ?? 0)));
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
});

// Contract: core-5.transfer.races
test('a project transferred to two groups at once ends in one of them', async (t) => {
  const project = await app.build.project({ empty: true });
  const groups = await Promise.all([1, 2].map(() => app.build.group({ owner: project.owner })));
  const answers = await Promise.all(groups.map((group) => transfer(project.owner, project, group.id)));
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  const { body } = await app.as(project.owner).get(`/projects/${project.id}`);
  const owner = groups.find(({ id }) => id === body.namespace.id);
  t.is(body.path_with_namespace, `${owner?.full_path}/${project.path}`);
});
