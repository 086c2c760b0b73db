import test from 'ava';
import { sql } from 'kysely';
import type { Role } from '../../../shared/core/operations/policy.js';
import { settingEntries } from '../../../shared/tenancy/namespaces/declared-settings.js';
import { declaredGroupSettings } from '../../../shared/tenancy/groups/declared-group-settings.js';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';
import { queryOne } from '../../core/query-one.js';

const app = useApp(test);

const fresh = () => {
  const number = unique();
  return { name: `Fresh ${number}`, path: `fresh${number}` };
};
const failed = (fields: string) => ({ message: `Failed to save group {${fields}}` });

const FIELDS = [
  'id',
  'web_url',
  'name',
  'path',
  'description',
  'visibility',
  'share_with_group_lock',
  'require_two_factor_authentication',
  'two_factor_grace_period',
  'project_creation_level',
  'auto_devops_enabled',
  'subgroup_creation_level',
  'emails_disabled',
  'emails_enabled',
  'mentions_disabled',
  'lfs_enabled',
  'archived',
  'default_branch',
  'default_branch_protection',
  'default_branch_protection_defaults',
  'avatar_url',
  'request_access_enabled',
  'full_name',
  'full_path',
  'created_at',
  'parent_id',
  'organization_id',
  'shared_runners_setting',
  'max_artifacts_size',
  'marked_for_deletion_on',
];
/** With settings that came later. */
const RECORD = [
  ...new Set([
    ...FIELDS,
    ...settingEntries(declaredGroupSettings)
      .filter(([, { options }]) => options.visibleTo === undefined)
      .map(([name]) => name),
  ]),
];

// Contract: core-3.create
test('anybody signed in creates a top-level group and becomes its Owner', async (t) => {
  const user = await app.build.user();
  const attributes = fresh();
  const { status, body } = await app.as(user).post('/groups', { ...attributes, description: 'Ours' });
  t.is(status, 201);
  t.like(body, {
    ...attributes,
    description: 'Ours',
    full_path: attributes.path,
    full_name: attributes.name,
    parent_id: null,
    visibility: 'private',
  });
  t.is(body.web_url, `http://capstan.test/groups/${attributes.path}`);
  const members = await app.as(user).get(`/groups/${body.id}/members`);
  t.deepEqual(
    members.body.map((member: Record<string, unknown>) => [member.id, member.access_level]),
    [[user.id, 50]],
  );
});

// Contract: core-3.create.settings
test('every setting of a group is stored and shown', async (t) => {
  const user = await app.build.user();
  const settings = {
    visibility: 'internal',
    share_with_group_lock: true,
    require_two_factor_authentication: true,
    two_factor_grace_period: 24,
    project_creation_level: 'maintainer',
    subgroup_creation_level: 'owner',
    auto_devops_enabled: true,
    emails_enabled: false,
    mentions_disabled: true,
    lfs_enabled: false,
    request_access_enabled: false,
    default_branch: 'trunk',
    shared_runners_setting: 'disabled_and_overridable',
  };
  const response = await app.as(user).post('/groups', { ...fresh(), ...settings, membership_lock: true });
  t.like(response.body, { ...settings, emails_disabled: true, membership_lock: true });
  const edited = await app
    .as(user)
    .put(`/groups/${response.body.id}`, { lfs_enabled: true, prevent_sharing_groups_outside_hierarchy: true });
  t.is(edited.status, 200);
  t.like(edited.body, { ...settings, lfs_enabled: true, prevent_sharing_groups_outside_hierarchy: true });
});

// Contract: core-3.create
test('name and path of a group are required', async (t) => {
  const user = await app.build.user();
  const { status, body } = await app.as(user).post('/groups', {});
  t.is(status, 400);
  t.deepEqual(body, { error: 'name is missing, path is missing' });
  t.is((await app.anonymous.post('/groups', fresh())).status, 401);
});

// Contract: core-1.username, core-3.create.taken
test('a path taken by a group or a user, whatever its case, is refused in the words of the public API', async (t) => {
  const group = await app.build.group();
  for (const path of [group.path.toUpperCase(), group.owner.username]) {
    const { status, body } = await app.as(group.owner).post('/groups', { name: 'Twin', path });
    t.is(status, 400);
    t.deepEqual(body, failed(':path=>["has already been taken"]'));
  }
});

// Contract: core-3.create.taken
test('the same path is free in another group', async (t) => {
  const [one, two] = [await app.build.group(), await app.build.group()];
  const path = `same${unique()}`;
  t.is((await app.as(one.owner).post('/groups', { name: 'Same', path, parent_id: one.id })).status, 201);
  t.is((await app.as(two.owner).post('/groups', { name: 'Same', path, parent_id: two.id })).status, 201);
  const twin = await app.as(two.owner).post('/groups', { name: 'Same', path: path.toUpperCase(), parent_id: two.id });
  t.deepEqual(twin.body, failed(':path=>["has already been taken"]'));
});

