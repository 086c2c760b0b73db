import test from 'ava';
import type { BuiltUser } from '../../core/builders.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

const SELECTION = `namespace { fullPath }
  groupMemberships { count nodes { accessLevel { stringValue } group { fullPath } user { username } createdBy { username } } }
  projectMemberships { nodes { id accessLevel { integerValue } expiresAt project { fullPath } } }
  starredProjects { nodes { fullPath } } userPermissions { createSnippet }`;

/** The fields of one user that are visible to another. */
async function queryUser(user: BuiltUser, reader: BuiltUser) {
  const { body } = await app.as(reader).graphql(`{ user(username: "${user.username}") { ${SELECTION} } }`);
  return body.data.user;
}

async function userWithMemberships() {
  const user = await app.build.user();
  const open = await app.build.group({ visibility: 'public' });
  const closed = await app.build.group({ visibility: 'private' });
  const project = await app.build.project({ visibility: 'private' });
  const starred = await app.build.project({ visibility: 'public' });
  const owners = { open: app.as(open.owner), closed: app.as(closed.owner), project: app.as(project.owner) };
  await owners.open.post(`/groups/${open.id}/members`, { user_id: user.id, access_level: 30 });
  await owners.closed.post(`/groups/${closed.id}/members`, { user_id: user.id, access_level: 10 });
  const expires_at = '2031-05-05';
  await owners.project.post(`/projects/${project.id}/members`, { user_id: user.id, access_level: 20, expires_at });
  await app.as(user).post(`/projects/${starred.id}/star`);
  return { user, open, closed, project, starred };
}

// Contract: graphql-5.2.user-places
test('a user sees where they belong: namespace, groups, projects and stars', async (t) => {
  const { user, open, closed, project, starred } = await userWithMemberships();
  const own = await queryUser(user, user);
  t.deepEqual(own.namespace, { fullPath: user.username });
  t.is(own.groupMemberships.count, 2);
  t.deepEqual(own.groupMemberships.nodes[0], {
    accessLevel: { stringValue: 'DEVELOPER' },
    group: { fullPath: open.full_path },
    user: { username: user.username },
    createdBy: { username: open.owner.username },
  });
  t.is(own.groupMemberships.nodes[1].group.fullPath, closed.full_path);
  const [member] = own.projectMemberships.nodes;
  t.regex(member.id, /^gid:\/\/service\/ProjectMember\/\d+$/);
  t.deepEqual(
    [member.accessLevel.integerValue, member.expiresAt, member.project.fullPath],
    [20, '2031-05-05T00:00:00.000Z', project.full_path],
  );
  t.deepEqual(own.starredProjects.nodes, [{ fullPath: starred.full_path }]);
  t.deepEqual(own.userPermissions, { createSnippet: true });
  const { body } = await app.as(user).graphql(`{ currentUser { ${SELECTION} } }`);
  t.deepEqual(body.data.currentUser, own);
});

// Contract: graphql-5.2.user-places
test('others see of a user only the groups and projects that they may see themselves', async (t) => {
  const { user, open } = await userWithMemberships();
  const visible = await queryUser(user, await app.build.user());
  t.is(visible.namespace, null);
  t.deepEqual(
    visible.groupMemberships.nodes.map((node: { group: { fullPath: string } }) => node.group.fullPath),
    [open.full_path],
  );
  t.deepEqual(visible.projectMemberships.nodes, []);
  t.is(visible.starredProjects.nodes.length, 1);
  t.deepEqual(visible.userPermissions, { createSnippet: false });
});

// Contract: graphql-5.2.user-places
test('without signing in nobody sees memberships, as nobody sees the members of a group', async (t) => {
  const { user, starred } = await userWithMemberships();
  const { body } = await app.anonymous.graphql(`{ user(username: "${user.username}") { ${SELECTION} } }`);
  t.is(body.errors, undefined);
  const { groupMemberships, projectMemberships, starredProjects } = body.data.user;
  t.deepEqual([groupMemberships, projectMemberships], [null, null]);
  t.deepEqual(starredProjects.nodes, [{ fullPath: starred.full_path }]);
});

// Contract: graphql-5.2.user-places
test('a private profile keeps memberships and stars to its user and administrators', async (t) => {
  const { user } = await userWithMemberships();
  const root = await app.build.user({ admin: true });
  await app.as(root).put(`/users/${user.id}`, { private_profile: true });
  const counts = async (reader: BuiltUser) => {
    const fields = await queryUser(user, reader);
    return [fields.groupMemberships, fields.projectMemberships, fields.starredProjects].map(
      (connection) => connection.nodes.length,
    );
  };
  t.deepEqual(await counts(await app.build.user()), [0, 0, 0]);
  t.deepEqual(await counts(user), [2, 1, 1]);
  t.deepEqual(await counts(root), [2, 1, 1]);
});

// Contract: graphql-5.2.user-places
test('external users make no snippets of their own', async (t) => {
  const user = await app.build.user({ external: true });
  t.deepEqual((await queryUser(user, user)).userPermissions, { createSnippet: false });
});
