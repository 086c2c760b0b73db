import test from 'ava';
import { sql } from 'kysely';
import { runSchedules } from '../../../shared/ci/pipeline-schedule-runs/run-schedules.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);

/** Group A with subgroup B, which has subgroup C and a project; group T is separate. */
async function sandbox(visibility = 'private') {
  const owner = await app.build.user();
  const a = await app.build.group({ owner, visibility });
  const b = await app.build.group({ owner, parent: a, visibility });
  const c = await app.build.group({ owner, parent: b, visibility });
  const project = await app.build.projectIn({ ...b, owner }, { visibility });
  const target = await app.build.group({ owner });
  const move = (group: { id: number }, to: { id: number } | null, by: BuiltUser = owner) =>
    app.as(by).post(`/groups/${group.id}/transfer`, to ? { group_id: to.id } : {});
  const read = async (kind: 'groups' | 'projects', of: { id: number }, by: BuiltUser = owner) =>
    (await app.as(by).get(`/${kind}/${of.id}`)).body as Record<string, unknown>;
  return { owner, a, b, c, project, target, move, read };
}

// Contract: core-3.transfer
test('a transferred group takes everything below along, and old paths of projects lead to the new ones', async (t) => {
  const { owner, b, c, project, target, move, read } = await sandbox();
  const { status, body } = await move(b, target);
  t.is(status, 201);
  t.like(body, {
    id: b.id,
    parent_id: target.id,
    full_path: `${target.path}/${b.path}`,
    full_name: `${target.name} / ${b.name}`,
  });
  t.is((await read('groups', c)).full_path, `${target.path}/${b.path}/${c.path}`);
  t.is((await read('projects', project)).path_with_namespace, `${target.path}/${b.path}/${project.path}`);
  const old = await app.as(owner).get(`/projects/${encodeURIComponent(project.full_path)}`);
  t.is(old.status, 301);
  const listed = await app.as(owner).get(`/groups/${target.id}/descendant_groups`);
  t.deepEqual(
    (listed.body as { id: number }[]).map(({ id }) => id).sort((x, y) => x - y),
    [b.id, c.id],
  );
});

// Contract: core-3.transfer.rights
test('roles from the groups above end with a transfer, and those of the new ones begin', async (t) => {
  const { a, b, c, project, target, move } = await sandbox();
  const before = await app.build.groupMember(a, 'developer');
  const after = await app.build.groupMember(target, 'developer');
  const direct = await app.build.groupMember(c, 'guest');
  await move(b, target);
  for (const path of [`/groups/${c.id}`, `/projects/${project.id}`]) {
    t.is((await app.as(before).get(path)).status, 404, path);
    t.is((await app.as(after).get(path)).status, 200, path);
  }
  t.is((await app.as(direct).get(`/groups/${c.id}`)).status, 200);
});

// Contract: core-3.transfer
test('without a target a group goes to the top, and whoever moved it is its Owner', async (t) => {
  const { a, b, c, move } = await sandbox();
  const mover = await app.build.groupMember(a, 'owner');
  const { status, body } = await move(b, null, mover);
  t.is(status, 201);
  t.like(body, { parent_id: null, full_path: b.path });
  t.is((await app.as(mover).get(`/groups/${b.id}/members/${mover.id}`)).body.access_level, 50);
  t.is((await app.as(mover).get(`/groups/${c.id}`)).body.full_path, `${b.path}/${c.path}`);
  const events = (await app.as(mover).get(`/groups/${b.id}/audit_events`)).body as {
    event_name: string;
    details: { target_id: number; entity_path: string };
  }[];
  const grant = events.find(({ event_name }) => event_name === 'member_created');
  t.like(grant?.details, { target_id: mover.id, entity_path: b.path });
});

// Contract: core-3.transfer.rights
test('an administrator who takes a group to the top becomes its Owner only where no person is', async (t) => {
  const { b, move, owner } = await sandbox();
  const admin = await app.build.admin();
  const token = { name: 'bot', scopes: ['api'], access_level: 50, expires_at: '2030-06-01' };
  t.is((await app.as(owner).post(`/groups/${b.id}/access_tokens`, token)).status, 201);
  t.is((await app.as(owner).delete(`/groups/${b.id}/members/${owner.id}`)).status, 204);
  t.is((await move(b, null, admin)).status, 201);
  t.is((await app.as(admin).get(`/groups/${b.id}/members/${admin.id}`)).body.access_level, 50);
});

