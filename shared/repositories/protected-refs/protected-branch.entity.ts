import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** A rule for branch names: who may push to them, merge into them, and unprotect them. */
export const ProtectedBranch = defineEntity({
  name: 'ProtectedBranch',
  tableName: 'protected_branches',
  properties: {
    id: id(),
    project_id: relation(Project),
    /** A branch's name, or a pattern: each `*` is any run of characters. */
    name: p.string(),
    /** The same as a pattern for LIKE, made by the database. */
    name_pattern: p.string(),
    allow_force_push: p.boolean(),
    code_owner_approval_required: p.boolean(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type ProtectedBranch = InferEntity<typeof ProtectedBranch>;

/** An access entry of a rule for one action: exactly one of a role, a user, a group and a deploy key. */
export const ProtectedBranchAccessLevel = defineEntity({
  name: 'ProtectedBranchAccessLevel',
  tableName: 'protected_branch_access_levels',
  properties: {
    id: id(),
    project_id: relation(Project),
    protected_branch_id: relation(ProtectedBranch),
    /** `push`, `merge` or `unprotect`. */
    action: p.string(),
    access_level: p.integer().nullable(),
    user_id: relation(User).nullable(),
    group_id: relation(Namespace).nullable(),
    deploy_key_id: reference().nullable(),
  },
});
export type ProtectedBranchAccessLevel = InferEntity<typeof ProtectedBranchAccessLevel>;
