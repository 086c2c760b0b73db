import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);

async function tree() {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const sub = await app.build.group({ owner, parent: group });
  const project = await app.build.projectIn({ ...sub, owner });
  return { owner, group, sub, project };
}

/** Users that the entries of a project's protected tag name. */
async function grantedUsers(project: { id: number }, owner: BuiltUser): Promise<(number | null)[]> {
  const { body } = await app.as(owner).get(`/projects/${project.id}/protected_tags/v*`);
  return (body.create_access_levels as { user_id: number | null }[]).map((level) => level.user_id);
}

// Contract: core-4.seats
test('who takes a seat is told when asked for', async (t) => {
  const { group, project, owner } = await tree();
  const blocked = await app.build.groupMember(group, 'guest');
  const admin = await app.build.admin();
  await app.as(admin).post(`/users/${blocked.id}/block`);
  for (const path of [`/groups/${group.id}/members`, `/projects/${project.id}/members/all`]) {
    const { body } = await app.as(owner).get(`${path}?show_seat_info=true`);
    const seats = Object.fromEntries(
      (body as { id: number; is_using_seat: boolean }[]).map((member) => [member.id, member.is_using_seat]),
    );
    t.like(seats, { [owner.id]: true, [blocked.id]: false });
    t.false('is_using_seat' in (await app.as(owner).get(path)).body[0]);
  }
});

// Contract: core-4.roles
test('a custom role that does not exist is refused [unverified]', async (t) => {
  const { group, owner } = await tree();
  const user = await app.build.user();
  const add = (member_role_id: unknown) =>
    app.as(owner).post(`/groups/${group.id}/members`, { user_id: user.id, access_level: 30, member_role_id });
  const rejection = await add(7);
  t.is(rejection.status, 400);
  t.deepEqual(rejection.body, { message: { member_role: ['not found'] } });
  t.is((await add('')).status, 201);
  t.is(
    (await app.as(owner).put(`/groups/${group.id}/members/${user.id}`, { access_level: 30, member_role_id: 7 })).status,
    400,
  );
});

// Contract: core-4.races
test('of several requests to add one member at the same time one is 201 and the others 409', async (t) => {
  const { group, project, owner } = await tree();
  for (const path of [`/groups/${group.id}/members`, `/projects/${project.id}/members`]) {
    const user = await app.build.user();
    const answers = await Promise.all(
      [1, 2, 3].map(() => app.as(owner).post(path, { user_id: user.id, access_level: 30 })),
    );
    t.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  }
});

// Contract: core-4.cleanup
test('removing a member takes them out of rules over refs, unless another role is left', async (t) => {
  const { group, sub, project, owner } = await tree();
  const gone = await app.build.groupMember(sub, 'developer');
  const stays = await app.build.groupMember(group, 'developer', await app.build.groupMember(sub, 'maintainer'));
  const direct = await app.build.member(project, 'developer');
  await app.as(owner).post(`/projects/${project.id}/protected_tags`, {
    name: 'v*',
    allowed_to_create: [gone, stays, direct].map((user) => ({ user_id: user.id })),
  });
  await app.as(owner).delete(`/groups/${sub.id}/members/${gone.id}`);
  await app.as(owner).delete(`/groups/${sub.id}/members/${stays.id}`);
  t.deepEqual(await grantedUsers(project, owner), [stays.id, direct.id]);
  await app.as(owner).delete(`/projects/${project.id}/members/${direct.id}`);
  t.deepEqual(await grantedUsers(project, owner), [stays.id]);
});

// Contract: core-4.audit
test('what is given, changed and taken away is told in the audit events of the project or group', async (t) => {
  const { group, project, owner } = await tree();
  for (const [path, type, id] of [
    [`/groups/${group.id}/members`, 'Group', group.id],
    [`/projects/${project.id}/members`, 'Project', project.id],
  ] as const) {
    const user = await app.build.user();
    await app.as(owner).post(path, { user_id: user.id, access_level: 30 });
    await app.as(owner).put(`${path}/${user.id}`, { access_level: 40, expires_at: '2030-06-01' });
    await app.as(owner).delete(`${path}/${user.id}`);
    const events = await app.context().query(sql`
      select e.event_name as "event", e.change, e.value_from as "from", e.value_to as "to", e.author_id as "by"
        from audit_events e
       where e.entity_type = ${type} and e.entity_id = ${id} and e.target_type = 'User' and e.target_id = ${user.id}
       order by e.id`);
    const by = owner.id;
    t.deepEqual(events, [
      { event: 'member_created', change: 'access_level', from: null, to: 'Developer', by },
      { event: 'member_updated', change: 'access_level', from: 'Developer', to: 'Maintainer', by },
      { event: 'member_updated', change: 'expires_at', from: null, to: '2030-06-01', by },
      { event: 'member_destroyed', change: 'access_level', from: 'Maintainer', to: null, by },
    ]);
  }
});

// Contract: core-4.inherited.shares
test('a direct role may be below one that a share gives: only groups above count [unverified]', async (t) => {
  const { group, sub, owner } = await tree();
  const other = await app.build.group({ owner });
  const user = await app.build.groupMember(other, 'owner');
  await app.as(owner).post(`/groups/${group.id}/share`, { group_id: other.id, group_access: 40 });
  const { status } = await app.as(owner).post(`/groups/${sub.id}/members`, { user_id: user.id, access_level: 10 });
  t.is(status, 201);
  const { body } = await app.as(owner).get(`/groups/${sub.id}/members/all/${user.id}`);
  t.is(body.access_level, 40);
});

// Contract: core-4.expiry
test('a role ends with its day, wherever it was inherited', async (t) => {
  const { group, sub, project, owner } = await tree();
  const user = await app.build.user();
  await app.as(owner).post(`/groups/${group.id}/members`, {
    user_id: user.id,
    access_level: 30,
    expires_at: '2030-01-03',
  });
  const statuses = async () =>
    Promise.all(
      [`/groups/${sub.id}`, `/projects/${project.id}`, `/projects/${project.id}/members/all/${user.id}`].map(
        async (path) => (await app.as(path.includes('members') ? owner : user).get(path)).status,
      ),
    );
  t.deepEqual(await statuses(), [200, 200, 200]);
  app.clock.advance('2 days');
  t.deepEqual(await statuses(), [404, 404, 404]);
});
