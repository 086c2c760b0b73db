import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';

/** Who can see a snippet, in addition to its author. */
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

/** The client that created a snippet. */
export const SnippetUserAgent = defineEntity({
  name: 'SnippetUserAgent',
  tableName: 'snippet_user_agents',
  properties: {
    snippet_id: relation(Snippet).primary(),
    user_agent: p.string(),
    ip_address: p.string(),
  },
});
export type SnippetUserAgent = InferEntity<typeof SnippetUserAgent>;

/** A snippet as lists hold it, of whatever project. */
export interface ListedSnippet extends Snippet {
  author: UserSummary | null;
  /** Of its project; null for a personal one. */
  full_path: string | null;
  /** Of its repository. */
  branch: string;
  /** Null before the first commit. */
  head_sha: string | null;
}

/** A snippet with its project, null for a personal one, as needed for permission checks. */
export interface SnippetRecord extends ListedSnippet {
  project: ProjectRecord | null;
}

/** A snippet that lies in a project. */
export interface ProjectSnippetRecord extends ListedSnippet {
  project: ProjectRecord;
}
