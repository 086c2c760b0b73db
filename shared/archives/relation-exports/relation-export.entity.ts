import { defineEntity, id, p, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import { StoredObject } from '../../core/stored-files/stored-object.entity.js';

/** The export of one relation of a group that a user requested. */
export const RelationExport = defineEntity({
  name: 'RelationExport',
  tableName: 'relation_exports',
  properties: {
    id: id(),
    namespace_id: relation(Namespace),
    /** Whose it is: nobody else sees it. */
    user_id: relation(User),
    relation: p.string(),
    /** `started`, then `finished` or `failed`. */
    state: p.string(),
    /** Whether it is written in files of a limited number of objects. */
    batched: p.boolean(),
    /** Of the queue. */
    job_id: p.string().columnType('uuid'),
    /** Requests and tries so far. */
    attempts: p.integer(),
    /** Why it failed, or what went wrong with the last try. */
    error: p.string().nullable(),
    /** Objects that are written. */
    objects_count: p.bigint('number'),
    updated_at: timestamp(),
    expires_at: timestamp(),
  },
});
export type RelationExport = InferEntity<typeof RelationExport>;

/** One gzipped file of an export of a relation: a JSON object a line. */
export const RelationExportFile = defineEntity({
  name: 'RelationExportFile',
  tableName: 'relation_export_files',
  properties: {
    id: id(),
    export_id: relation(RelationExport),
    /** From 1. */
    batch_number: p.integer(),
    objects_count: p.integer(),
    object_id: relation(StoredObject),
    created_at: timestamp(),
  },
});
