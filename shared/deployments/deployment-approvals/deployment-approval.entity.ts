import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { ProtectedEnvironmentApprovalRule } from '../protected-environments/protected-environment.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** A user's approval or rejection of a blocked deployment: one for each rule that the user represents. */
export const DeploymentApproval = defineEntity({
  name: 'DeploymentApproval',
  tableName: 'deployment_approvals',
  properties: {
    id: id(),
    project_id: relation(Project),
    deployment_id: reference(),
    user_id: relation(User).nullable(),
    /** Whether it was given under a rule, which may have been deleted since. */
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
