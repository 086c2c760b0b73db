import { entryKind, groupWikiFile, PROJECT_WIKI_BUNDLE, snippetBundle } from './layout.js';

/** What bundles of wikis are counted as, beside relations. */
export const WIKI = 'wiki';
/** The same for those of snippets. */
export const SNIPPET_REPOSITORIES = 'snippet_repositories';

/** A bundle of a repository that is not the project's own. */
export interface ContentBundle {
  readonly relation: typeof WIKI | typeof SNIPPET_REPOSITORIES;
  /** The group whose wiki it is, by the id that it had; 0 in an archive of a project. */
  readonly group: number;
  /** The snippet, by the id that it had; null for a wiki. */
  readonly snippet: number | null;
}

const NO_GROUP = 0;

/** What the bundle of this name holds in an archive of a group; null for any other file. */
export function groupContentBundle(name: string): ContentBundle | null {
  const kind = entryKind(name);
  // A number may be written in several ways; one of them is the name.
  if (kind?.kind !== 'group_wiki' || groupWikiFile(kind.group) !== name) return null;
  return { relation: WIKI, group: kind.group, snippet: null };
}

/** The same in an archive of a project, but for the bundle of its repository. */
export function projectContentBundle(name: string): ContentBundle | null {
  if (name === PROJECT_WIKI_BUNDLE) return { relation: WIKI, group: NO_GROUP, snippet: null };
  const kind = entryKind(name);
  if (kind?.kind !== 'snippet_bundle' || snippetBundle(kind.snippet) !== name) return null;
  return { relation: SNIPPET_REPOSITORIES, group: NO_GROUP, snippet: kind.snippet };
}
