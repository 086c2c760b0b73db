import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { refsIn, workTree } from './push-client.js';
import { NONE, rawPush } from './raw-push.js';

const app = useApp(test);

type Project = Awaited<ReturnType<typeof app.build.projectIn>>;
type Rules = 'protected_branches' | 'protected_tags';

/** A project with people of each role, and a group that it is shared with. */
async function peopled() {
  const group = await app.build.group();
  const project = await app.build.projectIn(group, { empty: false });
  const shared = await app.build.group({ owner: group.owner });
  const ofGroup = await app.build.groupMember(shared, 'developer');
  await app.as(group.owner).post(`/projects/${project.id}/share`, { group_id: shared.id, group_access: 30 });
  const chosen = await app.build.member(project, 'developer');
  const people: Record<string, BuiltUser> = {
    guest: await app.build.member(project, 'guest'),
    reporter: await app.build.member(project, 'reporter'),
    developer: await app.build.member(project, 'developer'),
    maintainer: await app.build.member(project, 'maintainer'),
    owner: group.owner,
    admin: await app.build.admin(),
    chosen,
    ofGroup,
  };
  return { project, people, chosen, shared };
}

const protect = async ({ id, owner }: Project, kind: Rules, rule: { name: string; [key: string]: unknown }) => {
  const { status } = await app.as(owner).post(`/projects/${id}/${kind}`, rule);
  if (status !== 201) throw new Error(`${rule.name}: ${status}`);
};

interface Case {
  kind: Rules;
  /** Rules whose names match the ref. */
  rules: readonly object[];
  /** Who passes them; everybody else does not. */
  pass: readonly string[];
}

const developers = ['developer', 'maintainer', 'owner', 'admin', 'chosen', 'ofGroup'];
const maintainers = ['maintainer', 'owner', 'admin'];

// Contract: git-http-4.rules, protected-branches-push, protected-tags-5.push
test('rules over branches and tags admit the same people over git as over the API', async (t) => {
  const { project, people, chosen, shared } = await peopled();
  const head = (await refsIn(app, project))['refs/heads/main']!;
  const byUser = { user_id: chosen.id };
  const byGroup = { group_id: shared.id };
  const cases: Record<string, Case> = {
    free: { kind: 'protected_branches', rules: [], pass: developers },
    nobody: { kind: 'protected_branches', rules: [{ push_access_level: 0 }], pass: [] },
    'for-maintainers': { kind: 'protected_branches', rules: [{ push_access_level: 40 }], pass: maintainers },
    'for-developers': { kind: 'protected_branches', rules: [{ push_access_level: 30 }], pass: developers },
    union: {
      kind: 'protected_branches',
      rules: [{ push_access_level: 0 }, { push_access_level: 30 }],
      pass: developers,
    },
    'for-chosen': {
      kind: 'protected_branches',
      rules: [{ allowed_to_push: [byUser] }],
      pass: ['chosen'],
    },
    'for-group': {
      kind: 'protected_branches',
      rules: [{ allowed_to_push: [byGroup] }],
      pass: ['owner', 'ofGroup'],
    },
    'tag-free': { kind: 'protected_tags', rules: [], pass: developers },
    'tag-nobody': { kind: 'protected_tags', rules: [{ create_access_level: 0 }], pass: [] },
    'tag-maintainers': { kind: 'protected_tags', rules: [{}], pass: maintainers },
    'tag-chosen': { kind: 'protected_tags', rules: [{ allowed_to_create: [byUser] }], pass: ['chosen'] },
    'tag-group': { kind: 'protected_tags', rules: [{ allowed_to_create: [byGroup] }], pass: ['owner', 'ofGroup'] },
  };
  for (const [name, { kind, rules }] of Object.entries(cases))
    for (const [index, rule] of rules.entries())
      await protect(project, kind, { name: index === 0 ? `${name}/*` : `${name}*`, ...rule });
  for (const [name, { kind, pass }] of Object.entries(cases)) {
    const tag = kind === 'protected_tags';
    for (const [who, person] of Object.entries(people)) {
      const short = `${name}/${who}`;
      const response = tag
        ? await app
            .as(person)
            .post(`/projects/${project.id}/repository/tags`, { tag_name: `${short}/api`, ref: 'main' })
        : await app
            .as(person)
            .post(`/projects/${project.id}/repository/branches`, { branch: `${short}/api`, ref: 'main' });
      const ref = `refs/${tag ? 'tags' : 'heads'}/${short}/git`;
      const pushed = await rawPush(app, project, person, [[ref, head]]);
      const expected = pass.includes(who);
      t.deepEqual(
        [response.status === 201, pushed.refs[ref] === 'ok'],
        [expected, expected],
        `${short}: ${response.status} ${pushed.text}`,
      );
    }
  }
  const names = Object.keys(await refsIn(app, project)).filter((name) => name.endsWith('/git'));
  t.is(names.length, Object.values(cases).flatMap(({ pass }) => pass).length);
});

// Contract: git-http-4.plans
test.serial('entries that name users and groups rest below Premium, over git as over the API', async (t) => {
  const beside = await peopled();
  const { project, people, chosen } = beside;
  await protect(project, 'protected_branches', { name: 'x*', allowed_to_push: [{ user_id: chosen.id }] });
  const head = (await refsIn(app, project))['refs/heads/main']!;
  const ref = 'refs/heads/x';
  await app.set({ plan: 'free' });
  try {
    t.regex((await rawPush(app, project, people.chosen!, [[ref, head]])).refs[ref] ?? '', /protected branches/);
  } finally {
    await app.set({ plan: 'ultimate' });
  }
  t.is((await rawPush(app, project, people.chosen!, [[ref, head]])).refs[ref], 'ok');
});

