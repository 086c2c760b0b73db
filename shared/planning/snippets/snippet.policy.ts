import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import { featureOpen, readOnly, writable } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { SnippetRecord } from './snippet.entity.js';

const open = (caller: UserOrAnonymous, project: ProjectRecord) =>
  featureOpen(caller, project, project.snippets_access_level);

const isAuthor = (caller: UserOrAnonymous, snippet: SnippetRecord) =>
  !caller.anonymous && snippet.author_id === caller.id;

/** Whether the snippet's own visibility allows access; the stricter of this and the project's settings applies. */
function isVisibleTo(caller: UserOrAnonymous, snippet: SnippetRecord): boolean {
  if (snippet.visibility === 'public' || caller.admin || isAuthor(caller, snippet)) return true;
  if (snippet.project && roleIn(caller, snippet.project, 'guest')) return true;
  return snippet.visibility === 'internal' && !caller.anonymous && !caller.user?.external;
}

const readable = (caller: UserOrAnonymous, snippet: SnippetRecord): boolean =>
  isVisibleTo(caller, snippet) && (snippet.project === null || open(caller, snippet.project));

/** Its author, of a project as a Reporter still, Maintainers of the project, and administrators. */
function manages(caller: UserOrAnonymous, snippet: SnippetRecord): boolean {
  const { project } = snippet;
  if (!readable(caller, snippet)) return false;
  if (project === null) return caller.admin || isAuthor(caller, snippet);
  if (readOnly(project)) return false;
  return roleIn(caller, project, 'maintainer') || (isAuthor(caller, snippet) && roleIn(caller, project, 'reporter'));
}

/** Permissions on the snippets of a project (core-resources.md section 8). */
export const projectSnippetPolicy = policy({
  read_snippets: open,
  create_snippet: (caller: UserOrAnonymous, project: ProjectRecord) =>
    open(caller, project) && writable(project) && roleIn(caller, project, 'reporter'),
});

/** Permissions on one project or personal snippet. */
export const snippetPolicy = policy({
  read_snippet: readable,
  update_snippet: manages,
  destroy_snippet: manages,
  /** Comment on the snippet: signed-in users who can read it. */
  comment_on_snippet: (caller: UserOrAnonymous, snippet: SnippetRecord) =>
    !caller.anonymous && readable(caller, snippet) && (snippet.project === null || !readOnly(snippet.project)),
  /** With what it was made is for administrators. */
  read_user_agent: (caller: UserOrAnonymous) => caller.admin,
});

/** Who makes personal snippets: users that are not external. */
export const personalSnippetPolicy = policy({
  create_snippet: (caller: UserOrAnonymous) => caller.user !== null && !caller.user.external,
});
