import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import type { Client } from '../../core/client.js';

const app = useApp(test);

/**
 * A public group with a public project, a private group with a parent that is invited to either, and another private
 * group that is invited to an open one.
 */
async function sandbox() {
  const owner = await app.build.user();
  const group = await app.build.group({ owner, visibility: 'public' });
  const project = await app.build.projectIn(group, { visibility: 'public' });
  const above = await app.build.group({ owner, visibility: 'private' });
  const hidden = await app.build.group({ owner, parent: above, visibility: 'private' });
  const open = await app.build.group({ owner, visibility: 'internal' });
  const far = await app.build.group({ owner, visibility: 'private' });
  const share = (kind: 'projects' | 'groups', at: { id: number }, invited: { id: number }) =>
    app.as(owner).post(`/${kind}/${at.id}/share`, { group_id: invited.id, group_access: 40 });
  await share('groups', group, hidden);
  await share('projects', project, hidden);
  await share('groups', group, open);
  await share('projects', project, open);
  await share('groups', open, far);
  const below = await app.build.projectIn(hidden, { visibility: 'private' });
  const members = {
    hidden: await app.build.groupMember(hidden, 'developer'),
    above: await app.build.groupMember(above, 'reporter'),
    open: await app.build.groupMember(open, 'developer'),
    far: await app.build.groupMember(far, 'developer'),
  };
  const callers: Record<string, BuiltUser> = {
    ...members,
    owner,
    stranger: await app.build.user(),
    outside: await app.build.user({ external: true }),
    below: await app.build.member(below, 'maintainer'),
    guest: await app.build.member(project, 'guest'),
    administrator: await app.build.admin(),
  };
  /** The names of those of the four members that a response contains, by the group they belong to. */
  const namesIn = (ids: readonly number[]) =>
    Object.entries(members).flatMap(([name, { id }]) => (ids.includes(id) ? [name] : []));
  return { group, project, members, callers, namesIn };
}

type Sandbox = Awaited<ReturnType<typeof sandbox>>;
const getIds = (body: { id: number }[]) => body.map(({ id }) => id);

/** Endpoints that return the members of a project or group, each with the returned users. */
const PROJECT_DOORS: Record<string, (client: Client, sandbox: Sandbox) => Promise<number[]>> = {
  'members/all': async (client, { project }) => getIds((await client.get(`/projects/${project.id}/members/all`)).body),
  users: async (client, { project }) => getIds((await client.get(`/projects/${project.id}/users`)).body),
  'members/all/:user_id': (client, { project, members }) => visibleMembers(client, `/projects/${project.id}`, members),
};
const GROUP_DOORS: typeof PROJECT_DOORS = {
  'members/all': async (client, { group }) => getIds((await client.get(`/groups/${group.id}/members/all`)).body),
  'members/all/:user_id': (client, { group, members }) => visibleMembers(client, `/groups/${group.id}`, members),
  groupMembers: async (client, { group }) => {
    const { body } = await client.graphql(
      `{ group(fullPath: "${group.full_path}") { groupMembers { nodes { user { id } } } } }`,
    );
    const nodes = body.data.group.groupMembers.nodes as { user: { id: string } }[];
    return nodes.map(({ user }) => Number(user.id.split('/').at(-1)));
  },
};

async function visibleMembers(client: Client, path: string, members: Sandbox['members']): Promise<number[]> {
  const ids = Object.values(members).map(({ id }) => id);
  const answers = await Promise.all(ids.map((id) => client.get(`${path}/members/all/${id}`)));
  return ids.filter((_id, index) => answers[index]?.status === 200);
}

/**
 * The members visible to each caller: in a project, inherited roles and those by shares of the invited group also
 * count.
 */
const EVERYBODY = ['hidden', 'above', 'open', 'far'];
const IN_PROJECT: Record<string, string[]> = {
  hidden: EVERYBODY,
  above: EVERYBODY,
  open: EVERYBODY,
  far: EVERYBODY,
  owner: EVERYBODY,
  stranger: ['open'],
  outside: [],
  below: ['open'],
  guest: EVERYBODY,
  administrator: EVERYBODY,
};
/**
 * In a group, only direct members of an invited group have a role; members of its parent have none, but can still see
 * the others.
 */
const IN_GROUP: typeof IN_PROJECT = {
  hidden: ['hidden', 'open'],
  above: ['hidden', 'open'],
  open: ['hidden', 'open'],
  far: ['open'],
  owner: ['hidden', 'open'],
  stranger: ['open'],
  outside: [],
  below: ['open'],
  guest: ['open'],
  administrator: ['hidden', 'open'],
};

for (const [kind, doors, expected] of [
  ['project', PROJECT_DOORS, IN_PROJECT],
  ['group', GROUP_DOORS, IN_GROUP],
] as const)
  test(`${kind}: members of an invited group are named to those inside, and to who may know that group's members`, async (t) => {
    const created = await sandbox();
    for (const [door, ask] of Object.entries(doors)) {
      const names: Record<string, string[]> = {};
      for (const [name, user] of Object.entries(created.callers))
        names[name] = created.namesIn(await ask(app.as(user), created));
      t.deepEqual(names, expected, door);
    }
  });

// Contract: core-4.invited
test('pages and counts of members tell nothing of those who are not named', async (t) => {
  const { project, callers, members } = await sandbox();
  const path = `/projects/${project.id}/members/all`;
  const { headers } = await app.as(callers.stranger as BuiltUser).get(`${path}?per_page=1`);
  const { body } = await app.as(callers.stranger as BuiltUser).get(path);
  t.is(headers.get('x-total'), String(body.length));
  const answer = await app.as(callers.stranger as BuiltUser).get(`${path}?query=${members.hidden.username}`);
  t.deepEqual(answer.body, []);
});

// Contract: core-4.invited
test('somebody who is a member otherwise too is named with the role that the caller may know', async (t) => {
  const { project, callers, members } = await sandbox();
  await app.build.member(project, 'guest', members.hidden);
  const level = async (user: BuiltUser) =>
    (await app.as(user).get(`/projects/${project.id}/members/all/${members.hidden.id}`)).body.access_level;
  t.is(await level(callers.stranger as BuiltUser), 10);
  t.is(await level(callers.guest as BuiltUser), 30);
});

// Contract: core-4.invited
test('of the groups that a user is in those are told whose members the caller may know', async (t) => {
  const { members, callers, group } = await sandbox();
  const groups = async (caller: BuiltUser, user: BuiltUser) => {
    const { body } = await app
      .as(caller)
      .graphql(`{ user(username: "${user.username}") { groupMemberships { nodes { group { fullPath } } } } }`);
    return body.data.user.groupMemberships.nodes.length as number;
  };
  t.is(await groups(members.hidden, members.hidden), 1);
  t.is(await groups(callers.owner as BuiltUser, members.hidden), 1);
  t.is(await groups(callers.stranger as BuiltUser, members.hidden), 0);
  t.is(await groups(callers.below as BuiltUser, members.hidden), 0, 'who sees the group for what lies below it');
  t.true((await app.as(callers.below as BuiltUser).get(`/groups/${group.id}`)).status === 200);
});
