import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';

/** The record of a non-project repository: of a wiki or snippet. It has one branch, which is indexed here. */
export const ContentRepository = defineEntity({
  name: 'ContentRepository',
  tableName: 'content_repositories',
  properties: {
    id: id(),
    /** Its owner: exactly one of the three. */
    project_id: relation(Project).nullable(),
    namespace_id: relation(Namespace).nullable(),
    snippet_id: reference().nullable(),
    /** Its only branch, which HEAD names. */
    branch: p.string(),
    /** The head of the branch; null before the first commit. */
    head_sha: p.string().nullable(),
    /** On disk. */
    size_bytes: p.bigint('number').default(0),
    /** Commits and pushes since it was packed. */
    writes_since_upkeep: p.integer().default(0),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type ContentRepository = InferEntity<typeof ContentRepository>;

/** A repository of a wiki or snippet that is to be removed from the disk. */
export const RemovedContentRepository = defineEntity({
  name: 'RemovedContentRepository',
  tableName: 'removed_content_repositories',
  properties: {
    id: reference().primary(),
    project_id: reference().nullable(),
    namespace_id: reference().nullable(),
    snippet_id: reference().nullable(),
  },
});