// Contract: core-3.transfer
test('a group becomes no more visible than the one it goes to, and so what lies in it', async (t) => {
  const { b, c, project, target, move, read } = await sandbox('public');
  await move(b, target);
  for (const [kind, of] of [
    ['groups', b],
    ['groups', c],
    ['projects', project],
  ] as const)
    t.is((await read(kind, of)).visibility, 'private');
});

// Contract: core-3.transfer
test('a group goes neither where it is nor below itself', async (t) => {
  const { a, b, c, move } = await sandbox();
  for (const [group, to, reason] of [
    [b, a, 'Group is already associated to the parent group.'],
    [a, null, 'Group is already a root group.'],
    [a, a, 'Cannot transfer group to one of its subgroup.'],
    [a, c, 'Cannot transfer group to one of its subgroup.'],
  ] as const) {
    const { status, body } = await move(group, to);
    t.is(status, 400);
    t.deepEqual(body, { message: `Transfer failed: ${reason}` });
  }
});

// Contract: core-3.transfer
test('a group does not go where its path is taken or a reserved word', async (t) => {
  const { owner, a, b, target, move } = await sandbox();
  await app.build.group({ owner, parent: target, path: b.path.toUpperCase() });
  t.deepEqual((await move(b, target)).body, {
    message: 'Transfer failed: The parent group already has a subgroup or a project with the same path.',
  });
  const reserved = await app.build.group({ owner, parent: a, path: 'admin' });
  const top = await move(reserved, null);
  t.is(top.status, 400);
  t.is(top.body.message, 'Transfer failed: Path admin is a reserved name');
});

// Contract: core-3.transfer
test('groups are not moved deeper than twenty below each other', async (t) => {
  const owner = await app.build.user();
  let deepest = await app.build.group({ owner });
  for (let depth = 1; depth < 20; depth += 1) deepest = await app.build.group({ owner, parent: deepest });
  const tall = await app.build.group({ owner });
  await app.build.group({ owner, parent: tall });
  const flat = await app.build.group({ owner });
  const move = (group: { id: number }) => app.as(owner).post(`/groups/${group.id}/transfer`, { group_id: deepest.id });
  t.is((await move(tall)).status, 400);
  t.is((await move(flat)).status, 201);
});

// Contract: core-3.transfer
test('Owners transfer groups, and only to where they may make some', async (t) => {
  const { a, b, target, move } = await sandbox();
  const maintainer = await app.build.groupMember(a, 'maintainer');
  await app.build.groupMember(target, 'owner', maintainer);
  t.is((await move(b, target, maintainer)).status, 403);
  const elsewhere = await app.build.groupMember(a, 'owner');
  t.is((await move(b, target, elsewhere)).status, 404, 'a target that is not to be seen');
  await app.build.groupMember(target, 'developer', elsewhere);
  t.deepEqual((await move(b, target, elsewhere)).body, {
    message: "Transfer failed: You don't have enough permissions.",
  });
  const stranger = await app.build.user();
  t.is((await move(b, target, stranger)).status, 404);
  t.is((await move(b, { id: 99_999_999 })).status, 404);
});

// Contract: core-3.transfer.rights
test('marks and archives of the old place stay behind, those of the new one hold', async (t) => {
  const { owner, a, b, c, target, move, read } = await sandbox();
  await app.as(owner).post(`/groups/${a.id}/archive`);
  const { body } = await move(b, target);
  t.false(body.archived);
  t.false((await read('groups', c)).archived);
  await app.as(owner).delete(`/groups/${target.id}`);
  t.deepEqual((await move(b, null)).body, { message: 'Transfer failed: Group is scheduled for deletion.' });
});

// Contract: core-3.transfer.rights
test('a transfer ends what rules over refs said of people and groups of the old place', async (t) => {
  const { owner, a, b, project, target, move } = await sandbox();
  const member = await app.build.groupMember(a, 'developer');
  const direct = await app.build.member(project, 'developer');
  const response = await app.as(owner).post(`/projects/${project.id}/protected_tags`, {
    name: 'v*',
    create_access_level: 40,
    allowed_to_create: [{ user_id: member.id }, { user_id: direct.id }, { group_id: a.id }, { group_id: b.id }],
  });
  t.is(response.body.create_access_levels.length, 5);
  await move(b, target);
  const { body } = await app.as(owner).get(`/projects/${project.id}/protected_tags/v*`);
  t.deepEqual(
    (body.create_access_levels as Record<string, unknown>[]).map((level) => [level.user_id, level.group_id]),
    [
      [null, null],
      [direct.id, null],
      [null, b.id],
    ],
  );
});

