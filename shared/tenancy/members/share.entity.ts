import type { ByContainer } from '../../core/operations/container.js';
import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { Project } from '../projects/project.entity.js';

/** A group that is invited to a project: its members have their own role there, at most `group_access`. */
export const ProjectShare = defineEntity({
  name: 'ProjectShare',
  tableName: 'project_shares',
  properties: {
    id: id(),
    project_id: relation(Project),
    /** The invited group. */
    group_id: relation(Namespace),
    group_access: p.integer(),
    /** The day on which the share ends, UTC. */
    expires_on: p.string().columnType('date').nullable(),
    created_at: timestamp(),
  },
});
export type ProjectShare = InferEntity<typeof ProjectShare>;

/** A group that is invited to another one, and so to everything below that. */
export const GroupShare = defineEntity({
  name: 'GroupShare',
  tableName: 'group_shares',
  properties: {
    id: id(),
    /** The group that is shared. */
    namespace_id: relation(Namespace),
    /** The invited group. */
    group_id: relation(Namespace),
    group_access: p.integer(),
    expires_on: p.string().columnType('date').nullable(),
    created_at: timestamp(),
  },
});
export type GroupShare = InferEntity<typeof GroupShare>;

/** Entity by container kind. Typed as group shares, because the common columns have the same types. */
export const SHARES: ByContainer<typeof GroupShare> = {
  group: GroupShare,
  project: ProjectShare as unknown as typeof GroupShare,
};
