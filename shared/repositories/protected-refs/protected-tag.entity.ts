import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** A rule for tag names: who may create them. */
export const ProtectedTag = defineEntity({
  name: 'ProtectedTag',
  tableName: 'protected_tags',
  properties: {
    id: id(),
    project_id: relation(Project),
    /** A tag's name, or a pattern: each `*` is any run of characters. */
    name: p.string(),
    /** The same as a pattern for LIKE, made by the database. */
    name_pattern: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type ProtectedTag = InferEntity<typeof ProtectedTag>;

/** An access entry for creating tags protected by a rule: exactly one of a role, a user, a group and a deploy key. */
export const ProtectedTagAccessLevel = defineEntity({
  name: 'ProtectedTagAccessLevel',
  tableName: 'protected_tag_access_levels',
  properties: {
    id: id(),
    project_id: relation(Project),
    protected_tag_id: relation(ProtectedTag),
    /** Always `create`. */
    action: p.string(),
    access_level: p.integer().nullable(),
    user_id: relation(User).nullable(),
    group_id: relation(Namespace).nullable(),
    deploy_key_id: reference().nullable(),
  },
});
