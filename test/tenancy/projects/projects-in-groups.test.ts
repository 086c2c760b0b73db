import test from 'ava';
import type { Role } from '../../../shared/core/operations/policy.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);

const create = (by: BuiltUser, group: { id: number }, attributes: Record<string, unknown> = {}) =>
  app.as(by).post('/projects', { name: `In ${unique()}`, namespace_id: group.id, ...attributes });

const LEVELS = ['noone', 'administrator', 'owner', 'maintainer', 'developer'] as const;
const ROLES: (Role | 'admin')[] = ['reporter', 'developer', 'maintainer', 'owner', 'admin'];

// Contract: core-5.create.group
test('who makes projects in a group is decided by its project_creation_level, role by role', async (t) => {
  const allowed: Record<(typeof LEVELS)[number], string[]> = {
    noone: [],
    administrator: ['admin'],
    owner: ['owner', 'admin'],
    maintainer: ['maintainer', 'owner', 'admin'],
    developer: ['developer', 'maintainer', 'owner', 'admin'],
  };
  for (const level of LEVELS) {
    const group = await app.build.group({ project_creation_level: level });
    for (const role of ROLES) {
      const user = role === 'admin' ? await app.build.admin() : await app.build.groupMember(group, role);
      const { status, body } = await create(user, group);
      t.is(status, allowed[level].includes(role) ? 201 : 400, `${level}: ${role}`);
      if (status === 400) t.deepEqual(body, { message: { namespace: ['is not valid'] } });
    }
  }
});

// Contract: core-5.create.group
test('roles in a group above count for making projects in a subgroup', async (t) => {
  const group = await app.build.group();
  const sub = await app.build.group({ parent: group, owner: group.owner });
  const developer = await app.build.groupMember(group, 'developer');
  const { status, body } = await create(developer, sub, { path: 'leaf', name: 'Leaf' });
  t.is(status, 201);
  t.like(body, {
    path_with_namespace: `${sub.full_path}/leaf`,
    name_with_namespace: `${sub.full_name} / Leaf`,
    creator_id: developer.id,
  });
  t.like(body.namespace, { id: sub.id, kind: 'group', full_path: sub.full_path, parent_id: group.id });
  t.is(body.namespace.web_url, `http://capstan.test/groups/${sub.full_path}`);
});

// Contract: core-5.create.group
test('a group that is invisible, missing or no longer joined is no valid namespace', async (t) => {
  const group = await app.build.group();
  const stranger = await app.build.user();
  const expired = await app.build.groupMember(group, 'owner', undefined, '2029-12-31');
  for (const [user, id] of [
    [stranger, group.id],
    [expired, group.id],
    [group.owner, 99_999_999],
  ] as const) {
    const { status, body } = await create(user, { id });
    t.is(status, 400);
    t.deepEqual(body, { message: { namespace: ['is not valid'] } });
  }
});

// Contract: core-5.create.visibility
test('a project is not more visible than its group', async (t) => {
  const group = await app.build.group({ visibility: 'internal' });
  const { status, body } = await create(group.owner, group, { visibility: 'public' });
  t.is(status, 400);
  t.deepEqual(body, { message: { visibility_level: ['public is not allowed in a internal group.'] } });
  t.is((await create(group.owner, group, { visibility: 'internal' })).status, 201);
});

test("a new project's first branch is the one that its group names", async (t) => {
  const group = await app.build.group({ default_branch: 'trunk' });
  const { body } = await create(group.owner, group, { initialize_with_readme: true });
  t.is(body.default_branch, 'trunk');
  const answer = await create(group.owner, group, { initialize_with_readme: true, default_branch: 'mine' });
  t.is(answer.body.default_branch, 'mine');
});

// Contract: core-5.create.path
test('a path that a subgroup has is taken for projects, and the other way round', async (t) => {
  const group = await app.build.group();
  const sub = await app.build.group({ parent: group, owner: group.owner });
  const project = await create(group.owner, group, { path: sub.path });
  t.is(project.status, 400);
  t.deepEqual(project.body.message.path, ['has already been taken']);
  const response = await create(group.owner, group, { path: 'mine' });
  t.is(response.status, 201);
  const again = await app.as(group.owner).post('/groups', { name: 'Mine', path: 'MINE', parent_id: group.id });
  t.deepEqual(again.body, { message: 'Failed to save group {:path=>["has already been taken"]}' });
});
