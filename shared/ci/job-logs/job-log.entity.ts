import { defineEntity, id, p, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { StoredObject } from '../../core/stored-files/stored-object.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { Job } from '../pipelines/job.entity.js';

/** The log of a job: its bytes are in chunks while the job runs, then in an object. */
export const JobLog = defineEntity({
  name: 'JobLog',
  tableName: 'job_logs',
  properties: {
    id: id(),
    project_id: relation(Project),
    job_id: relation(Job),
    /** Its bytes, once it is sealed; null also for an empty or erased log. */
    object_id: relation(StoredObject).nullable(),
    bytes: p.bigint('number'),
    /** Of all its bytes, as an unsigned number. */
    crc32: p.bigint('number'),
    /** The runner marked it: it may show values of variables. */
    debug_trace: p.boolean(),
    /** How often its runner was told that the bytes do not match its checksum. */
    rejections: p.smallint(),
    /** When the runner first reported the end of the job before all bytes were here. */
    awaited_since: timestamp().nullable(),
    /** Somebody follows it until then. */
    watched_until: timestamp().nullable(),
    /** Nothing is added any more. */
    sealed_at: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type JobLog = InferEntity<typeof JobLog>;

/** Bytes of a log that is not sealed, without gaps: each chunk starts where the one before it ends. */
export const JobLogChunk = defineEntity({
  name: 'JobLogChunk',
  tableName: 'job_log_chunks',
  properties: {
    id: id(),
    project_id: relation(Project),
    job_id: relation(Job),
    /** Position of its first byte in the log. */
    start: p.bigint('number'),
    /** Of all bytes before it, so that a log that is cut need not be read from its beginning. */
    crc32_before: p.bigint('number'),
    data: p.uint8array(),
  },
});
export type JobLogChunk = InferEntity<typeof JobLogChunk>;
