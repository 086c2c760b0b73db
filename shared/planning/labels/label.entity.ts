import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';

/** A label of a project, or of a group and all projects below it. */
export const Label = defineEntity({
  name: 'Label',
  tableName: 'labels',
  properties: {
    id: id(),
    /** Where it belongs: exactly one of the two. */
    project_id: relation(Project).nullable(),
    namespace_id: relation(Namespace).nullable(),
    title: p.string(),
    /** `#rrggbb`. */
    color: p.string(),
    description: p.string().nullable(),
    archived: p.boolean(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Label = InferEntity<typeof Label>;
