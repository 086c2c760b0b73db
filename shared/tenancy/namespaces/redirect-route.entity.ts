import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** A full path that a project had before, and that nothing has taken since. */
export const RedirectRoute = defineEntity({
  name: 'RedirectRoute',
  tableName: 'redirect_routes',
  properties: {
    id: id(),
    project_id: reference(),
    path: p.string(),
    created_at: timestamp(),
  },
});
export type RedirectRoute = InferEntity<typeof RedirectRoute>;
