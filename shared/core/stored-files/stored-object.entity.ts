import { defineEntity, id, p, timestamp } from '../database/entity.js';
import type { InferEntity } from '../database/entity.js';
import type { TablesOf } from '../database/tables.js';

/**
 * Bytes in the object store that belong to a row of some area, which names this row in a column `object_id`. With that
 * row's end `removed_at` is set, by the trigger that each such table has, and a job removes bytes and row.
 */
export const StoredObject = defineEntity({
  name: 'StoredObject',
  tableName: 'stored_objects',
  properties: {
    id: id(),
    key: p.string(),
    kind: p.string(),
    bytes: p.bigint('number'),
    /** Hexadecimal. */
    sha256: p.string(),
    created_at: timestamp(),
    /** Since when nobody reads it any more. */
    removed_at: timestamp().nullable(),
  },
});
export type StoredObject = InferEntity<typeof StoredObject>;

/** What queries about objects alone may name. */
export interface ObjectsDatabase extends TablesOf<typeof StoredObject> {}
