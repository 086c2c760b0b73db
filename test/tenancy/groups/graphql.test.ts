import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);

/** Group A, private, with subgroup B, internal project settings in between; a project in each. */
async function sandbox() {
  const owner = await app.build.user();
  const tag = `w${unique()}`;
  const a = await app.build.group({ owner, name: `${tag} A`, path: `${tag}-a`, description: 'The **first**' });
  const b = await app.build.group({ owner, parent: a, name: `${tag} B`, path: `${tag}-b` });
  const inA = await app.build.projectIn({ ...a, owner }, { name: 'In A' });
  const inB = await app.build.projectIn({ ...b, owner }, { name: 'In B' });
  const ask = async (query: string, by: BuiltUser | null = owner) =>
    (await (by ? app.as(by) : app.anonymous).graphql(query)).body as {
      data: Record<string, never>;
      errors?: { message: string }[];
    };
  return { owner, tag, a, b, inA, inB, ask };
}

// Contract: graphql-5.2.group
test('GraphQL shows a group with its place, settings and rights', async (t) => {
  const { a, b, ask } = await sandbox();
  const { data } = await ask(`{ group(fullPath: "${b.full_path.toUpperCase()}") {
    id name path fullName fullPath visibility requestAccessEnabled archived markedForDeletionOn webUrl avatarUrl createdAt
    parent { fullPath description descriptionHtml }
    userPermissions { adminGroup createProjects createSubgroup readGroup removeGroup } } }`);
  t.deepEqual(data.group as unknown, {
    id: `gid://service/Group/${b.id}`,
    name: b.name,
    path: b.path,
    fullName: `${a.name} / ${b.name}`,
    fullPath: b.full_path,
    visibility: 'private',
    requestAccessEnabled: true,
    archived: false,
    markedForDeletionOn: null,
    webUrl: `http://capstan.test/groups/${b.full_path}`,
    avatarUrl: null,
    createdAt: b.created_at.toISOString(),
    parent: {
      fullPath: a.full_path,
      description: 'The **first**',
      descriptionHtml: '<p dir="auto">The <strong>first</strong></p>',
    },
    userPermissions: {
      adminGroup: true,
      createProjects: true,
      createSubgroup: true,
      readGroup: true,
      removeGroup: true,
    },
  });
});

// Contract: graphql-5.2.group
test('administrators see the custom attributes of a group, others null', async (t) => {
  const { a, ask } = await sandbox();
  const admin = await app.build.admin();
  await app.as(admin).put(`/groups/${a.id}/custom_attributes/cost`, { value: '12' });
  const query = `{ group(fullPath: "${a.full_path}") { customAttributes { key value } } }`;
  t.deepEqual((await ask(query, admin)).data.group as unknown, { customAttributes: [{ key: 'cost', value: '12' }] });
  t.deepEqual((await ask(query)).data.group as unknown, { customAttributes: null });
});

// Contract: graphql-5.1.group
test('a group that is missing or not to be seen is null, also by its id', async (t) => {
  const { a, owner, ask } = await sandbox();
  for (const [path, by] of [
    ['nothing-here', owner],
    [String(a.id), owner],
    [a.full_path, await app.build.user()],
    [a.full_path, null],
  ] as const)
    t.deepEqual(await ask(`{ group(fullPath: "${path}") { id } }`, by), { data: { group: null as never } });
});

// Contract: graphql-5.1.group
test('GraphQL finds groups by search, ids, place, ownership and order', async (t) => {
  const { tag, a, b, ask } = await sandbox();
  const member = await app.build.groupMember(b, 'guest');
  const names = async (args: string, by?: BuiltUser) => {
    const { data } = await ask(`{ groups(${args}) { count nodes { name } } }`, by);
    const { count, nodes } = data.groups as unknown as { count: number; nodes: { name: string }[] };
    t.is(count, nodes.length);
    return nodes.map(({ name }) => name.slice(tag.length + 1));
  };
  t.deepEqual(await names(`search: "${tag}"`), ['A', 'B']);
  t.deepEqual(await names(`search: "${tag}", sort: "name_desc"`), ['B', 'A']);
  t.deepEqual(await names(`search: "${tag}", topLevelOnly: true`), ['A']);
  t.deepEqual(await names(`ids: ["gid://service/Group/${b.id}"]`), ['B']);
  t.deepEqual(await names(`search: "${tag}", ownedOnly: true`, member), []);
  t.deepEqual(await names(`search: "${tag}"`, member), ['A', 'B']);
  t.deepEqual(await names(`search: "${tag}"`, await app.build.user()), []);
  const { errors } = await ask('{ groups(sort: "odd") { nodes { name } } }');
  t.truthy(errors);
  const wrong = await ask(`{ groups(ids: ["gid://service/Project/${a.id}"]) { nodes { name } } }`);
  t.is(wrong.errors?.[0]?.message, `gid://service/Project/${a.id} is not a valid ID for Group.`);
});

