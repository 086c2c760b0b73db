import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** A picture with a link on the page of a project, or of all projects of a group. */
export const Badge = defineEntity({
  name: 'Badge',
  tableName: 'badges',
  properties: {
    id: id(),
    /** Where it belongs: exactly one of the two. */
    project_id: reference().nullable(),
    namespace_id: reference().nullable(),
    name: p.string().nullable(),
    /** With placeholders such as `%{project_path}`. */
    link_url: p.string(),
    image_url: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Badge = InferEntity<typeof Badge>;
