import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';

/** The index of a repository's branches, tags and other refs that were pushed, so that hot paths and workers need no disk. */
export const RepositoryRef = defineEntity({
  name: 'RepositoryRef',
  tableName: 'repository_refs',
  properties: {
    id: id(),
    project_id: relation(Project),
    /** `branch`, `tag` or `other`. */
    kind: p.string(),
    /** `refs/heads/main`. */
    full_name: p.string(),
    /** `main`; of other refs the full name. */
    name: p.string(),
    /** What the ref points at: a commit, or an annotated tag's own object. */
    object_sha: p.string(),
    /** The commit behind it; other refs may hold anything, which is then told here too. */
    target_sha: p.string(),
    /** When the commit was committed or the annotated tag made, in seconds since 1970; 0 where nothing says so. */
    git_date: p.bigint('number'),
    /** The object whose date it is; another one, or null, until a job has looked. */
    dated_sha: p.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type RepositoryRef = InferEntity<typeof RepositoryRef>;
