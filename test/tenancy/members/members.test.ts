import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import type { Answer } from '../../core/client.js';

const app = useApp(test);

type Kind = 'projects' | 'groups';
const path = (kind: Kind, of: { id: number }, rest = '') => `/${kind}/${of.id}/members${rest}`;
const roles = (answer: Answer) =>
  (answer.body as { id: number; access_level: number }[]).map((member) => [member.id, member.access_level]);

/** A group with a subgroup and a project in it, and a project of its own. */
async function tree() {
  const group = await app.build.group();
  const owner = group.owner;
  const sub = await app.build.group({ parent: group, owner });
  const project = await app.build.projectIn({ ...sub, owner });
  return { group, sub, project, owner };
}

// Contract: core-4.add, core-4.record
test('a member is added by id or by username and answered with the role', async (t) => {
  const { group, owner } = await tree();
  const [one, two] = [await app.build.user(), await app.build.user()];
  const { status, body } = await app.as(owner).post(path('groups', group), {
    user_id: one.id,
    access_level: 30,
    expires_at: '2030-06-01',
  });
  t.is(status, 201);
  t.deepEqual(Object.keys(body).sort(), [
    'access_level',
    'avatar_url',
    'created_at',
    'created_by',
    'expires_at',
    'id',
    'locked',
    'membership_state',
    'name',
    'public_email',
    'state',
    'username',
    'web_url',
  ]);
  t.like(body, {
    id: one.id,
    access_level: 30,
    expires_at: '2030-06-01',
    membership_state: 'active',
    username: one.username,
  });
  t.is(body.created_by.id, owner.id);
  const answer = await app
    .as(owner)
    .post(path('groups', group), { username: two.username.toUpperCase(), access_level: '10' });
  t.like(answer.body, { id: two.id, access_level: 10, expires_at: null });
});

// Contract: core-4.record
test('only administrators see the address of a member', async (t) => {
  const { group, owner } = await tree();
  const admin = await app.build.admin();
  t.false('email' in (await app.as(owner).get(path('groups', group))).body[0]);
  t.is((await app.as(admin).get(path('groups', group))).body[0].email, `${owner.username}@example.com`);
});

// Contract: core-4.add
test('several members are added by a list with commas', async (t) => {
  const { project, owner } = await tree();
  const users = [await app.build.user(), await app.build.user()];
  const { status, body } = await app.as(owner).post(path('projects', project), {
    user_id: users.map((user) => user.id).join(','),
    access_level: 20,
  });
  t.is(status, 201);
  t.deepEqual(body, { status: 'success' });
  t.deepEqual(
    roles(await app.as(owner).get(path('projects', project))),
    users.map((user) => [user.id, 20]),
  );
});

// Contract: core-4.add
test('of several, those that cannot be added are told and the others added [unverified]', async (t) => {
  const { group, sub, owner } = await tree();
  const maintainer = await app.build.groupMember(group, 'maintainer');
  const [fresh, member] = [await app.build.user(), await app.build.groupMember(sub, 'guest')];
  const { status, body } = await app.as(owner).post(path('groups', sub), {
    username: [fresh, member, maintainer].map((user) => user.username).join(', ') + ',nobody-here',
    access_level: 30,
  });
  t.is(status, 201);
  t.deepEqual(body, {
    status: 'error',
    message: {
      [member.username]: 'Member already exists',
      [maintainer.username]: `Access level should be greater than or equal to Maintainer inherited membership from group ${group.name}`,
      'nobody-here': 'Not found',
    },
  });
  t.is((await app.as(owner).get(path('groups', sub, `/${fresh.id}`))).body.access_level, 30);
});

// Contract: core-4.add.errors
test('adding needs a level, and either ids or usernames', async (t) => {
  const { group, owner } = await tree();
  const user = await app.build.user();
  const post = async (body: Record<string, unknown>) => (await app.as(owner).post(path('groups', group), body)).body;
  t.deepEqual(await post({ user_id: user.id }), { error: 'access_level is missing' });
  t.deepEqual(await post({ access_level: 10 }), {
    error: 'user_id, username are missing, at least one parameter must be provided',
  });
  t.deepEqual(await post({ access_level: 10, user_id: user.id, username: 'x' }), {
    error: 'user_id, username are mutually exclusive',
  });
  t.deepEqual(await post({ access_level: 10, user_id: 'abc' }), { error: 'user_id is invalid' });
  t.deepEqual(await post({ access_level: 10, user_id: user.id, expires_at: 'soon' }), {
    error: 'expires_at is invalid',
  });
});

