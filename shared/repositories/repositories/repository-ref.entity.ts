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
    /** The object that the ref points at: a commit, or an annotated tag's own object. */
    object_sha: p.string(),
    /** The peeled commit; other refs may hold any object, which is then repeated here. */
    target_sha: p.string(),
    /** Date of the commit or of the annotated tag, in seconds since 1970; 0 if unknown. */
    git_date: p.bigint('number'),
    /** The object of the date; a different one, or null, until a job has updated it. */
    dated_sha: p.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type RepositoryRef = InferEntity<typeof RepositoryRef>;
