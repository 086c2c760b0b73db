import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { createDeployProject } from './deploy-project.js';
import type { Entry } from './protections.js';

const app = useApp(test);

interface Protection {
  name: string;
  deploy_access_levels: Entry[];
  approval_rules: Entry[];
  required_approval_count: number;
}

for (const kind of ['project', 'group'] as const)
  // Contract: protected-environments-8.terraform, protected-environments.client
  test(`@gitbeaker/rest goes through the whole cycle of a ${kind}, and another order of entries changes nothing`, async (t) => {
    const { root, project } = await createDeployProject(app);
    const client = new Gitlab({ host: app.url, token: root.owner.token });
    const { id } = kind === 'project' ? project : root;
    const api = kind === 'project' ? client.ProjectProtectedEnvironments : client.GroupProtectedEnvironments;
    const levels = [{ accessLevel: 40 }, { userId: root.owner.id }] as never[];
    const protection = (await api.create(id, 'production', levels, { approvalRules: levels })) as unknown as Protection;
    t.is(protection.deploy_access_levels.length, 2);
    t.is(protection.approval_rules.length, 2);
    t.deepEqual(await api.all(id), [protection] as never);
    t.deepEqual(await api.show(id, 'production'), protection as never);
    const sent = (entries: Entry[]) =>
      entries.toReversed().map((entry) => ({
        id: entry.id,
        ...(entry.access_level === null ? { userId: entry.user_id } : { accessLevel: entry.access_level }),
        ...(entry.required_approvals ? { requiredApprovals: entry.required_approvals } : {}),
      })) as never[];
    const edited = await api.edit(id, 'production', {
      deployAccessLevels: sent(protection.deploy_access_levels),
      approvalRules: sent(protection.approval_rules),
    });
    t.deepEqual(edited, protection as never);
    const [first] = protection.deploy_access_levels as [Entry];
    const without = await api.edit(id, 'production', {
      deployAccessLevels: [{ id: first.id, _destroy: true }] as never,
      requiredApprovalCount: 1,
    });
    t.is((without as unknown as Protection).deploy_access_levels.length, 1);
    t.is(without.required_approval_count, 1);
    await api.remove(id, 'production');
    t.deepEqual(await api.all(id), []);
  });

// Contract: protected-environments-7.approve, protected-environments.client
test('@gitbeaker/rest approves a deployment', async (t) => {
  const { root, project, protectProject, waiting } = await createDeployProject(app);
  await protectProject({ approval_rules: [{ access_level: 40 }] });
  const deployer = await app.build.member(project, 'developer');
  const { id } = await waiting(deployer);
  const { Deployments } = new Gitlab({ host: app.url, token: root.owner.token });
  await Deployments.setApproval(project.id, id, 'approved', { comment: 'Fine' });
  const deployment = (await Deployments.show(project.id, id)) as unknown as { status: string; approvals: object[] };
  t.is(deployment.status, 'created');
  t.like(deployment.approvals[0], { status: 'approved', comment: 'Fine' });
});
