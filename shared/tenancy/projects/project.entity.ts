import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { recordColumns } from '../namespaces/declared-settings.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { declaredSettings } from './declared-settings.js';

/** `last_activity_at` moves at most once in so many milliseconds: it is indexed, and each move writes the whole row. */
export const ACTIVITY_INTERVAL_MS = 60_000;

export const Project = defineEntity({
  name: 'Project',
  tableName: 'projects',
  properties: {
    id: id(),
    namespace_id: relation(Namespace),
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
    marked_for_deletion_at: timestamp().nullable(),
    /** Set once permanent removal has begun; from then on the project is hidden from all callers. */
    removal_started_at: timestamp().nullable(),
    /** What it was forked from, as long as that exists. */
    forked_from_id: reference().nullable(),
    /** Import status of its repository: `none`, `scheduled`, `started`, `finished`, `failed`. */
    import_status: p.string(),
    import_error: p.string().nullable(),
    // Settings that rights and filters of lists depend on; see project_settings for the others.
    ...recordColumns(declaredSettings),
    /** Name of the picture's file; null for none. */
    avatar: p.string().nullable(),
    /** Import source, such as `git`; null for a project created here. */
    import_type: p.string().nullable(),
    star_count: p.integer(),
    last_activity_at: timestamp(),
    /** Writes to the repository since housekeeping was last done there, or began to be counted. */
    writes_since_upkeep: p.integer(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Project = InferEntity<typeof Project>;

/** The last day (UTC) on which a user pushed to a project. */
export const ProjectContribution = defineEntity({
  name: 'ProjectContribution',
  tableName: 'project_contributions',
  properties: {
    id: id(),
    project_id: relation(Project),
    user_id: reference(),
    contributed_on: p.string().columnType('date'),
  },
});
export type ProjectContribution = InferEntity<typeof ProjectContribution>;

/** A project as a caller sees it: with its namespace, its full path, and the caller's access. */
export interface ProjectRecord extends Project {
  full_path: string;
  full_name: string;
  access: number;
  namespace: Namespace & { full_path: string };
  /** Sort value, in lists ordered by something outside the record. */
  ordering?: number;
  /** Whether groups are invited to it. */
  shared: boolean;
}
