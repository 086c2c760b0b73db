import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';

/** A picture with a link on the page of a project, or of all projects of a group. */
export const Badge = defineEntity({
  name: 'Badge',
  tableName: 'badges',
  properties: {
    id: id(),
    /** The owner: exactly one of the two is set. */
    project_id: relation(Project).nullable(),
    namespace_id: relation(Namespace).nullable(),
    name: p.string().nullable(),
    /** With placeholders such as `%{project_path}`. */
    link_url: p.string(),
    image_url: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Badge = InferEntity<typeof Badge>;
