import { defineEntity, id, instant, p, reference } from '../core/entity.js';
import type { InferEntity } from '../core/entity.js';

/** The index of a repository's branches and tags, so that hot paths and workers need no disk. */
export const RepositoryRef = defineEntity({
  name: 'RepositoryRef',
  tableName: 'repository_refs',
  properties: {
    id: id(),
    project_id: reference(),
    /** `branch` or `tag`. */
    kind: p.string(),
    /** `refs/heads/main`. */
    full_name: p.string(),
    /** `main`. */
    name: p.string(),
    /** What the ref points at: a commit, or an annotated tag's own object. */
    object_sha: p.string(),
    /** The commit behind it. */
    target_sha: p.string(),
    created_at: instant(),
    updated_at: instant(),
  },
});
export type RepositoryRef = InferEntity<typeof RepositoryRef>;
