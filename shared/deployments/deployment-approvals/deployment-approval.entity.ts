import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { ProtectedEnvironmentApprovalRule } from '../protected-environments/protected-environment.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** What somebody said about a deployment that waits for approvals: once for each rule that they stand for. */
export const DeploymentApproval = defineEntity({
  name: 'DeploymentApproval',
  tableName: 'deployment_approvals',
  properties: {
    id: id(),
    project_id: relation(Project),
    deployment_id: reference(),
    user_id: relation(User).nullable(),
    /** Whether it was said by a rule, which may be gone by now. */
    by_rule: p.boolean(),
    approval_rule_id: relation(ProtectedEnvironmentApprovalRule).nullable(),
    /** `approved` or `rejected`. */
    status: p.string(),
    comment: p.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type DeploymentApproval = InferEntity<typeof DeploymentApproval>;