// Contract: graphql-5.2.group
test('the groups below a group are a connection with cursors', async (t) => {
  const { a, b, tag, owner, ask } = await sandbox();
  const c = await app.build.group({ owner, parent: b, name: `${tag} C` });
  const read = async (args: string) => {
    const { data } = await ask(`{ group(fullPath: "${a.full_path}") { descendantGroups(${args}) {
      pageInfo { hasNextPage endCursor } nodes { id } } } }`);
    return (data.group as unknown as { descendantGroups: { pageInfo: { endCursor: string }; nodes: { id: string }[] } })
      .descendantGroups;
  };
  const ids = (page: { nodes: { id: string }[] }) => page.nodes.map(({ id }) => id);
  const gids = [b, c].map(({ id }) => `gid://service/Group/${id}`);
  t.deepEqual(ids(await read('search: ""')), gids);
  t.deepEqual(ids(await read('includeParentDescendants: false')), [gids[0] as string]);
  const first = await read('first: 1');
  t.deepEqual(ids(first), [gids[0] as string]);
  t.deepEqual(ids(await read(`first: 1, after: "${first.pageInfo.endCursor}"`)), [gids[1] as string]);
});

// Contract: graphql-5.2.group
test('projects of a group are those right in it, or with subgroups all below', async (t) => {
  const { a, inA, inB, ask } = await sandbox();
  const read = async (args: string) => {
    const { data } = await ask(`{ group(fullPath: "${a.full_path}") { projects(${args}) { nodes { id } } } }`);
    return (data.group as unknown as { projects: { nodes: { id: string }[] } }).projects.nodes.map(({ id }) => id);
  };
  const [one, two] = [inA, inB].map(({ id }) => `gid://service/Project/${id}`) as [string, string];
  t.deepEqual(await read('sort: "id_asc"'), [one]);
  t.deepEqual(await read('includeSubgroups: true, sort: "id_asc"'), [one, two]);
  t.deepEqual(await read('includeSubgroups: true, search: "In B"'), [two]);
  t.deepEqual(await read(`includeSubgroups: true, ids: ["${two}"]`), [two]);
});

// Contract: graphql-5.2.members
test('members of a group are shown with their role, direct ones alone or with inherited and shared ones', async (t) => {
  const { a, b, owner, ask } = await sandbox();
  const member = await app.build.groupMember(b, 'developer');
  const other = await app.build.group({ owner });
  const shared = await app.build.groupMember(other, 'reporter');
  await app.as(owner).post(`/groups/${a.id}/share`, { group_id: other.id, group_access: 10 });
  const read = async (args: string, by = owner) => {
    const { data } = await ask(
      `{ group(fullPath: "${b.full_path}") { groupMembers(${args}) { nodes {
        user { username } accessLevel { integerValue stringValue humanAccess } expiresAt } } } }`,
      by,
    );
    const { groupMembers } = data.group as unknown as {
      groupMembers: { nodes: { user: { username: string } }[] } | null;
    };
    return groupMembers?.nodes ?? null;
  };
  const usernames = async (args: string) => (await read(args))?.map(({ user }) => user.username);
  t.deepEqual(await usernames('search: ""'), [owner.username, member.username, shared.username]);
  t.deepEqual(await usernames('relations: []'), await usernames('search: ""'));
  t.deepEqual(await usernames('relations: [DIRECT]'), [owner.username, member.username]);
  t.deepEqual(await usernames('relations: [INHERITED]'), [owner.username]);
  t.deepEqual(await usernames('relations: [DIRECT, INHERITED]'), [owner.username, member.username]);
  t.deepEqual(await usernames('relations: [SHARED_FROM_GROUPS]'), [owner.username, shared.username]);
  t.deepEqual(await usernames(`relations: [INHERITED], search: "${member.username}"`), []);
  t.deepEqual(await read(`search: "${member.username}"`), [
    {
      user: { username: member.username },
      accessLevel: { integerValue: 30, stringValue: 'DEVELOPER', humanAccess: 'Developer' },
      expiresAt: null,
    } as never,
  ]);
});

// Contract: graphql-5.2.members
test('members of groups below are told to who asks for them, as far as the caller may know them', async (t) => {
  const { a, b, owner, ask } = await sandbox();
  const below = await app.build.groupMember(b, 'developer');
  const here = await app.build.groupMember(a, 'guest');
  const read = async (args: string, by = owner) => {
    const { data } = await ask(
      `{ group(fullPath: "${a.full_path}") { groupMembers(${args}) { nodes {
        user { username } accessLevel { stringValue } } } } }`,
      by,
    );
    const { groupMembers } = data.group as unknown as {
      groupMembers: { nodes: { user: { username: string }; accessLevel: { stringValue: string } }[] };
    };
    return groupMembers.nodes.map((node) => `${node.user.username} ${node.accessLevel.stringValue}`);
  };
  const [first, second, third] = [`${owner.username} OWNER`, `${below.username} DEVELOPER`, `${here.username} GUEST`];
  t.deepEqual(await read('relations: [DESCENDANTS]'), [first, second]);
  t.deepEqual(await read('relations: [DIRECT, DESCENDANTS]'), [first, second, third]);
  t.deepEqual(await read('relations: [DIRECT, INHERITED, DESCENDANTS, SHARED_FROM_GROUPS]'), [first, second, third]);
  t.deepEqual(await read('search: ""'), [first, third], 'not unless they are asked for');
  t.deepEqual(await read('accessLevels: [GUEST, DEVELOPER], relations: [DIRECT, DESCENDANTS]'), [second, third]);
  t.deepEqual(await read('accessLevels: [GUEST]'), [third]);
  t.deepEqual(await read('accessLevels: []'), []);
  // A private group below a public one: a user who is not a member sees none of its members.
  await app.as(owner).put(`/groups/${a.id}`, { visibility: 'public' });
  const visitor = await app.build.user();
  t.deepEqual(await read('relations: [DESCENDANTS]', visitor), []);
  t.deepEqual(await read('relations: [DIRECT]', visitor), [first, third]);
});

