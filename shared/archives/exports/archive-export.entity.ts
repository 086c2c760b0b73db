import { defineEntity, id, p, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { StoredObject } from '../../core/stored-files/stored-object.entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** How far a relation is written. */
export interface RelationProgress {
  readonly relation: string;
  readonly total: number;
  readonly done: number;
}

/** An export of a group or project that a user requested, with its archive once that is written. */
export const ArchiveExport = defineEntity({
  name: 'ArchiveExport',
  tableName: 'archive_exports',
  properties: {
    id: id(),
    /** The exported container: exactly one of the two. */
    project_id: relation(Project).nullable(),
    namespace_id: relation(Namespace).nullable(),
    /** The owner: no other user sees the archive. */
    user_id: relation(User),
    /** `queued`, `started`, then `finished`, `failed` or `cancelled`. */
    state: p.string(),
    /** Of the queue. */
    job_id: p.string().columnType('uuid'),
    /** Tries so far. */
    attempts: p.integer(),
    progress: p.json().$type<readonly RelationProgress[]>(),
    /** Why it failed, or what went wrong with the last try. */
    error: p.string().nullable(),
    /** Of a project: the description that the archive has instead of its own. */
    description: p.string().nullable(),
    /** The archive; of finished ones alone. */
    object_id: relation(StoredObject).nullable(),
    filename: p.string().nullable(),
    /**
     * For a project: the upload URL, encrypted; null once the upload is finished, or if the archive is not uploaded.
     */
    upload_url: p.uint8array().nullable(),
    upload_method: p.string().nullable(),
    /** `waiting`, `sent` or `failed`; null where the archive is not to be sent. */
    upload_state: p.string().nullable(),
    upload_error: p.string().nullable(),
    created_at: timestamp(),
    started_at: timestamp().nullable(),
    finished_at: timestamp().nullable(),
    expires_at: timestamp().nullable(),
  },
});

export type ArchiveExport = InferEntity<typeof ArchiveExport>;

/** The export of one relation of a group that a user requested. */
export const RelationExport = defineEntity({
  name: 'RelationExport',
  tableName: 'relation_exports',
  properties: {
    id: id(),
    namespace_id: relation(Namespace),
    /** The owner: no other user sees it. */
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
