import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** Who may see a snippet, beside its author. */
export const SNIPPET_VISIBILITIES = ['private', 'internal', 'public'] as const;

/** A few files with a title, of a project or of a user alone. The files lie in a repository of its own. */
export const Snippet = defineEntity({
  name: 'Snippet',
  tableName: 'snippets',
  properties: {
    id: id(),
    /** Null for a personal one. */
    project_id: relation(Project).nullable(),
    author_id: relation(User).nullable(),
    title: p.string(),
    description: p.string().nullable(),
    visibility: p.string().$type<(typeof SNIPPET_VISIBILITIES)[number]>(),
    /** Of its files, in git's order, as its repository has them. */
    file_paths: p.array().columnType('text[]'),
    user_notes_count: p.integer(),
    upvotes: p.integer(),
    downvotes: p.integer(),
    imported_from: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Snippet = InferEntity<typeof Snippet>;
