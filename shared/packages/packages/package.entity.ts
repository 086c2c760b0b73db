import { defineEntity, id, p, reference, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** One version of a package of a project. */
export const Package = defineEntity({
  name: 'Package',
  tableName: 'packages',
  properties: {
    id: id(),
    project_id: reference(),
    name: p.string(),
    version: p.string(),
    package_type: p.string(),
    /** `default`, or `hidden` from lists. */
    status: p.string(),
    creator_id: reference().nullable(),
    last_downloaded_at: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Package = InferEntity<typeof Package>;

/** A file of a package. Of several of one name the newest is served. */
export const PackageFile = defineEntity({
  name: 'PackageFile',
  tableName: 'package_files',
  properties: {
    id: id(),
    project_id: reference(),
    package_id: reference(),
    /** Its bytes. */
    object_id: reference(),
    /** The pipeline that it came from. */
    pipeline_id: reference().nullable(),
    file_name: p.string(),
    size: p.bigint('number'),
    /** Hexadecimal. */
    file_sha256: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type PackageFile = InferEntity<typeof PackageFile>;

/** That files of a package came from a pipeline. */
export const PackagePipeline = defineEntity({
  name: 'PackagePipeline',
  tableName: 'package_pipelines',
  properties: { id: id(), project_id: reference(), package_id: reference(), pipeline_id: reference() },
});