// Contract: core-3.transfer.rights
test('a schedule in a transferred group runs with the rights of the new place', async (t) => {
  const { owner, a, b, target, move } = await sandbox();
  const project = await app.build.projectIn({ ...b, owner }, { empty: false });
  const member = await app.build.groupMember(a, 'maintainer');
  const schedule = await app.build.schedule({ project, owner: member });
  await move(b, target);
  const now = app.clock.now();
  await app.context().query(sql`
    insert into pipeline_schedule_runs (project_id, pipeline_schedule_id, due_at, trigger, user_id, state, created_at)
    values (${project.id}, ${schedule.id}, ${now}, 'cron', ${member.id}, 'pending', ${now})`);
  const [run] = await app.context().query<{ id: number }>(sql`
    select x.id from pipeline_schedule_runs x where x.pipeline_schedule_id = ${schedule.id}`);
  await runSchedules(app.context(), [run?.id ?? 0]);
  const { body } = await app.as(owner).get(`/projects/${project.id}/pipeline_schedules/${schedule.id}/runs`);
  t.is(body[0].state, 'failed');
  t.regex(body[0].reason, /may not create pipelines/);
});

// Contract: core-3.transfer.races
test('of two transfers into each other one succeeds', async (t) => {
  const owner = await app.build.user();
  for (let round = 0; round < 3; round += 1) {
    const [one, two] = [await app.build.group({ owner }), await app.build.group({ owner })];
    const answers = await Promise.all([
      app.as(owner).post(`/groups/${one.id}/transfer`, { group_id: two.id }),
      app.as(owner).post(`/groups/${two.id}/transfer`, { group_id: one.id }),
    ]);
    t.deepEqual(answers.map(({ status }) => status).sort(), [201, 400]);
  }
});

// Contract: core-3.transfer.races
test('a transfer during a rename ends with paths that fit both', async (t) => {
  const { owner, b, c, project, target, move, read } = await sandbox();
  const answers = await Promise.all([
    move(b, target),
    app.as(owner).put(`/groups/${target.id}`, { path: `${target.path}-new`, name: 'Renamed' }),
    app.as(owner).put(`/groups/${b.id}`, { path: `${b.path}-new` }),
    app.as(owner).post('/groups', { name: 'Late', path: 'late', parent_id: c.id }),
  ]);
  t.deepEqual(
    answers.map(({ status }) => status),
    [201, 200, 200, 201],
  );
  const base = `${target.path}-new/${b.path}-new`;
  t.is((await read('groups', b)).full_path, base);
  t.is((await read('projects', project)).path_with_namespace, `${base}/${project.path}`);
  const late = answers[3]?.body as { id: number };
  t.is((await read('groups', late)).full_path, `${base}/${c.path}/late`);
  t.is((await read('groups', late)).full_name, `Renamed / ${b.name} / ${c.name} / Late`);
  const [row] = await app.context().query<{ traversal_ids: number[] }>(sql`
    select n.traversal_ids from namespaces n where n.id = ${late.id}`);
  t.deepEqual(row?.traversal_ids, [target.id, b.id, c.id, late.id]);
});

// Contract: core-3.transfer.locations
test('the groups that a group may be transferred to are listed for its Owners', async (t) => {
  const { owner, a, b, c, target } = await sandbox();
  const maintained = await app.build.group({ subgroup_creation_level: 'maintainer' });
  await app.build.groupMember(maintained, 'maintainer', owner);
  const closed = await app.build.group({ subgroup_creation_level: 'owner' });
  await app.build.groupMember(closed, 'maintainer', owner);
  const frozen = await app.build.group({ owner });
  await app.as(owner).post(`/groups/${frozen.id}/archive`);
  const listed = async (of: { id: number }, query = '') =>
    ((await app.as(owner).get(`/groups/${of.id}/transfer_locations${query}`)).body as { id: number }[])
      .map(({ id }) => id)
      .sort((x, y) => x - y);
  t.deepEqual(await listed(b), [target.id, maintained.id]);
  t.deepEqual(await listed(c), [a.id, target.id, maintained.id]);
  t.deepEqual(await listed(c, `?search=${target.path}`), [target.id]);
  const [first] = (await app.as(owner).get(`/groups/${b.id}/transfer_locations`)).body as object[];
  t.deepEqual(Object.keys(first ?? {}), ['id', 'web_url', 'name', 'avatar_url', 'full_name', 'full_path']);
  const maintainer = await app.build.groupMember(a, 'maintainer');
  t.is((await app.as(maintainer).get(`/groups/${b.id}/transfer_locations`)).status, 403);
});
