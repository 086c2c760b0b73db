import test from 'ava';
import { Gitlab } from '@gitbeaker/rest';
import { useApp } from '../core/app.js';
import { commitTo, deployingProject } from './deploying-project.js';

const app = useApp(test);

// Contract: environments-1.gitbeaker
test('@gitbeaker/rest does the whole cycle of environments', async (t) => {
  const { project } = await deployingProject(app);
  const api = new Gitlab({ host: app.url, token: project.owner.token });
  const environment = await api.Environments.create(project.id, 'review/app', { externalUrl: 'https://a.example.com' });
  t.is(environment.state, 'available');
  t.is((await api.Environments.show(project.id, environment.id)).last_deployment, null as never);
  t.is((await api.Environments.edit(project.id, environment.id, { tier: 'testing' })).tier, 'testing');
  t.is((await api.Environments.all(project.id, { search: 'rev' })).length, 1);
  t.is((await api.Environments.stop(project.id, environment.id)).state, 'stopped');
  await api.Environments.remove(project.id, environment.id);
  t.deepEqual(await api.Environments.all(project.id), []);
  const before = new Date(app.clock.now().getTime() - 30 * 86_400_000).toISOString();
  t.truthy(await api.Environments.stopStale(project.id, before));
  t.deepEqual(await api.Environments.removeReviewApps(project.id), {
    scheduled_entries: [],
    unprocessable_entries: [],
  } as never);
});

// Contract: deployments-2.gitbeaker
test('@gitbeaker/rest does the whole cycle of deployments', async (t) => {
  const created = await deployingProject(app);
  const { project, sha } = created;
  const api = new Gitlab({ host: app.url, token: project.owner.token });
  const deployment = await api.Deployments.create(project.id, 'production', sha, 'main', false, {
    status: 'running',
  } as never);
  t.is((await api.Deployments.edit(project.id, deployment.id, 'success' as never)).status, 'success' as never);
  t.is((await api.Deployments.show(project.id, deployment.id)).environment.name, 'production');
  t.is((await api.Deployments.all(project.id, { environment: 'production', status: 'success' })).length, 1);
  await api.Deployments.create(project.id, 'production', await commitTo(created), 'main', false, {
    status: 'success',
  } as never);
  t.deepEqual(await api.Deployments.allMergeRequests(project.id, deployment.id), []);
  await api.Deployments.remove(project.id, deployment.id);
  t.is((await api.Deployments.all(project.id)).length, 1);
  const reviewer = new Gitlab({ host: app.url, token: (await app.build.member(project, 'maintainer')).token });
  await api.ProjectProtectedEnvironments.create(project.id, 'production', [{ accessLevel: 40 }], {
    approvalRules: [{ accessLevel: 40, requiredApprovals: 1 }] as never,
  });
  const blocked = await api.Deployments.create(project.id, 'production', await commitTo(created), 'main', false, {
    status: 'created',
  } as never);
  t.is((await reviewer.Deployments.setApproval(project.id, blocked.id, 'approved')).status, 'approved');
  t.is((await api.Deployments.show(project.id, blocked.id)).status, 'created');
});

// Contract: environments-1.gitbeaker
test('@gitbeaker/rest registers, reads and removes agents', async (t) => {
  const { project } = await deployingProject(app);
  const api = new Gitlab({ host: app.url, token: project.owner.token });
  const agent = await api.Agents.register(project.id, 'agent-1');
  t.is((await api.Agents.show(project.id, agent.id)).name, 'agent-1');
  t.is((await api.Agents.all(project.id)).length, 1);
  await api.Agents.unregister(project.id, agent.id);
  t.deepEqual(await api.Agents.all(project.id), []);
});