// Contract: core-4.add.errors
test('a level that does not exist and an expiry in the past are 400 by field', async (t) => {
  const { group, project, owner } = await tree();
  const user = await app.build.user();
  for (const access_level of [0, 25, 60, -1]) {
    const { status, body } = await app.as(owner).post(path('groups', group), { user_id: user.id, access_level });
    t.is(status, 400);
    t.deepEqual(body, { message: { access_level: ['is not included in the list'] } });
  }
  t.is((await app.as(owner).post(path('projects', project), { user_id: user.id, access_level: 5 })).status, 400);
  const past = await app
    .as(owner)
    .post(path('groups', group), { user_id: user.id, access_level: 10, expires_at: '2029-12-31' });
  t.deepEqual(past.body, { message: { expires_at: ['cannot be a date in the past'] } });
});

// Contract: core-4.add.errors
test('adding a member twice is 409, an unknown user 404', async (t) => {
  const { group, owner } = await tree();
  const member = await app.build.groupMember(group, 'guest');
  const twice = await app.as(owner).post(path('groups', group), { user_id: member.id, access_level: 30 });
  t.is(twice.status, 409);
  t.deepEqual(twice.body, { message: 'Member already exists' });
  const unknown = await app.as(owner).post(path('groups', group), { user_id: 99_999_999, access_level: 30 });
  t.is(unknown.status, 404);
  t.deepEqual(unknown.body, { message: '404 User Not Found' });
});

// Contract: core-4.who
test('Maintainers change the members of a project, Owners those of a group', async (t) => {
  const { group, project } = await tree();
  const change = async (kind: Kind, by: BuiltUser) => {
    const of = kind === 'groups' ? group : project;
    const user = await app.build.user();
    return (await app.as(by).post(path(kind, of), { user_id: user.id, access_level: 10 })).status;
  };
  t.is(await change('projects', await app.build.member(project, 'developer')), 403);
  t.is(await change('projects', await app.build.member(project, 'maintainer')), 201);
  t.is(await change('projects', await app.build.groupMember(group, 'maintainer')), 201);
  t.is(await change('groups', await app.build.groupMember(group, 'maintainer')), 403);
  t.is(await change('groups', await app.build.groupMember(group, 'owner')), 201);
  t.is(await change('groups', await app.build.admin()), 201);
  t.is(await change('groups', await app.build.user()), 404);
  t.is(await change('projects', await app.build.user()), 404);
});

// Contract: core-4.own-level
test('nobody grants a level above their own', async (t) => {
  const { project } = await tree();
  const [maintainer, user] = [await app.build.member(project, 'maintainer'), await app.build.user()];
  const grant = (access_level: number) =>
    app.as(maintainer).post(path('projects', project), { user_id: user.id, access_level });
  t.is((await grant(50)).status, 403);
  t.is((await grant(40)).status, 201);
  t.is((await app.as(maintainer).put(path('projects', project, `/${user.id}`), { access_level: 50 })).status, 403);
});

// Contract: core-4.owners
test('a Maintainer of a project neither edits nor removes its Owners', async (t) => {
  const { project } = await tree();
  const [maintainer, owner] = [await app.build.member(project, 'maintainer'), await app.build.member(project, 'owner')];
  t.is((await app.as(maintainer).put(path('projects', project, `/${owner.id}`), { access_level: 30 })).status, 403);
  t.is((await app.as(maintainer).delete(path('projects', project, `/${owner.id}`))).status, 403);
});

// Contract: core-4.inherited
test('a level is not below the one inherited from a group above', async (t) => {
  const { group, sub, project, owner } = await tree();
  const user = await app.build.groupMember(group, 'developer');
  const rejection = {
    message: {
      access_level: [`should be greater than or equal to Developer inherited membership from group ${group.name}`],
    },
  };
  for (const [kind, of] of [
    ['groups', sub],
    ['projects', project],
  ] as const) {
    const below = await app.as(owner).post(path(kind, of), { user_id: user.id, access_level: 20 });
    t.is(below.status, 400);
    t.deepEqual(below.body, rejection);
    t.is((await app.as(owner).post(path(kind, of), { user_id: user.id, access_level: 30 })).status, 201);
    t.deepEqual((await app.as(owner).put(path(kind, of, `/${user.id}`), { access_level: 10 })).body, rejection);
  }
});

