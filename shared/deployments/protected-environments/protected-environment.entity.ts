import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** A protected environment: a name in a project, or a deployment tier in and below a group. */
export const ProtectedEnvironment = defineEntity({
  name: 'ProtectedEnvironment',
  tableName: 'protected_environments',
  properties: {
    id: id(),
    /** The container it belongs to: exactly one of the two. */
    project_id: relation(Project).nullable(),
    namespace_id: relation(Namespace).nullable(),
    name: p.string(),
    /** Number of approvals that a deployment requires if there are no approval rules. */
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
    protected_environment_id: relation(ProtectedEnvironment),
    access_level: p.integer().nullable(),
    user_id: relation(User).nullable(),
    group_id: relation(Namespace).nullable(),
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
    protected_environment_id: relation(ProtectedEnvironment),
    access_level: p.integer().nullable(),
    user_id: relation(User).nullable(),
    group_id: relation(Namespace).nullable(),
    group_inheritance_type: p.integer(),
    required_approvals: p.integer(),
  },
});
