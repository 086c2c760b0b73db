import test from 'ava';
import { useApp } from '../../core/app.js';
import { createDeployProject } from './deploy-project.js';
import { groupFixture } from './protections.js';

const app = useApp(test);

interface AuditEvent {
  event_name: string;
  details: { custom_message: string; change?: string; from?: unknown; to?: unknown };
}

// Contract: protected-environments.audit
test('protecting, editing and unprotecting stand in the audit log of the group, each once', async (t) => {
  const { group, keeper, protect, update, unprotect } = await groupFixture(app);
  await protect('production', { approval_rules: [{ group_id: group.id, group_inheritance_type: 1 }] });
  await update('production', { deploy_access_levels: [{ access_level: 60 }], required_approval_count: 2 });
  await update('production', {});
  await unprotect('production');
  const { body } = await app.as(keeper).get(`/groups/${group.id}/audit_events`);
  const events = body.filter(({ event_name: name }: AuditEvent) => name.includes('environment')).toReversed();
  t.deepEqual(
    events.map(({ event_name: name, details }: AuditEvent) => [name, details.custom_message]),
    [
      ['environment_protected', 'Protected environment production'],
      [
        'protected_environment_updated',
        'Changed deploy access levels from ["Maintainers"] to ["Maintainers","Instance admins"]',
      ],
      ['protected_environment_updated', 'Changed required approval count from 0 to 2'],
      ['environment_unprotected', 'Unprotected environment production'],
    ],
  );
});

// Contract: protected-environments.audit
test('approving and rejecting stand in the audit log of the project, with whom they were said for', async (t) => {
  const { root, project, path, owner, approve, waiting, protectProject } = await createDeployProject(app);
  await protectProject({ approval_rules: [{ user_id: root.owner.id }, { access_level: 40 }] });
  const deployer = await app.build.member(project, 'developer');
  const { id } = await waiting(deployer);
  await approve(root.owner, id);
  await approve(root.owner, id);
  await approve(root.owner, id, { status: 'rejected', represented_as: 'Maintainers' });
  const { body } = await owner.get(`${path}/audit_events`);
  const events = body.filter(({ event_name: name }: AuditEvent) => /approved|rejected/.test(name)).toReversed();
  t.deepEqual(
    events.map(({ event_name: name, details }: AuditEvent) => [name, details.custom_message]),
    [
      ['deployment_approved', `Approved deployment #1 of production as ${root.owner.name}`],
      ['deployment_rejected', 'Rejected deployment #1 of production as Maintainers'],
    ],
  );
});
