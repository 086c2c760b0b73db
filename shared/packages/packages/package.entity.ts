import { defineEntity, id, p, relation, reference, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import { Pipeline } from '../../ci/pipelines/pipeline.entity.js';
import { StoredObject } from '../../core/stored-files/stored-object.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';

/** One version of a package of a project. */
export const Package = defineEntity({
  name: 'Package',
  tableName: 'packages',
  properties: {
    id: id(),
    project_id: relation(Project),
    name: p.string(),
    version: p.string(),
    package_type: p.string(),
    /** `default`, or `hidden` from lists. */
    status: p.string(),
    creator_id: relation(User).nullable(),
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
    project_id: relation(Project),
    package_id: relation(Package),
    /** Its bytes. */
    object_id: relation(StoredObject),
    /** The pipeline that it came from. */
    pipeline_id: relation(Pipeline).nullable(),
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

/** A package with the project that it is in. */
export interface PackageRecord extends Package {
  project: ProjectRecord;
}

/** A package in a list over many projects. */
export interface ListedPackage extends Package {
  project: { full_path: string };
}

/** A file of a package that the caller may read. */
export interface PackageFileRecord extends PackageFile {
  project: ProjectRecord;
}
