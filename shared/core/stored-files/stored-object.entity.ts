import { defineEntity, id, p, timestamp } from '../database/entity.js';
import type { InferEntity } from '../database/entity.js';
import type { TablesOf } from '../database/tables.js';

/**
 * Bytes in the object store that belong to a row of an area, which references this row in a column `object_id`. When
 * that row is deleted, the trigger that each such table has sets `removed_at`, and a job removes bytes and row.
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
    /** When the object became unused. */
    removed_at: timestamp().nullable(),
  },
});
export type StoredObject = InferEntity<typeof StoredObject>;

/** What queries about objects alone may name. */
export interface ObjectsDatabase extends TablesOf<typeof StoredObject> {}
