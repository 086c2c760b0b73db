import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** A protected environment: a name in a project, or a deployment tier in and below a group. */
export const ProtectedEnvironment = defineEntity({
  name: 'ProtectedEnvironment',
  tableName: 'protected_environments',
  properties: {
    id: id(),
    /** Where it belongs: exactly one of the two. */
    project_id: reference().nullable(),
    namespace_id: reference().nullable(),
    name: p.string(),
    /** Approvals that a deployment takes where no rule says whose. */
    required_approval_count: p.integer(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type ProtectedEnvironment = InferEntity<typeof ProtectedEnvironment>;

/** Who may deploy: exactly one of a role, a user and a group. */
export const ProtectedEnvironmentDeployLevel = defineEntity({
  name: 'ProtectedEnvironmentDeployLevel',
  tableName: 'protected_environment_deploy_levels',
  properties: {
    id: id(),
    protected_environment_id: reference(),
    access_level: p.integer().nullable(),
    user_id: reference().nullable(),
    group_id: reference().nullable(),
    /** 0: direct members of the group; 1: inherited ones too. */
    group_inheritance_type: p.integer(),
  },
});

/** Who has to approve, and how many of them: exactly one of a role, a user and a group. */
export const ProtectedEnvironmentApprovalRule = defineEntity({
  name: 'ProtectedEnvironmentApprovalRule',
  tableName: 'protected_environment_approval_rules',
  properties: {
    id: id(),
    protected_environment_id: reference(),
    access_level: p.integer().nullable(),
    user_id: reference().nullable(),
    group_id: reference().nullable(),
    group_inheritance_type: p.integer(),
    required_approvals: p.integer(),
  },
});