// Contract: graphql-5.2.members
test('a catalogue asks for the members of a group and of all below it, and for the groups below', async (t) => {
  const { a, b, owner } = await sandbox();
  const below = await app.build.groupMember(b, 'developer');
  const members = await app.as(owner).graphql(
    `query members($group: ID!, $relations: [GroupMemberRelation!], $endCursor: String) {
      group(fullPath: $group) { groupMembers(first: 100, relations: $relations, after: $endCursor) {
        nodes { user { id username publicEmail name state webUrl avatarUrl } }
        pageInfo { endCursor hasNextPage } } } }`,
    { group: a.full_path, relations: ['DIRECT', 'DESCENDANTS'], endCursor: null },
  );
  t.is(members.body.errors, undefined);
  t.deepEqual(
    members.body.data.group.groupMembers.nodes.map((node: { user: { username: string } }) => node.user.username),
    [owner.username, below.username],
  );
  const groups = await app.as(owner).graphql(
    `query below($group: ID!, $endCursor: String) {
      group(fullPath: $group) { descendantGroups(first: 100, after: $endCursor) {
        nodes { id name description fullPath visibility parent { id } } pageInfo { endCursor hasNextPage } } } }`,
    { group: a.full_path, endCursor: null },
  );
  t.is(groups.body.errors, undefined);
  t.is(groups.body.data.group.descendantGroups.nodes[0].parent.id, `gid://service/Group/${a.id}`);
});

// Contract: graphql-5.2.members
test('at most a hundred ids name groups, and projects', async (t) => {
  const { ask } = await sandbox();
  for (const [field, type] of [
    ['groups', 'Group'],
    ['projects', 'Project'],
  ] as const) {
    const ids = Array.from({ length: 101 }, (_, id) => `"gid://service/${type}/${id + 90_000_000}"`);
    const read = (some: string[]) => ask(`{ ${field}(ids: [${some.join(', ')}]) { count } }`);
    t.deepEqual((await read(ids.slice(1))).data[field] as unknown, { count: 0 });
    const rejection = (await read(ids)) as unknown as { data: Record<string, unknown>; errors: { message: string }[] };
    t.is(rejection.data[field], null);
    t.is(rejection.errors[0]?.message, 'You cannot provide more than 100 ids');
  }
});

// Contract: graphql-5.3.group
test('a project names its group and its namespace; of somebody it has no group', async (t) => {
  const { a, inA, owner, ask } = await sandbox();
  const own = await app.build.project({ owner, empty: true });
  const { data } = await ask(`{
    grouped: project(fullPath: "${inA.full_path}") { group { id } namespace { id fullPath fullName } }
    own: project(fullPath: "${own.full_path}") { group { id } namespace { id fullPath requestAccessEnabled } } }`);
  t.deepEqual(data as unknown, {
    grouped: {
      group: { id: `gid://service/Group/${a.id}` },
      namespace: { id: `gid://service/Group/${a.id}`, fullPath: a.full_path, fullName: a.name },
    },
    own: {
      group: null,
      namespace: {
        id: `gid://service/Namespaces::UserNamespace/${owner.namespace_id}`,
        fullPath: owner.username,
        requestAccessEnabled: null,
      },
    },
  });
});

// Contract: graphql-5.1.group
test("a namespace is found by its path: a group, or one's own", async (t) => {
  const { b, owner, ask } = await sandbox();
  const read = (path: string, by?: BuiltUser | null) => ask(`{ namespace(fullPath: "${path}") { fullPath } }`, by);
  t.deepEqual((await read(b.full_path)).data, { namespace: { fullPath: b.full_path } as never });
  t.deepEqual((await read(owner.username)).data, { namespace: { fullPath: owner.username } as never });
  t.deepEqual((await read(owner.username, await app.build.user())).data, { namespace: null as never });
});

// Contract: graphql-9.groups
test.serial('a page of groups with their parents and rights takes a fixed number of statements', async (t) => {
  const { tag, a, owner, ask } = await sandbox();
  const query = `{ groups(search: "${tag}") { nodes { parent { name } userPermissions { adminGroup } } } }`;
  const count = async () => {
    // The first request with a token writes down its use; then the caller is read each time.
    await ask(query);
    return app.statementsOf(() => ask(query));
  };
  const few = await count();
  for (let index = 0; index < 4; index += 1) await app.build.group({ owner, parent: a, name: `${tag} M${index}` });
  t.is(await count(), few);
});
