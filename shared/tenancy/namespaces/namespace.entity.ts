import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** Where projects live: a group, or a user's personal namespace. */
export const Namespace = defineEntity({
  name: 'Namespace',
  tableName: 'namespaces',
  properties: {
    id: id(),
    /** `user` or `group`. */
    kind: p.string(),
    name: p.string(),
    path: p.string(),
    description: p.string(),
    visibility: p.string(),
    parent_id: reference().nullable(),
    /** Ids from the top-level namespace down to this one. */
    traversal_ids: p.array((text) => Number(text)).columnType('bigint[]'),
    /** The person whose personal namespace it is. */
    owner_id: reference().nullable(),
    /** This namespace or one above it is marked for deletion: everything in it is read-only. */
    frozen: p.boolean(),
    /** This namespace or one above it is archived: everything in it is read-only. */
    archived: p.boolean(),
    /** File name of a group's picture; people's own pictures are with them. */
    avatar: p.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Namespace = InferEntity<typeof Namespace>;
