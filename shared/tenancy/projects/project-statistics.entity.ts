import { defineEntity, id, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from './project.entity.js';

const bytes = () => p.bigint('number');

/** Storage sizes of a project, in bytes, and results of analyzing its repository: updated by a job after each push. */
export const ProjectStatistics = defineEntity({
  name: 'ProjectStatistics',
  tableName: 'project_statistics',
  properties: {
    id: id(),
    project_id: relation(Project),
    /** Commits of the default branch. */
    commit_count: p.bigint('number'),
    repository_size: bytes(),
    wiki_size: bytes(),
    lfs_objects_size: bytes(),
    job_artifacts_size: bytes(),
    pipeline_artifacts_size: bytes(),
    packages_size: bytes(),
    snippets_size: bytes(),
    uploads_size: bytes(),
    container_registry_size: bytes(),
    /** The sum of all sizes but the registry's, computed by the database. */
    storage_size: bytes(),
    /** The commit of the default branch that the rest was found in. */
    head_sha: p.string().nullable(),
    readme_path: p.string().nullable(),
    license_path: p.string().nullable(),
    /** `mit`; `other` for a licence file that is no known text. */
    license_key: p.string().nullable(),
  },
});
export type ProjectStatistics = InferEntity<typeof ProjectStatistics>;

/** Bytes of each programming language in the default branch. */
export const ProjectLanguage = defineEntity({
  name: 'ProjectLanguage',
  tableName: 'project_languages',
  properties: {
    id: id(),
    project_id: relation(Project),
    /** As linguist spells it: `JavaScript`. */
    name: p.string(),
    bytes: bytes(),
  },
});
export type ProjectLanguage = InferEntity<typeof ProjectLanguage>;
