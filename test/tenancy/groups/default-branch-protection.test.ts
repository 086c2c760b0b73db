import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);

const DEVELOPERS = [{ access_level: 30 }];
const MAINTAINERS = [{ access_level: 40 }];

const FULL = {
  allowed_to_push: MAINTAINERS,
  allowed_to_merge: MAINTAINERS,
  allow_force_push: false,
  developer_can_initial_push: false,
};

type Levels = { access_level: number }[];
interface Rule {
  name: string;
  allow_force_push: boolean;
  push_access_levels: Levels;
  merge_access_levels: Levels;
}

/** The rule of the default branch of a new project in a group, or null for none. */
async function ruleIn(group: { id: number; owner: BuiltUser }) {
  const project = await app.build.projectIn(group, { empty: false });
  const { body } = await app.as(group.owner).get(`/projects/${project.id}/protected_branches`);
  const [rule] = body as Rule[];
  if (!rule) return null;
  const levels = (of: Levels) => of.map(({ access_level }) => access_level);
  return [levels(rule.push_access_levels), levels(rule.merge_access_levels), rule.allow_force_push];
}

/** The answer to a Developer's first commit to an empty project in a group. */
async function firstCommit(group: { id: number; owner: BuiltUser }) {
  const project = await app.build.projectIn(group);
  const developer = await app.build.groupMember(group, 'developer');
  const body = { branch: 'main', content: 'x', commit_message: 'First' };
  return (await app.as(developer).post(`/projects/${project.id}/repository/files/a.txt`, body)).status;
}

// Contract: core-3.branch-protection
test('a group that says nothing protects default branches fully, and so does one in it', async (t) => {
  const group = await app.build.group();
  const { body } = await app.as(group.owner).get(`/groups/${group.id}`);
  t.like(body, { default_branch_protection: 2, default_branch_protection_defaults: FULL });
  t.deepEqual(await ruleIn(group), [[40], [40], false]);
  const relaxed = await app.build.group({ default_branch_protection: 0 });
  const sub = await app.build.group({ owner: relaxed.owner, parent: relaxed });
  t.deepEqual(await ruleIn(sub), [[40], [40], false]);
});

const LEVELS: [number, object, unknown][] = [
  [0, { ...FULL, allowed_to_push: DEVELOPERS, allowed_to_merge: DEVELOPERS, allow_force_push: true }, null],
  [1, { ...FULL, allowed_to_push: DEVELOPERS, allowed_to_merge: DEVELOPERS }, [[30], [30], false]],
  [2, FULL, [[40], [40], false]],
  [3, { ...FULL, allowed_to_merge: DEVELOPERS, allow_force_push: true }, [[40], [30], true]],
  [4, { ...FULL, developer_can_initial_push: true }, [[40], [40], false]],
];

for (const [level, defaults, rule] of LEVELS)
  test(`default_branch_protection ${level} of a group holds for new projects in it`, async (t) => {
    const group = await app.build.group({ default_branch_protection: level });
    const { body } = await app.as(group.owner).get(`/groups/${group.id}`);
    t.like(body, { default_branch_protection: level, default_branch_protection_defaults: defaults });
    t.deepEqual(await ruleIn(group), rule);
    t.is(await firstCommit(group), level === 2 || level === 3 ? 400 : 201);
  });

// Contract: core-3.branch-protection
test('default_branch_protection_defaults is taken in parts, goes before the number, and holds for later projects', async (t) => {
  const group = await app.build.group();
  const put = async (body: object) => (await app.as(group.owner).put(`/groups/${group.id}`, body)).body as object;
  const sent = { allowed_to_push: [{ access_level: 30 }, { access_level: '40' }], allow_force_push: 'true' };
  t.like(await put({ default_branch_protection: 0, default_branch_protection_defaults: sent }), {
    default_branch_protection: 2,
    default_branch_protection_defaults: {
      allowed_to_push: [...DEVELOPERS, ...MAINTAINERS],
      allowed_to_merge: DEVELOPERS,
      allow_force_push: true,
    },
  });
  t.deepEqual(await ruleIn(group), [[30, 40], [30], true]);
  const nobody = { allowed_to_push: [{ access_level: 0 }], allow_force_push: false };
  await put({ default_branch_protection_defaults: nobody });
  t.deepEqual(await ruleIn(group), [[0], [30], false]);
  t.is(await firstCommit(group), 400);
  await put({ description: 'Other' });
  t.deepEqual(await ruleIn(group), [[0], [30], false]);
});

// Contract: core-3.branch-protection
test('the hash of a protection may come in a form', async (t) => {
  const group = await app.build.group();
  const form = new URLSearchParams([
    ['default_branch_protection_defaults[allowed_to_push][][access_level]', '30'],
    ['default_branch_protection_defaults[allowed_to_merge][0][access_level]', '30'],
  ]);
  const answer = await app
    .as(group.owner)
    .raw('PUT', `/api/v4/groups/${group.id}`, form.toString(), 'application/x-www-form-urlencoded');
  t.is(answer.status, 200);
  t.is(answer.body.default_branch_protection, 1);
});

// Contract: core-3.branch-protection
test('a protection that does not exist is 400 by name and changes nothing', async (t) => {
  const group = await app.build.group();
  const put = (body: object) => app.as(group.owner).put(`/groups/${group.id}`, body);
  const answerTo = async (body: object) => (await put(body)).body as object;
  t.deepEqual(await answerTo({ default_branch_protection: 5 }), {
    error: 'default_branch_protection does not have a valid value',
  });
  t.deepEqual(await answerTo({ default_branch_protection: 'full' }), { error: 'default_branch_protection is invalid' });
  t.deepEqual(await answerTo({ default_branch_protection_defaults: 2 }), {
    error: 'default_branch_protection_defaults is invalid',
  });
  t.deepEqual(await answerTo({ default_branch_protection_defaults: { allowed_to_push: [{ access_level: 20 }] } }), {
    error: 'default_branch_protection_defaults[allowed_to_push][0][access_level] does not have a valid value',
  });
  t.deepEqual(await answerTo({ default_branch_protection_defaults: { allowed_to_push: [{}] } }), {
    error: 'default_branch_protection_defaults[allowed_to_push][0][access_level] is missing',
  });
  t.is((await app.as(group.owner).get(`/groups/${group.id}`)).body.default_branch_protection, 2);
});

test('in a personal namespace only Maintainers make the first commit of an empty project', async (t) => {
  const project = await app.build.project({ empty: true });
  const body = { branch: 'main', content: 'x', commit_message: 'First' };
  const commit = async (user: BuiltUser) =>
    (await app.as(user).post(`/projects/${project.id}/repository/files/a.txt`, body)).status;
  t.is(await commit(await app.build.member(project, 'developer')), 400);
  t.is(await commit(await app.build.member(project, 'maintainer')), 201);
});