// Contract: core-4.list
test('members are listed directly, or all with the highest level of each', async (t) => {
  const { group, sub, project, owner } = await tree();
  const inherited = await app.build.groupMember(group, 'reporter');
  const both = await app.build.groupMember(group, 'developer');
  await app.build.member(project, 'maintainer', both);
  await app.build.groupMember(sub, 'guest', inherited);
  t.deepEqual(roles(await app.as(owner).get(path('projects', project))), [[both.id, 40]]);
  t.deepEqual(roles(await app.as(owner).get(path('groups', sub))), [
    [owner.id, 50],
    [inherited.id, 10],
  ]);
  const all = [
    [owner.id, 50],
    [inherited.id, 20],
    [both.id, 40],
  ];
  t.deepEqual(roles(await app.as(owner).get(path('projects', project, '/all'))), all);
  t.deepEqual(roles(await app.as(owner).get(path('groups', sub, '/all'))), [
    [owner.id, 50],
    [inherited.id, 20],
    [both.id, 30],
  ]);
  t.deepEqual(roles(await app.as(owner).get(path('projects', project, '/all?state=awaiting'))), []);
  t.deepEqual(roles(await app.as(owner).get(path('projects', project, '/all?state=active'))), all);
});

// Contract: core-4.get
test('one member is read directly, or with what is inherited', async (t) => {
  const { group, project, owner } = await tree();
  const user = await app.build.groupMember(group, 'reporter');
  const direct = await app.as(owner).get(path('projects', project, `/${user.id}`));
  t.is(direct.status, 404);
  t.deepEqual(direct.body, { message: '404 Not found' });
  t.is((await app.as(owner).get(path('projects', project, `/all/${user.id}`))).body.access_level, 20);
  t.deepEqual((await app.as(owner).get(path('projects', project, '/all/99999999'))).body, { message: '404 Not found' });
  t.deepEqual((await app.as(owner).get(path('projects', project, '/all/x'))).body, { error: 'user_id is invalid' });
});

// Contract: core-4.list
test('members are found by a part of name or username, by ids, and without some', async (t) => {
  const { group, owner } = await tree();
  const [zoe, amy] = [
    await app.build.user({ name: 'Zoë 100% Quux' }),
    await app.build.user({ username: `amy_quux${Date.now()}` }),
  ];
  for (const user of [zoe, amy]) await app.build.groupMember(group, 'guest', user);
  const ids = async (query: string) => roles(await app.as(owner).get(path('groups', group, query))).map(([id]) => id);
  t.deepEqual(await ids('?query=QUUX'), [zoe.id, amy.id]);
  t.deepEqual(await ids('?query=100%25'), [zoe.id]);
  t.deepEqual(await ids('?query=%25'), [zoe.id]);
  t.deepEqual(await ids(`?user_ids[]=${amy.id}&user_ids[]=${owner.id}`), [owner.id, amy.id]);
  t.deepEqual(await ids(`?skip_users[]=${amy.id}`), [owner.id, zoe.id]);
  t.deepEqual(await ids(`/all?query=quux&skip_users=${zoe.id}`), [amy.id]);
});

// Contract: core-4.readable
test('members are read by everybody signed in who can see the project or group', async (t) => {
  const group = await app.build.group({ visibility: 'internal' });
  const project = await app.build.projectIn(group, { visibility: 'internal' });
  const [user, external] = [await app.build.user(), await app.build.user({ external: true })];
  for (const [kind, of] of [
    ['groups', group],
    ['projects', project],
  ] as const) {
    t.is((await app.as(user).get(path(kind, of))).status, 200);
    t.is((await app.as(external).get(path(kind, of))).status, 404);
    t.is((await app.anonymous.get(path(kind, of))).status, 401);
  }
});

