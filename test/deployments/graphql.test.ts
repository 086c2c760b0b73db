import test from 'ava';
import { useApp } from '../core/app.js';
import { commitTo, deployingProject } from './deploying-project.js';

const app = useApp(test);

const IN_PROJECT = `query($path: ID!) { project(fullPath: $path) {
  environments { count nodes { id name slug state tier environmentType externalUrl path description autoStopAt
    createdAt updatedAt userPermissions { updateEnvironment destroyEnvironment stopEnvironment } } }
  environment(name: "production") {
    lastDeployment(status: SUCCESS) { iid sha ref tag triggerer { username } finishedAt }
    failed: lastDeployment(status: FAILED) { iid status }
    none: lastDeployment(status: RUNNING) { iid }
    deployments(orderBy: { createdAt: DESC }) { nodes { iid } }
  }
  folder: environment(type: "review") { name }
  missing: environment(name: "none") { name }
  deployment(iid: "2") { id iid status }
  gone: deployment(iid: "99") { id }
} }`;

// Contract: graphql-5.environments, graphql-5.deployments
test('a project in GraphQL has its environments with what is deployed there', async (t) => {
  const setup = await deployingProject(app);
  const { owner, project, deploy, path, sha } = setup;
  const first = (await deploy()).body;
  const failed = (await deploy({ status: 'failed' })).body;
  const next = await commitTo(setup);
  await deploy({ sha: next });
  await owner.post(`${path}/environments`, { name: 'review/x', external_url: 'https://x.example.com' });
  const { body } = await owner.graphql(IN_PROJECT, { path: project.full_path });
  t.is(body.errors, undefined);
  const found = body.data.project;
  t.is(found.environments.count, 2);
  t.like(found.environments.nodes[0], {
    id: `gid://service/Environment/${first.environment.id}`,
    name: 'production',
    slug: 'production',
    state: 'available',
    tier: 'PRODUCTION',
    environmentType: null,
    externalUrl: null,
    path: `/${project.full_path}/-/environments/${first.environment.id}`,
    userPermissions: { updateEnvironment: true, destroyEnvironment: false, stopEnvironment: true },
  });
  t.like(found.environments.nodes[1], { environmentType: 'review', externalUrl: 'https://x.example.com' });
  t.like(found.environment.lastDeployment, { iid: '3', sha: next, ref: 'main', tag: false });
  t.is(found.environment.lastDeployment.triggerer.username, project.owner.username);
  t.deepEqual(found.environment.failed, { iid: '2', status: 'FAILED' });
  t.is(found.environment.none, null);
  t.deepEqual(
    found.environment.deployments.nodes.map(({ iid }: { iid: string }) => iid),
    ['3', '2', '1'],
  );
  t.is(found.folder.name, 'review/x');
  t.is(found.missing, null);
  t.like(found.deployment, { id: `gid://service/Deployment/${failed.id}`, iid: '2' });
  t.is(found.gone, null);
  t.not(sha, next);
});

// Contract: graphql-5.environments
test('deployments are paged by when they ended, without those that run', async (t) => {
  const { owner, project, deploy } = await deployingProject(app);
  await deploy({ status: 'running' });
  for (const status of ['failed', 'canceled', 'success']) await deploy({ status });
  const query = `query($path: ID!, $after: String, $statuses: [DeploymentStatus!]) { project(fullPath: $path) {
    environment(name: "production") { deployments(first: 2, after: $after, statuses: $statuses,
      orderBy: { finishedAt: DESC }) { nodes { iid } pageInfo { endCursor hasNextPage } } } } }`;
  const page = async (after: string | null, statuses?: string[]) => {
    const { body } = await owner.graphql(query, { path: project.full_path, after, statuses });
    return body.data.project.environment.deployments;
  };
  const iids = ({ nodes }: { nodes: { iid: string }[] }) => nodes.map(({ iid }) => iid);
  const first = await page(null);
  t.deepEqual(iids(first), ['4', '3']);
  t.deepEqual(iids(await page(first.pageInfo.endCursor)), ['2']);
  t.deepEqual(iids(await page(null, ['FAILED'])), ['2']);
});

// Contract: graphql-5.environments
test('environments are asked of one project in a request, deployments of one environment', async (t) => {
  const { owner, project, deploy } = await deployingProject(app);
  const other = await app.build.project({ owner: project.owner });
  for (const environment of ['a', 'b']) await deploy({ environment });
  const two = await owner.graphql(
    `query($one: ID!, $two: ID!) { one: project(fullPath: $one) { environments { nodes { name } } }
      two: project(fullPath: $two) { environments { nodes { name } } } }`,
    { one: project.full_path, two: other.full_path },
  );
  t.is(two.body.errors[0].message, '"environments" field can be requested only for 1 Project(s) at a time.');
  const many = await owner.graphql(
    `query($path: ID!) { project(fullPath: $path) { environments(first: 2) { nodes { deployments { nodes { iid } } } } } }`,
    { path: project.full_path },
  );
  t.is(many.body.errors[0].message, '"deployments" field can be requested only for 1 Environment(s) at a time.');
});

// Contract: graphql-5.environments, graphql-5.deployments
test('who may not see environments or deployments gets null, and no error', async (t) => {
  const { project, deploy } = await deployingProject(app, { visibility: 'public' });
  await deploy();
  const query = `query($path: ID!) { project(fullPath: $path) { deployment(iid: "1") { iid }
    environment(name: "production") { name lastDeployment(status: SUCCESS) { iid } deployments { nodes { iid } }
      userPermissions { updateEnvironment stopEnvironment } } } }`;
  const reader = app.as(await app.build.user());
  const { body } = await reader.graphql(query, { path: project.full_path });
  t.is(body.errors, undefined);
  t.deepEqual(body.data.project, {
    deployment: null,
    environment: {
      name: 'production',
      lastDeployment: null,
      deployments: null,
      userPermissions: { updateEnvironment: false, stopEnvironment: false },
    },
  });
  await app.as(project.owner).put(`/projects/${project.id}`, { environments_access_level: 'private' });
  t.is((await reader.graphql(query, { path: project.full_path })).body.data.project.environment, null);
});
