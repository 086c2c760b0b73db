import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** A label of a project, or of a group and all projects below it. */
export const Label = defineEntity({
  name: 'Label',
  tableName: 'labels',
  properties: {
    id: id(),
    /** Where it belongs: exactly one of the two. */
    project_id: reference().nullable(),
    namespace_id: reference().nullable(),
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
