import { defineEntity, id, p, reference, timestamp } from '../../core/entity.js';
import type { InferEntity } from '../../core/entity.js';

/** That somebody did something in a project. What it was in detail is told beside it, by a table for each kind. */
export const ProjectEvent = defineEntity({
  name: 'ProjectEvent',
  tableName: 'events',
  properties: {
    id: id(),
    project_id: reference(),
    author_id: reference(),
    /** `pushed`. */
    action: p.string(),
    created_at: timestamp(),
  },
});
export type ProjectEvent = InferEntity<typeof ProjectEvent>;