// Contract: git-http-4.words
test('the reason of each refusal stands on the terminal, beside its ref', async (t) => {
  const { project, people } = await peopled();
  await protect(project, 'protected_branches', { name: 'kept/*', push_access_level: 30 });
  await protect(project, 'protected_tags', { name: 'v*', create_access_level: 40 });
  const owner = await workTree(t, app, project, { as: people.owner! });
  await owner.commit('a.txt');
  await owner.inside('tag', 'v1');
  t.is((await owner.push(['HEAD:refs/heads/kept/a', 'HEAD:refs/heads/free', 'v1'])).code, 0);
  const work = await workTree(t, app, project, { as: people.developer! });
  await work.inside('tag', '-d', 'v1');
  await work.commit('b.txt');
  await work.inside('tag', 'v1');
  await work.inside('tag', 'v2');
  const rejection = await work.push(
    [
      'HEAD:refs/heads/main',
      '+HEAD:refs/heads/kept/a',
      ':refs/heads/kept/a2',
      '+v1',
      'v2',
      '+HEAD:refs/heads/free',
      'HEAD:refs/merge-requests/1/head',
    ].filter((spec) => !spec.startsWith(':')),
  );
  t.is(rejection.code, 1);
  t.deepEqual(rejection.refs, {
    'refs/heads/main': '[remote rejected] (You are not allowed to push code to protected branches on this project.)',
    'refs/heads/kept/a':
      '[remote rejected] (You are not allowed to force push code to a protected branch on this project.)',
    'refs/heads/free': rejection.refs['refs/heads/free']!,
    'refs/tags/v1': '[remote rejected] (Protected tags cannot be updated.)',
    'refs/tags/v2': '[remote rejected] (You are not allowed to create this tag as it is protected.)',
    'refs/merge-requests/1/head': "[remote rejected] (Refs of this name are the service's own, or are not taken.)",
  });
  t.regex(rejection.refs['refs/heads/free']!, /forced update/);
  const deleted = await work.push(['--delete', 'kept/a', 'v1', 'main']);
  t.deepEqual(deleted.refs, {
    'refs/heads/kept/a': '[remote rejected] (A protected branch cannot be deleted by a push. Unprotect it first.)',
    'refs/tags/v1': '[remote rejected] (Protected tags cannot be deleted by a push.)',
    'refs/heads/main': '[remote rejected] (The default branch of a project cannot be deleted.)',
  });
  const byOwner = await owner.push(['--delete', 'kept/a', 'v1', 'main']);
  t.deepEqual(byOwner.refs, deleted.refs, 'Maintainers are told the same');
});

// Contract: git-http-4.force
test('allow_force_push lets those who may push force a protected branch', async (t) => {
  const { project, people } = await peopled();
  await protect(project, 'protected_branches', { name: 'kept', push_access_level: 30, allow_force_push: true });
  const [one, other] = [
    await workTree(t, app, project, { as: people.developer! }),
    await workTree(t, app, project, { as: people.chosen! }),
  ];
  await one.commit('a.txt');
  await other.commit('b.txt');
  t.is((await one.push(['HEAD:refs/heads/kept'])).code, 0);
  const forced = await other.push(['+HEAD:refs/heads/kept']);
  t.is(forced.code, 0, forced.stderr);
  t.is((await refsIn(app, project))['refs/heads/kept'], await other.inside('rev-parse', 'HEAD'));
});

// Contract: git-http-4.first-push
test('default_branch_protection_defaults decide who makes the first branch', async (t) => {
  const group = await app.build.group({
    default_branch_protection_defaults: { allowed_to_push: [{ access_level: 40 }], developer_can_initial_push: false },
  });
  const developer = await app.build.groupMember(group, 'developer');
  const project = await app.build.projectIn(group);
  const work = await workTree(t, app, project, { as: developer, fresh: true });
  await work.commit('a.txt');
  const rejection = await work.push(['HEAD:main']);
  t.is(
    rejection.refs['refs/heads/main'],
    '[remote rejected] (You are not allowed to push the first branch of this project.)',
  );
  t.deepEqual(await refsIn(app, project), {});
  await app.as(group.owner).put(`/groups/${group.id}`, {
    default_branch_protection_defaults: { allowed_to_push: [{ access_level: 40 }], developer_can_initial_push: true },
  });
  const first = await work.push(['HEAD:main']);
  t.is(first.code, 0, first.stderr);
  await work.commit('b.txt');
  t.regex((await work.push(['HEAD:main'])).refs['refs/heads/main'] ?? '', /not allowed to push code to protected/);
});

// Contract: git-http-4.moment
test('rights are asked when refs move, not when the connection began', async (t) => {
  const { project, people } = await peopled();
  const head = (await refsIn(app, project))['refs/heads/main']!;
  const ref = 'refs/heads/x';
  t.is((await rawPush(app, project, people.developer!, [[ref, head]])).refs[ref], 'ok');
  await protect(project, 'protected_branches', { name: 'x', push_access_level: 40 });
  t.regex(
    (await rawPush(app, project, people.developer!, [[ref, NONE, head]])).refs[ref] ?? '',
    /protected branch cannot/,
  );
});