// Contract: core-4.readable
test('a member of a project reads the groups above it but does not list their members', async (t) => {
  const { group, project } = await tree();
  const user = await app.build.member(project, 'developer');
  t.is((await app.as(user).get(`/groups/${group.id}`)).status, 200);
  for (const rest of ['', '/all', `/${user.id}`, `/all/${user.id}`])
    t.is((await app.as(user).get(path('groups', group, rest))).status, 403);
});

// Contract: core-4.update
test("a member's level and expiry are edited; leaving out the expiry keeps it, an empty one ends it", async (t) => {
  const { group, owner } = await tree();
  const user = await app.build.groupMember(group, 'guest', undefined, '2030-05-01');
  const edit = async (body: Record<string, unknown>) =>
    (await app.as(owner).put(path('groups', group, `/${user.id}`), body)).body;
  t.like(await edit({ access_level: 30 }), { id: user.id, access_level: 30, expires_at: '2030-05-01' });
  t.like(await edit({ access_level: 30, expires_at: '2030-07-01' }), { expires_at: '2030-07-01' });
  t.like(await edit({ access_level: 30, expires_at: '' }), { expires_at: null });
  t.deepEqual(await edit({ expires_at: '' }), { error: 'access_level is missing' });
  const missing = await app.as(owner).put(path('groups', group, '/99999999'), { access_level: 30 });
  t.is(missing.status, 404);
  t.deepEqual(missing.body, { message: '404 Not found' });
});

// Contract: core-4.last-owner
test('the last Owner of a group is neither removed nor demoted, and cannot leave', async (t) => {
  const group = await app.build.group();
  const { owner } = group;
  const own = path('groups', group, `/${owner.id}`);
  t.is((await app.as(owner).delete(own)).status, 403);
  t.is((await app.as(owner).put(own, { access_level: 40 })).status, 403);
  t.is((await app.as(owner).put(own, { access_level: 50, expires_at: '2030-02-01' })).status, 403);
  const admin = await app.build.admin();
  t.is((await app.as(admin).delete(own)).status, 403);
  const blocked = await app.build.groupMember(group, 'owner');
  await app.as(admin).post(`/users/${blocked.id}/block`);
  t.is((await app.as(owner).delete(own)).status, 403);
  const token = { name: 'bot', scopes: ['api'], access_level: 50, expires_at: '2030-06-01' };
  t.is((await app.as(owner).post(`/groups/${group.id}/access_tokens`, token)).status, 201);
  t.is((await app.as(owner).delete(own)).status, 403);
  await app.build.groupMember(group, 'owner');
  t.is((await app.as(owner).delete(own)).status, 204);
});

// Contract: core-4.last-owner
test('an inherited Owner makes the last direct one replaceable', async (t) => {
  const { sub, owner } = await tree();
  t.is((await app.as(owner).delete(path('groups', sub, `/${owner.id}`))).status, 204);
});

// Contract: core-4.last-owner
test('two Owners who leave at the same time do not leave a group without any', async (t) => {
  const group = await app.build.group();
  const second = await app.build.groupMember(group, 'owner');
  const answers = await Promise.all(
    [group.owner, second].map((owner) => app.as(owner).delete(path('groups', group, `/${owner.id}`))),
  );
  t.deepEqual(answers.map((answer) => answer.status).sort(), [204, 403]);
});

// Contract: core-4.last-owner
test('the person of a personal namespace stays Owner of its projects', async (t) => {
  const project = await app.build.project({ empty: true });
  const own = path('projects', project, `/${project.owner.id}`);
  t.is((await app.as(project.owner).delete(own)).status, 403);
  t.is((await app.as(project.owner).put(own, { access_level: 40 })).status, 403);
  const other = await app.build.member(project, 'owner');
  t.is((await app.as(other).delete(own)).status, 403);
});

// Contract: core-4.remove
test('everybody may leave; others are removed by those who may change members', async (t) => {
  const { project, group } = await tree();
  const [guest, other] = [await app.build.member(project, 'guest'), await app.build.member(project, 'guest')];
  t.is((await app.as(guest).delete(path('projects', project, `/${other.id}`))).status, 403);
  t.is((await app.as(guest).delete(path('projects', project, `/${guest.id}`))).status, 204);
  t.is((await app.as(guest).get(`/projects/${project.id}`)).status, 404);
  const maintainer = await app.build.groupMember(group, 'maintainer');
  t.is((await app.as(maintainer).delete(path('projects', project, `/${other.id}`))).status, 204);
  const gone = await app.as(maintainer).delete(path('projects', project, `/${other.id}`));
  t.is(gone.status, 404);
  t.deepEqual(gone.body, { message: '404 Not found' });
});

