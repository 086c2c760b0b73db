import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { Snippet } from './snippet.entity.js';

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

/** A snippet with its project, null for a personal one: what its policy asks. */
export interface SnippetRecord extends ListedSnippet {
  project: ProjectRecord | null;
}

/** A snippet that lies in a project. */
export interface ProjectSnippetRecord extends ListedSnippet {
  project: ProjectRecord;
}