// Contract: core-3.create.taken
test('of several requests for one path at the same time one is 201 and the others 400', async (t) => {
  const user = await app.build.user();
  const attributes = fresh();
  const answers = await Promise.all([1, 2, 3, 4].map(() => app.as(user).post('/groups', attributes)));
  t.deepEqual(answers.map((answer) => answer.status).sort(), [201, 400, 400, 400]);
});

// Contract: core-3.path
test('bad names and paths of a group are refused', async (t) => {
  const user = await app.build.user();
  for (const path of [
    '-dash',
    'dot.',
    'repo.git',
    'feed.atom',
    'a b',
    'a/b',
    'é',
    '',
    'api',
    'Groups',
    '404.html',
    'sitemap.xml.gz',
    'x'.repeat(256),
  ]) {
    const { status, body } = await app.as(user).post('/groups', { ...fresh(), path });
    t.is(status, 400, path);
    t.regex(body.message, /^Failed to save group \{:path=>\["/, path);
  }
  for (const name of ['', ' ', '<b>', '-x', 'x'.repeat(256), 'a\nb']) {
    const { status, body } = await app.as(user).post('/groups', { ...fresh(), name });
    t.is(status, 400, name);
    t.regex(body.message, /^Failed to save group \{:name=>\["/, name);
  }
  t.is((await app.as(user).post('/groups', { ...fresh(), name: 'Ünïcode (1) 🚀 a_b.c-d' })).status, 201);
});

// Contract: core-3.path
test("a name is one subgroup's within a group, and many may have it at the top and elsewhere", async (t) => {
  const parent = await app.build.group();
  const client = app.as(parent.owner);
  const make = (name: string, parent_id: number | null = parent.id) =>
    client.post('/groups', { name, path: `named${unique()}`, parent_id });
  const one = await make('Rockets');
  t.is(one.status, 201);
  const rejection = await make('Rockets');
  t.deepEqual(
    [rejection.status, rejection.body.message],
    [400, 'Failed to save group {:name=>["has already been taken"]}'],
  );
  const other = await make('Engines');
  const renamed = await client.put(`/groups/${other.body.id}`, { name: 'Rockets' });
  t.deepEqual([renamed.status, renamed.body], [400, { message: { name: ['has already been taken'] } }]);
  t.is((await client.put(`/groups/${one.body.id}`, { name: 'Rockets' })).status, 200);
  const top = await make('Rockets', null);
  t.is(top.status, 201);
  t.is((await make('Rockets', null)).status, 201);
  t.is((await make('Rockets', one.body.id)).status, 201);
  const moved = await client.post(`/groups/${top.body.id}/transfer`, { group_id: parent.id });
  t.deepEqual(
    [moved.status, moved.body],
    [400, { message: 'Transfer failed: Validation failed: Name has already been taken' }],
  );
  const answers = await Promise.all([make('Stages'), make('Stages'), make('Stages')]);
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400]);
  t.true(answers.every(({ status, body }) => status === 201 || body.message === rejection.body.message));
});

// Contract: core-3.path
test('a subgroup carries the full path and name, and words reserved at the top are free in it', async (t) => {
  const group = await app.build.group();
  const { status, body } = await app.as(group.owner).post('/groups', { name: 'Api', path: 'api', parent_id: group.id });
  t.is(status, 201);
  t.like(body, { full_path: `${group.path}/api`, full_name: `${group.name} / Api`, parent_id: group.id });
  t.false('prevent_sharing_groups_outside_hierarchy' in body);
  const found = await app.as(group.owner).get(`/groups/${encodeURIComponent(`${group.path}/api`)}`);
  t.is(found.body.id, body.id);
});

// Contract: core-3.depth
test('a group lies at most below twenty others [unverified]', async (t) => {
  const owner = await app.build.user();
  let parent = await app.build.group({ owner });
  for (let depth = 1; depth <= 20; depth += 1) parent = await app.build.group({ owner, parent });
  const { status, body } = await app.as(owner).post('/groups', { ...fresh(), parent_id: parent.id });
  t.is(status, 400);
  t.deepEqual(body, failed(':parent=>["has too deep level of nesting"]'));
});

// Contract: core-3.visibility
test('a subgroup is not more visible than its parent', async (t) => {
  const group = await app.build.group({ visibility: 'private' });
  const { status, body } = await app
    .as(group.owner)
    .post('/groups', { ...fresh(), parent_id: group.id, visibility: 'internal' });
  t.is(status, 400);
  t.deepEqual(
    body,
    failed(':visibility_level=>["internal is not allowed since the parent group has a private visibility."]'),
  );
});

// Contract: core-3.visibility
test('a group is not made less visible than what lies in it, nor more than its parent', async (t) => {
  const group = await app.build.group({ visibility: 'public' });
  await app.build.projectIn(group, { visibility: 'internal' });
  const sub = await app.build.group({ parent: group, owner: group.owner, visibility: 'internal' });
  const lowered = await app.as(group.owner).put(`/groups/${group.id}`, { visibility: 'private' });
  t.is(lowered.status, 400);
  t.deepEqual(lowered.body, {
    message: {
      visibility_level: [
        'private is not allowed since this group contains projects with higher visibility.',
        'private is not allowed since there are sub-groups with higher visibility.',
      ],
    },
  });
  t.is((await app.as(group.owner).put(`/groups/${group.id}`, { visibility: 'internal' })).body.visibility, 'internal');
  t.is((await app.as(group.owner).put(`/groups/${sub.id}`, { visibility: 'public' })).status, 400);
});

// Contract: core-3.create
test('subgroups are made by Maintainers and Owners, and by Owners only where the group says so', async (t) => {
  const group = await app.build.group({ visibility: 'internal' });
  const create = async (role: Role | null) => {
    const user = role === null ? await app.build.user() : await app.build.groupMember(group, role);
    return (await app.as(user).post('/groups', { ...fresh(), parent_id: group.id })).status;
  };
  t.is(await create(null), 403);
  t.is(await create('developer'), 403);
  t.is(await create('maintainer'), 201);
  t.is(await create('owner'), 201);
  await app.as(group.owner).put(`/groups/${group.id}`, { subgroup_creation_level: 'owner' });
  t.is(await create('maintainer'), 403);
  t.is(await create('owner'), 201);
});

// Contract: core-3.create
test('a subgroup of an invisible or missing group is 404', async (t) => {
  const group = await app.build.group();
  const stranger = await app.build.user();
  for (const parent_id of [group.id, 99_999_999]) {
    const { status, body } = await app.as(stranger).post('/groups', { ...fresh(), parent_id });
    t.is(status, 404);
    t.deepEqual(body, { message: '404 Group Not Found' });
  }
});

// Contract: core-1.external
test('external users, and users without the right, create no top-level groups', async (t) => {
  const admin = await app.build.admin();
  const external = await app.build.user({ external: true });
  t.is((await app.as(external).post('/groups', fresh())).status, 403);
  const user = await app.build.user();
  await app.as(admin).put(`/users/${user.id}`, { can_create_group: false });
  t.deepEqual((await app.as(user).post('/groups', fresh())).body, { message: '403 Forbidden' });
});

// Contract: core-3.record
test('the record of a group has the fields of the contract, one group those of the detail too', async (t) => {
  const group = await app.build.group({ visibility: 'public' });
  const stranger = await app.build.user();
  const listed = await app.as(stranger).get(`/groups?search=${group.path}`);
  t.deepEqual(Object.keys(listed.body[0]).sort(), RECORD.toSorted());
  const detail = [
    ...RECORD,
    'shared_with_groups',
    'prevent_sharing_groups_outside_hierarchy',
    'projects',
    'shared_projects',
  ];
  t.deepEqual(Object.keys((await app.as(stranger).get(`/groups/${group.id}`)).body).sort(), detail.toSorted());
  const own = (await app.as(group.owner).get(`/groups/${group.id}`)).body;
  t.deepEqual(Object.keys(own).sort(), [...detail, 'runners_token', 'membership_lock'].sort());
});

// Contract: core-3.record
test('only Owners see the runners token, which is stored encrypted', async (t) => {
  const group = await app.build.group({ visibility: 'internal' });
  const maintainer = await app.build.groupMember(group, 'maintainer');
  t.false('runners_token' in (await app.as(maintainer).get(`/groups/${group.id}`)).body);
  const { runners_token } = (await app.as(group.owner).get(`/groups/${group.id}`)).body;
  t.regex(runners_token, /^grt-[\w-]{26}$/);
  const row = await queryOne<{ stored: string }>(
    app.context(),
    sql`select encode(runners_token, 'escape') as stored from group_settings where namespace_id = ${group.id}`,
  );
  t.false(row?.stored.includes(runners_token));
});

// Contract: core-3.get
test('one group lists the projects in it that the caller may see, unless told not to', async (t) => {
  const group = await app.build.group({ visibility: 'public' });
  const hidden = await app.build.projectIn(group);
  const open = await app.build.projectIn(group, { visibility: 'public' });
  const ids = (body: { projects: { id: number }[] }) => body.projects.map((project) => project.id);
  t.deepEqual(ids((await app.anonymous.get(`/groups/${group.id}`)).body), [open.id]);
  t.deepEqual(ids((await app.as(group.owner).get(`/groups/${group.id}`)).body), [open.id, hidden.id]);
  const without = (await app.as(group.owner).get(`/groups/${group.id}?with_projects=false`)).body;
  t.false('projects' in without);
});

// Contract: core-3.get
test('a private group is 404 for strangers and anonymous callers, whether it exists or not', async (t) => {
  const group = await app.build.group();
  const stranger = await app.build.user();
  for (const client of [app.as(stranger), app.anonymous]) {
    for (const id of [group.id, group.path, 99_999_999, '9'.repeat(30), stranger.username]) {
      const { status, body } = await client.get(`/groups/${id}`);
      t.is(status, 404);
      t.deepEqual(body, { message: '404 Group Not Found' });
    }
  }
});

// Contract: core-3.get
test('an internal group is read by everybody signed in, but not by external users', async (t) => {
  const group = await app.build.group({ visibility: 'internal' });
  const [user, external] = [await app.build.user(), await app.build.user({ external: true })];
  t.is((await app.as(user).get(`/groups/${group.id}`)).status, 200);
  t.is((await app.as(external).get(`/groups/${group.id}`)).status, 404);
  t.is((await app.anonymous.get(`/groups/${group.id}`)).status, 404);
});

// Contract: core-3.get
test('members read a private group, those above it through inheritance, those below it as its path', async (t) => {
  const top = await app.build.group();
  const sub = await app.build.group({ parent: top, owner: top.owner });
  const project = await app.build.projectIn({ ...sub, owner: top.owner });
  const guest = await app.build.groupMember(top, 'guest');
  t.is((await app.as(guest).get(`/groups/${sub.id}`)).status, 200);
  const below = await app.build.member(project, 'guest');
  t.is((await app.as(below).get(`/groups/${sub.id}`)).status, 200);
  t.is((await app.as(below).get(`/groups/${top.id}`)).status, 200);
  const sibling = await app.build.group({ parent: top, owner: top.owner });
  t.is((await app.as(below).get(`/groups/${sibling.id}`)).status, 404);
});

// Contract: core-3.update
test('only Owners edit a group; others are 403, strangers 404', async (t) => {
  const group = await app.build.group();
  for (const role of ['guest', 'developer', 'maintainer'] as const) {
    const member = await app.build.groupMember(group, role);
    t.is((await app.as(member).put(`/groups/${group.id}`, { name: 'No' })).status, 403, role);
  }
  t.is((await app.as(await app.build.user()).put(`/groups/${group.id}`, { name: 'No' })).status, 404);
  t.is((await app.anonymous.put(`/groups/${group.id}`, { name: 'No' })).status, 401);
  const admin = await app.build.admin();
  t.is((await app.as(admin).put(`/groups/${group.id}`, { description: 'Seen' })).body.description, 'Seen');
});

// Contract: core-3.update
test('another path or name of a group moves everything below it', async (t) => {
  const top = await app.build.group({ name: 'Täg 🚀' });
  const sub = await app.build.group({ parent: top, owner: top.owner, name: 'Inner' });
  const project = await app.build.projectIn({ ...sub, owner: top.owner }, { name: 'Leaf' });
  const path = `moved${unique()}`;
  const { status, body } = await app.as(top.owner).put(`/groups/${top.id}`, { path, name: 'Moved' });
  t.is(status, 200);
  t.is(body.full_path, path);
  const inner = await app.as(top.owner).get(`/groups/${sub.id}`);
  t.like(inner.body, { full_path: `${path}/${sub.path}`, full_name: 'Moved / Inner' });
  const leaf = await app.as(top.owner).get(`/projects/${encodeURIComponent(`${path}/${sub.path}/${project.path}`)}`);
  t.like(leaf.body, { id: project.id, name_with_namespace: 'Moved / Inner / Leaf' });
  await app.as(top.owner).put(`/groups/${sub.id}`, { path: 'deeper' });
  t.is(
    (await app.as(top.owner).get(`/projects/${project.id}`)).body.path_with_namespace,
    `${path}/deeper/${project.path}`,
  );
});

// Contract: core-3.update
test('editing tells problems of values by field', async (t) => {
  const [group, other] = [await app.build.group(), await app.build.group()];
  const { status, body } = await app
    .as(group.owner)
    .put(`/groups/${group.id}`, { path: other.path, name: ' ', default_branch: 'a..b' });
  t.is(status, 400);
  t.deepEqual(body, {
    message: { name: ["can't be blank"], default_branch: ['is invalid'], path: ['has already been taken'] },
  });
  const level = await app.as(group.owner).put(`/groups/${group.id}`, { project_creation_level: 'anybody' });
  t.deepEqual(level.body, { error: 'project_creation_level does not have a valid value' });
});
