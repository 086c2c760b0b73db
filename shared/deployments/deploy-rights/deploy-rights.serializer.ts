import { out, serializer } from '../../core/operations/serializer.js';
import type { GoverningEnvironment } from '../protected-environments/governing.js';
import {
  approvalRuleSerializer,
  deployAccessLevelSerializer,
} from '../protected-environments/protected-environment.serializer.js';
import type { DeployRights, DeployVerdict } from './who-may-deploy.js';

const governingSerializer = serializer<GoverningEnvironment>('GoverningEnvironment', {
  name: out.text((governing) => governing.name, {
    description: 'Name of the environment for a project, or of the deployment tier for a group.',
  }),
  project_id: out.nullableInteger(({ container }) => (container.kind === 'project' ? container.id : null)),
  group_id: out.nullableInteger(({ container }) => (container.kind === 'group' ? container.id : null)),
  full_path: out.text(({ container }) => container.full_path),
  deploy_access_levels: out.records(deployAccessLevelSerializer, (governing) => governing.deploy_access_levels),
  required_approval_count: out.integer((governing) => governing.required_approval_count),
  approval_rules: out.records(approvalRuleSerializer, (governing) => governing.approval_rules),
});

const verdictSerializer = serializer<DeployVerdict>('DeployVerdict', {
  user_id: out.integer((verdict) => verdict.user_id),
  may_deploy: out.boolean((verdict) => verdict.may_deploy),
  reason: out.text((verdict) => verdict.reason),
});

/** Who may deploy to an environment. */
export const deployRightsSerializer = serializer<DeployRights>('DeployRights', {
  protected: out.boolean(({ governing }) => governing.length > 0),
  protected_environments: out.records(governingSerializer, ({ governing }) => governing, {
    description:
      'Protected environments that govern the environment, from the project up to the root group: each has to admit the user who deploys.',
  }),
  required_approvals: out.integer((rights) => rights.required_approvals, {
    description: 'Total number of approvals required for a deployment.',
  }),
  user: out.nullableRecord(verdictSerializer, ({ verdict }) => verdict, {
    description: 'Right of the user with the ID `user_id` to deploy, and the reason for it.',
  }),
});
