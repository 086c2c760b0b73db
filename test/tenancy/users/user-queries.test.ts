import test from 'ava';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';
import type { Client } from '../../core/client.js';

const app = useApp(test);

const NOT_AVAILABLE =
  "The resource that you are attempting to access does not exist or you don't have permission to perform this action";

const gid = (user: { id: number }) => `gid://service/User/${user.id}`;
const word = () => `q${unique()}x${Math.random().toString(36).slice(2, 8)}`;

async function names(client: Client, args: string): Promise<string[]> {
  const { body } = await client.graphql(`{ users(${args}) { nodes { username } } }`);
  return body.data.users.nodes.map((node: { username: string }) => node.username);
}

// Contract: graphql-5.1.user
test('a user is found by global id or by username, also without signing in, and is null when there is none', async (t) => {
  const user = await app.build.user({ username: word(), name: 'Ann' });
  for (const client of [app.as(user), app.anonymous])
    for (const argument of [`id: "${gid(user)}"`, `username: "${user.username.toUpperCase()}"`]) {
      const { body } = await client.graphql(`{ user(${argument}) { __typename id username name } }`);
      t.deepEqual(body.data.user, { __typename: 'UserCore', id: gid(user), username: user.username, name: 'Ann' });
    }
  const { body } = await app.as(user).graphql('{ user(username: "nobody-has-this") { id } }');
  t.deepEqual(body, { data: { user: null } });
});

// Contract: graphql-5.1.user
test('a username of digits is no id', async (t) => {
  const user = await app.build.user();
  const digits = await app.build.user({ username: `${user.id}0000` });
  const find = (username: string) => app.as(user).graphql(`{ user(username: "${username}") { id } }`);
  t.is((await find(String(user.id))).body.data.user, null);
  t.is((await find(digits.username)).body.data.user.id, gid(digits));
});

// Contract: graphql-5.1.user
test('user wants one of id and username', async (t) => {
  const user = await app.build.user();
  for (const query of ['{ user { id } }', `{ user(id: "${gid(user)}", username: "x") { id } }`])
    t.is(
      (await app.as(user).graphql(query)).body.errors[0].message,
      'One and only one of [id, username] arguments is required.',
    );
  t.regex(
    (await app.as(user).graphql('{ user(id: "gid://service/Project/1") { id } }')).body.errors[0].message,
    /does not represent an instance of User/,
  );
});

// Contract: graphql-5.1.users
test('users are listed by ids, usernames, a search, their state and a group', async (t) => {
  const tag = word();
  const admin = await app.build.admin();
  const [one, two, bot] = [
    await app.build.user({ username: `${tag}-1` }),
    await app.build.user({ username: `${tag}-2` }),
    await app.build.user({ username: `${tag}-3`, bot: true }),
  ];
  await app.as(admin).post(`/users/${two.id}/block`);
  const caller = app.as(one);
  t.deepEqual(
    await names(caller, `search: "${tag}"`),
    [bot, two, one].map(({ username }) => username),
  );
  t.deepEqual(
    await names(caller, `search: "${tag}", sort: CREATED_ASC`),
    [one, two, bot].map((u) => u.username),
  );
  t.deepEqual(await names(caller, `ids: ["${gid(two)}"]`), [two.username]);
  t.deepEqual(await names(caller, `usernames: ["${one.username.toUpperCase()}"]`), [one.username]);
  t.deepEqual(await names(caller, `search: "${tag}", active: true`), [bot.username, one.username]);
  t.deepEqual(await names(caller, `search: "${tag}", humans: true`), [two.username, one.username]);
  t.is((await names(caller, `search: "${tag}", admins: true`)).length, 3, 'ignored for others');
  t.deepEqual(await names(app.as(admin), `search: "${tag}", admins: true`), []);
  const parent = await app.build.group({ visibility: 'private' });
  const group = await app.build.group({ parent, visibility: 'private' });
  await app.build.groupMember(parent, 'guest', one);
  const inGroup = `groupId: "gid://service/Group/${group.id}"`;
  t.deepEqual((await names(caller, inGroup)).sort(), [one.username, parent.owner.username].sort());
  const hidden = await app.as(two.id === 0 ? two : bot).graphql(`{ users(${inGroup}) { nodes { id } } }`);
  t.is(hidden.body.data.users, null);
});

// Contract: graphql-5.1.users
test('users are counted and paged by cursor', async (t) => {
  const tag = word();
  for (let index = 0; index < 5; index += 1) await app.build.user({ username: `${tag}-${index}` });
  const caller = app.as(await app.build.user());
  const page = async (after: string | null) =>
    (
      await caller.graphql(
        'query($after: String, $search: String) { users(search: $search, first: 2, after: $after) { count nodes { username } pageInfo { endCursor hasNextPage } } }',
        { after, search: tag },
      )
    ).body.data.users;
  const found: string[] = [];
  let after: string | null = null;
  for (let more = true; more;) {
    const { count, nodes, pageInfo } = await page(after);
    t.is(count, 5);
    found.push(...nodes.map((node: { username: string }) => node.username));
    after = pageInfo.endCursor;
    more = pageInfo.hasNextPage;
  }
  t.deepEqual(
    found,
    [4, 3, 2, 1, 0].map((number) => `${tag}-${number}`),
  );
});

