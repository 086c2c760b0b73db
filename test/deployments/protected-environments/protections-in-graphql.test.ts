import test from 'ava';
import { useApp } from '../../core/app.js';
import { createDeployProject } from './deploy-project.js';

const app = useApp(test);

const QUERY = `query($path: ID!) { project(fullPath: $path) { environments(first: 2) { nodes { name protectedEnvironments(first: 5) { nodes {
  name project { fullPath } group { fullPath }
  deployAccessLevels { nodes { accessLevel { integerValue stringValue } user { username } group { fullPath } } }
  approvalRules { nodes { requiredApprovals accessLevel { integerValue } user { username } group { fullPath } } }
} } } } } }`;

const role = (integerValue: number, stringValue: string) => ({
  accessLevel: { integerValue, stringValue },
  user: null,
  group: null,
});

// Contract: graphql-5.protected-environments
test('an environment in GraphQL has what governs it, of its project and of the groups above', async (t) => {
  const { root, project, path, owner, protectProject, protectRoot } = await createDeployProject(app);
  for (const name of ['production', 'staging']) await owner.post(`${path}/environments`, { name });
  await protectProject({
    deploy_access_levels: [{ access_level: 60 }, { user_id: root.owner.id }],
    approval_rules: [{ user_id: root.owner.id, required_approvals: 2 }],
  });
  await protectRoot({ deploy_access_levels: [{ group_id: root.id }] });
  const ask = async (client: typeof owner) => {
    const { body } = await client.graphql(QUERY, { path: project.full_path });
    t.is(body.errors, undefined);
    return body.data.project.environments.nodes;
  };
  const user = { username: root.owner.username };
  t.deepEqual(await ask(owner), [
    {
      name: 'production',
      protectedEnvironments: {
        nodes: [
          {
            name: 'production',
            project: { fullPath: project.full_path },
            group: null,
            deployAccessLevels: { nodes: [role(60, 'ADMIN'), { accessLevel: null, user, group: null }] },
            approvalRules: { nodes: [{ requiredApprovals: 2, accessLevel: null, user, group: null }] },
          },
          {
            name: 'production',
            project: null,
            group: { fullPath: root.full_path },
            deployAccessLevels: { nodes: [{ accessLevel: null, user: null, group: { fullPath: root.full_path } }] },
            approvalRules: { nodes: [] },
          },
        ],
      },
    },
    { name: 'staging', protectedEnvironments: { nodes: [] } },
  ]);
  const reporter = app.as(await app.build.member(project, 'reporter'));
  const nodes = await ask(reporter);
  t.deepEqual(
    nodes.map((node: { protectedEnvironments: unknown }) => node.protectedEnvironments),
    [null, null],
  );
});
