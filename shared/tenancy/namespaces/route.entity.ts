import { whenTaken } from '../../core/values/database-errors.js';
import { Invalid } from '../../core/values/errors.js';
import { defineEntity, id, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from './namespace.entity.js';

/** The full path and full name of a namespace or project: what `group/sub/project` in a URL is looked up by. */
export const Route = defineEntity({
  name: 'Route',
  tableName: 'routes',
  properties: {
    id: id(),
    namespace_id: relation(Namespace).nullable(),
    project_id: reference().nullable(),
    /** `group/sub/project`; unique without regard to case. */
    path: p.string(),
    /** `Group / Sub / Project`. */
    name: p.string(),
  },
});
export type Route = InferEntity<typeof Route>;

whenTaken('routes_path', () => new Invalid({ path: ['has already been taken'] }));