// Contract: graphql-5.1.users
test('without signing in users are listed by username alone; ids and usernames exclude each other', async (t) => {
  const user = await app.build.user();
  t.deepEqual(await names(app.anonymous, `usernames: ["${user.username}"]`), [user.username]);
  for (const args of ['', '(search: "user")', `(ids: ["${gid(user)}"])`]) {
    const { body } = await app.anonymous.graphql(`{ users${args} { nodes { id } } }`);
    t.is(body.data.users, null, args);
  }
  const both = await app.as(user).graphql(`{ users(ids: ["${gid(user)}"], usernames: ["x"]) { nodes { id } } }`);
  t.is(both.body.errors[0].message, 'Provide either a list of usernames or ids');
  const bad = await app.as(user).graphql('{ users(ids: ["gid://service/Project/1"]) { nodes { id } } }');
  t.is(bad.body.errors[0].message, 'gid://service/Project/1 is not a valid ID for User.');
});

// Contract: graphql-5.2.user-fields
test('a user has a status, and tells day of activity and number of groups to themselves and administrators', async (t) => {
  const [user, other, admin] = await Promise.all([app.build.user(), app.build.user(), app.build.admin()]);
  await app.as(user).put('/user/status', { emoji: 'coffee', message: 'Here', availability: 'busy' });
  await app.build.groupMember(await app.build.group(), 'guest', user);
  const ask = async (client: Client) =>
    (
      await client.graphql(
        `{ user(id: "${gid(user)}") { status { emoji message availability } groupCount lastActivityOn } }`,
      )
    ).body.data.user;
  const status = { emoji: 'coffee', message: 'Here', availability: 'BUSY' };
  t.like(await ask(app.as(user)), { status, groupCount: 1 });
  t.like(await ask(app.as(admin)), { status, groupCount: 1 });
  t.deepEqual(await ask(app.as(other)), { status, groupCount: null, lastActivityOn: null });
  await app
    .context()
    .query((await import('../../../shared/tenancy/users/note-activity.js')).noteActivity(user.id, app.clock.now()));
  t.is((await ask(app.as(admin))).lastActivityOn, app.clock.now().toISOString().slice(0, 10));
});

// Contract: graphql-5.2.user-fields
test('what a private profile keeps is null to others', async (t) => {
  const [user, other, admin] = await Promise.all([app.build.user(), app.build.user(), app.build.admin()]);
  await app.as(admin).put(`/users/${user.id}`, { private_profile: true, bio: 'Secret', location: 'There' });
  const ask = async (client: Client) =>
    (await client.graphql(`{ user(id: "${gid(user)}") { username bio location createdAt } }`)).body.data.user;
  const hidden = { username: user.username, bio: null, location: null, createdAt: null };
  t.deepEqual(await ask(app.as(other)), hidden);
  t.deepEqual(await ask(app.anonymous), hidden);
  t.like(await ask(app.as(user)), { bio: 'Secret', location: 'There' });
});

// Contract: graphql-5.9.custom-attributes
test('administrators read and set custom attributes of users and projects; to others they are null', async (t) => {
  const admin = app.as(await app.build.admin());
  const project = await app.build.project({ empty: true });
  const user = project.owner;
  const set = (kind: 'user' | 'project', target: string, value: string) =>
    `mutation { ${kind}CustomAttributeSet(input: { ${target}, key: "role", value: "${value}", clientMutationId: "m" }) {
       clientMutationId customAttribute { key value } errors } }`;
  const ofUser = `userId: "${gid(user)}"`;
  const ofProject = `projectPath: "${project.full_path}"`;
  for (const [kind, target] of [['user', ofUser] as const, ['project', ofProject] as const]) {
    const { body } = await admin.graphql(set(kind, target, 'a'));
    t.deepEqual(body.data[`${kind}CustomAttributeSet`], {
      clientMutationId: 'm',
      customAttribute: { key: 'role', value: 'a' },
      errors: [],
    });
    const blank = await admin.graphql(set(kind, target, ' '));
    t.deepEqual(blank.body.data[`${kind}CustomAttributeSet`], {
      clientMutationId: 'm',
      customAttribute: null,
      errors: ["Value can't be blank"],
    });
    const rejection = await app.as(user).graphql(set(kind, target, 'b'));
    t.is(rejection.status, 200);
    t.is(rejection.body.errors[0].message, NOT_AVAILABLE);
    t.is(rejection.body.data[`${kind}CustomAttributeSet`], null);
    t.is((await app.anonymous.graphql(set(kind, target, 'b'))).body.errors[0].message, NOT_AVAILABLE);
  }
  const missing = await admin.graphql(set('user', 'userId: "gid://service/User/99999999"', 'a'));
  t.is(missing.body.errors[0].message, NOT_AVAILABLE);
  const query = `{ user(id: "${gid(user)}") { customAttributes { key value } }
    project(fullPath: "${project.full_path}") { customAttributes { key value } } }`;
  const attributes = { customAttributes: [{ key: 'role', value: 'a' }] };
  t.deepEqual((await admin.graphql(query)).body.data, { user: attributes, project: attributes });
  const none = { customAttributes: null };
  t.deepEqual((await app.as(user).graphql(query)).body.data, { user: none, project: none });
});
