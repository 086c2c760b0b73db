import test from 'ava';
import { approveDeployment } from '../../../shared/deployments/deployments/approve-deployment.js';
import { createDeployment, getDeployment } from '../../../shared/deployments/deployments/deployment.operations.js';
import { protectedEnvironmentOperations } from '../../../shared/deployments/protected-environments/protected-environment.operations.js';
import { useApp } from '../../core/app.js';
import { createDeployProject } from './deploy-project.js';

const app = useApp(test);

test.serial('requests about a place with rules need no more statements than they declare', async (t) => {
  const { root, project, path, sha, protectRoot } = await createDeployProject(app);
  const owner = app.as(root.owner);
  const user = await app.build.groupMember(root, 'maintainer');
  await protectRoot({ approval_rules: [{ access_level: 40 }, { user_id: user.id }] });
  const { list, get, create, update, remove } = protectedEnvironmentOperations.project;
  const within = async (declared: { name: string; statements: number }, run: () => Promise<{ status: number }>) => {
    let status = 0;
    const count = await app.statementsOf(async () => {
      status = (await run()).status;
    });
    t.true(status < 300, `${declared.name}: ${status}`);
    t.true(count <= declared.statements, `${declared.name}: ${count} of ${declared.statements}`);
    t.log(`${declared.name}: ${count} of ${declared.statements}`);
  };
  const protectedPath = `${path}/protected_environments`;
  const levels = [{ access_level: 40 }, { user_id: user.id }];
  await within(create, () =>
    owner.post(protectedPath, { name: 'production', deploy_access_levels: levels, approval_rules: levels }),
  );
  const { body } = await owner.get(`${protectedPath}/production`);
  const [level] = body.deploy_access_levels;
  const [rule, other] = body.approval_rules;
  await within(list, () => owner.get(protectedPath));
  await within(get, () => owner.get(`${protectedPath}/production`));
  await within(update, () =>
    owner.put(`${protectedPath}/production`, {
      deploy_access_levels: [{ id: level.id, access_level: 30 }, { user_id: root.owner.id }],
      approval_rules: [{ id: rule.id, access_level: 30 }, { id: other.id, _destroy: true }, { user_id: user.id }],
      required_approval_count: 1,
    }),
  );
  const deployment = { environment: 'production', ref: 'main', sha, tag: false, status: 'created' };
  await within(createDeployment, () => owner.post(`${path}/deployments`, deployment));
  const [newDeployment] = (await owner.get(`${path}/deployments`)).body;
  await within(approveDeployment, () =>
    app.as(user).post(`${path}/deployments/${newDeployment.id}/approval`, { status: 'rejected', comment: 'No' }),
  );
  await within(getDeployment, () => owner.get(`${path}/deployments/${newDeployment.id}`));
  await within(remove, () => owner.delete(`${protectedPath}/production`));
  t.truthy(project);
});
