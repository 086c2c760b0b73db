import { defineEntity, id, instant, p, reference } from '../../core/entity.js';
import type { InferEntity } from '../../core/entity.js';

export const Project = defineEntity({
  name: 'Project',
  tableName: 'projects',
  properties: {
    id: id(),
    namespace_id: reference(),
    creator_id: reference().nullable(),
    name: p.string(),
    path: p.string(),
    description: p.string().nullable(),
    /** `private`, `internal`, `public`. */
    visibility: p.string(),
    /** Null while the repository has no branch. */
    default_branch: p.string().nullable(),
    /** Whether the bare repository exists on disk: it is made on first write. */
    repository_created: p.boolean(),
    archived: p.boolean(),
    marked_for_deletion_at: instant().nullable(),
    /** Set once its removal for good has begun: from then on nobody sees it. */
    removal_started_at: instant().nullable(),
    /** What it was forked from, as long as that exists. */
    forked_from_id: reference().nullable(),
    /** How far its repository is brought in: `none`, `scheduled`, `started`, `finished`, `failed`. */
    import_status: p.string(),
    import_error: p.string().nullable(),
    /** "Public pipelines": who may read the project may read its pipelines and schedules. */
    public_jobs: p.boolean(),
    /** `disabled`, `private` (members only) or `enabled`. */
    builds_access_level: p.string(),
    repository_access_level: p.string(),
    issues_access_level: p.string(),
    merge_requests_access_level: p.string(),
    forking_access_level: p.string(),
    wiki_access_level: p.string(),
    snippets_access_level: p.string(),
    environments_access_level: p.string(),
    analytics_access_level: p.string(),
    /** Name of the picture's file; null for none. */
    avatar: p.string().nullable(),
    /** Where it was imported from, such as `git`; null for a project made here. */
    import_type: p.string().nullable(),
    /** `no_one_allowed`, `developer`, `maintainer` or `owner`. */
    ci_pipeline_variables_minimum_override_role: p.string(),
    star_count: p.integer(),
    last_activity_at: instant(),
    created_at: instant(),
    updated_at: instant(),
  },
});
export type Project = InferEntity<typeof Project>;