// Contract: core-4.remove
test('removal from a group ends the roles below it, unless skip_subresources', async (t) => {
  const { group, sub, project, owner } = await tree();
  const join = async () => {
    const user = await app.build.groupMember(group, 'developer');
    await app.build.groupMember(sub, 'maintainer', user);
    await app.build.member(project, 'owner', user);
    return user;
  };
  const below = async (user: BuiltUser) => [
    (await app.as(owner).get(path('groups', sub, `/${user.id}`))).status,
    (await app.as(owner).get(path('projects', project, `/${user.id}`))).status,
  ];
  const [remaining, removed] = [await join(), await join()];
  await app.as(owner).delete(path('groups', group, `/${remaining.id}?skip_subresources=true`));
  t.deepEqual(await below(remaining), [200, 200]);
  await app.as(owner).delete(path('groups', group, `/${removed.id}`));
  t.deepEqual(await below(removed), [404, 404]);
});

// Contract: core-4.expired
test('an expired membership gives nothing, is not shown, and may be given again', async (t) => {
  const { group, project, owner } = await tree();
  const user = await app.build.groupMember(group, 'developer', undefined, '2030-01-01');
  t.is((await app.as(user).get(`/projects/${project.id}`)).status, 404);
  t.deepEqual(roles(await app.as(owner).get(path('groups', group, '/all'))), [[owner.id, 50]]);
  t.is((await app.as(owner).get(path('groups', group, `/${user.id}`))).status, 404);
  const again = await app.as(owner).post(path('groups', group), { user_id: user.id, access_level: 10 });
  t.is(again.status, 201);
  t.like(again.body, { access_level: 10, expires_at: null });
  t.is((await app.as(user).get(`/projects/${project.id}`)).status, 200);
});

// Contract: core-4.lock
test('nobody is added to the projects of a group that locks its membership', async (t) => {
  const group = await app.build.group({ membership_lock: true });
  const project = await app.build.projectIn(group);
  const user = await app.build.user();
  const { status } = await app.as(group.owner).post(path('projects', project), { user_id: user.id, access_level: 10 });
  t.is(status, 403);
  t.is((await app.as(group.owner).post(path('groups', group), { user_id: user.id, access_level: 10 })).status, 201);
});

// Contract: core-4.effective
test('a role inherited from a group above holds in every project below it', async (t) => {
  const { group, project } = await tree();
  const maintainer = await app.build.groupMember(group, 'maintainer');
  const developer = await app.build.groupMember(group, 'developer');
  const schedule = { description: 'x', ref: 'main', cron: '0 1 * * *' };
  await app.context().query(sql`
    insert into repository_refs (project_id, kind, full_name, name, object_sha, target_sha, created_at, updated_at)
    values (${project.id}, 'branch', 'refs/heads/main', 'main', repeat('a', 40), repeat('a', 40), now(), now())`);
  for (const user of [maintainer, developer])
    t.is((await app.as(user).post(`/projects/${project.id}/pipeline_schedules`, schedule)).status, 201);
  const reporter = await app.build.groupMember(group, 'reporter');
  t.is((await app.as(reporter).post(`/projects/${project.id}/pipeline_schedules`, schedule)).status, 403);
});

// Contract: core-4.remove
test('a member whose membership began after If-Unmodified-Since is not removed', async (t) => {
  const { group, owner } = await tree();
  const user = await app.build.groupMember(group, 'guest');
  const own = path('groups', group, `/${user.id}`);
  const stale = app.as(owner).with({ 'If-Unmodified-Since': 'Mon, 31 Dec 2029 00:00:00 GMT' });
  t.is((await stale.delete(own)).status, 412);
  const current = app.as(owner).with({ 'If-Unmodified-Since': 'Tue, 01 Jan 2030 00:00:00 GMT' });
  t.is((await current.delete(own)).status, 204);
});
