import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: graphql-5.3.branch-rules
test('GraphQL shows the rules of branches to who works under them', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}`;
  for (const branch of ['feature/a', 'feature/b', 'featured'])
    await owner.post(`${path}/repository/branches`, { branch, ref: 'main' });
  const developer = await app.build.member(project, 'developer');
  const rule = await owner.post(`${path}/protected_branches`, {
    name: 'feature/*',
    allow_force_push: true,
    push_access_level: 0,
    allowed_to_merge: [{ user_id: developer.id }],
  });
  t.is(rule.status, 201);
  const query = `{ project(fullPath: "${project.full_path}") { branchRules { count nodes {
    id name isDefault isProtected matchingBranchesCount createdAt updatedAt
    branchProtection { allowForcePush
      mergeAccessLevels { nodes { accessLevel accessLevelDescription user { username } group { id } } }
      pushAccessLevels { nodes { accessLevel accessLevelDescription user { username } } } } } } } }`;
  const { body } = await owner.graphql(query);
  t.is(body.errors, undefined);
  const { count, nodes } = body.data.project.branchRules;
  t.is(count, 2);
  const maintainers = { accessLevel: 40, accessLevelDescription: 'Maintainers', user: null };
  t.like(nodes[0], {
    name: 'main',
    isDefault: true,
    isProtected: true,
    matchingBranchesCount: 1,
    branchProtection: {
      allowForcePush: false,
      mergeAccessLevels: { nodes: [{ ...maintainers, group: null }] },
      pushAccessLevels: { nodes: [maintainers] },
    },
  });
  t.like(nodes[1], {
    id: `gid://service/Projects::BranchRule/${rule.body.id}`,
    name: 'feature/*',
    isDefault: false,
    matchingBranchesCount: 2,
    branchProtection: {
      allowForcePush: true,
      mergeAccessLevels: {
        nodes: [{ accessLevel: 40, accessLevelDescription: developer.name, user: { username: developer.username } }],
      },
      pushAccessLevels: { nodes: [{ accessLevel: 0, accessLevelDescription: 'No one', user: null }] },
    },
  });
  t.regex(nodes[1].createdAt, /^\d{4}-.*Z$/);
  t.deepEqual((await app.as(developer).graphql(query)).body.data, body.data);
  const reporter = await app.build.member(project, 'reporter');
  t.deepEqual((await app.as(reporter).graphql(query)).body, { data: { project: { branchRules: null } } });
});
