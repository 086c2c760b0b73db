import type { ByContainer } from '../../core/operations/container.js';

/**
 * Where things lie in an archive: gzip over tar, names with a leading `./` (group-export-import.md sections 3 and 7).
 * Names are written here without it.
 */

/** The layout's version, in `VERSION`. @public */
export const FORMAT_VERSION = '0.2.4';

/** Ours, in upper case (contract decision 15); archives with another one are read too. @public */
export const PRODUCT_PREFIX = 'SERVICE';

export const VERSION_FILE = 'VERSION';
/** @public */
export const PRODUCT_VERSION_FILE = `${PRODUCT_PREFIX}_VERSION`;
/** @public */
export const PRODUCT_REVISION_FILE = `${PRODUCT_PREFIX}_REVISION`;

/** Last in an archive: by it the instance that wrote the archive knows it again. */
export const ORIGIN_FILE = `${PRODUCT_PREFIX}_ORIGIN`;

const GROUPS = 'tree/groups';

/** One group id per line, parents first; the first is the exported group. */
export const ALL_GROUPS_FILE = `${GROUPS}/_all.ndjson`;
export const groupFile = (id: number): string => `${GROUPS}/${id}.json`;
export const groupRelationFile = (id: number, relation: string): string => `${GROUPS}/${id}/${relation}.ndjson`;
export const groupWikiFile = (id: number): string => `repositories/${id}.wiki.bundle`;

export const PROJECT_FILE = 'tree/project.json';
export const projectRelationFile = (relation: string): string => `tree/project/${relation}.ndjson`;
export const PROJECT_BUNDLE = 'project.bundle';
export const PROJECT_WIKI_BUNDLE = 'project.wiki.bundle';
export const snippetBundle = (id: number): string => `snippets/${id}.bundle`;

/** The kind of an archive file, by its name; undefined if no reader needs it. */
export type ArchiveEntry =
  | { readonly kind: 'version' }
  | { readonly kind: 'all_groups' }
  | { readonly kind: 'group'; readonly group: number }
  | { readonly kind: 'group_relation'; readonly group: number; readonly relation: string }
  | { readonly kind: 'group_wiki'; readonly group: number }
  | { readonly kind: 'project' }
  | { readonly kind: 'project_relation'; readonly relation: string }
  | { readonly kind: 'project_bundle' }
  | { readonly kind: 'project_wiki' }
  | { readonly kind: 'snippet_bundle'; readonly snippet: number };

const PATTERNS: readonly [RegExp, (first: string, second: string) => ArchiveEntry][] = [
  [/^VERSION$/, () => ({ kind: 'version' })],
  [/^tree\/groups\/_all\.ndjson$/, () => ({ kind: 'all_groups' })],
  [/^tree\/groups\/(\d{1,15})\.json$/, (group) => ({ kind: 'group', group: Number(group) })],
  [
    /^tree\/groups\/(\d{1,15})\/([a-z_]{1,64})\.ndjson$/,
    (group, relation) => ({ kind: 'group_relation', group: Number(group), relation }),
  ],
  [/^repositories\/(\d{1,15})\.wiki\.bundle$/, (group) => ({ kind: 'group_wiki', group: Number(group) })],
  [/^tree\/project\.json$/, () => ({ kind: 'project' })],
  [/^tree\/project\/([a-z_]{1,64})\.ndjson$/, (relation) => ({ kind: 'project_relation', relation })],
  [/^project\.bundle$/, () => ({ kind: 'project_bundle' })],
  [/^project\.wiki\.bundle$/, () => ({ kind: 'project_wiki' })],
  [/^snippets\/(\d{1,15})\.bundle$/, (snippet) => ({ kind: 'snippet_bundle', snippet: Number(snippet) })],
];

/** @param name without the leading `./` */
export function entryKind(name: string): ArchiveEntry | undefined {
  for (const [pattern, toEntry] of PATTERNS) {
    const match = pattern.exec(name);
    if (match) return toEntry(match[1] ?? '', match[2] ?? '');
  }
  return undefined;
}

/** Limits of a reader (section 5). In bytes unless stated otherwise. @public */
export const ARCHIVE_BOUNDS = {
  entries: 100_000,
  nameBytes: 255,
  lineBytes: 10 * 1024 * 1024,
  /** Of objects and lists in each other, on one line. */
  nesting: 100,
} as const;

/** The name under which wiki bundles are counted, alongside relations. */
export const WIKI = 'wiki';
/** The same for snippet bundles. */
export const SNIPPET_REPOSITORIES = 'snippet_repositories';

/** A bundle of a repository that is not the project's own. */
export interface ContentBundle {
  readonly relation: typeof WIKI | typeof SNIPPET_REPOSITORIES;
  /** The original id of the group that owns the wiki; 0 in an archive of a project. */
  readonly group: number;
  /** The snippet, by the id that it had; null for a wiki. */
  readonly snippet: number | null;
}

/** What rows of a project have instead of the group that they are of. */
export const NO_GROUP = 0;

function groupContentBundle(name: string): ContentBundle | null {
  const kind = entryKind(name);
  // A number may be written in several ways; one of them is the name.
  if (kind?.kind !== 'group_wiki' || groupWikiFile(kind.group) !== name) return null;
  return { relation: WIKI, group: kind.group, snippet: null };
}

/** But for the bundle of its repository. */
function projectContentBundle(name: string): ContentBundle | null {
  if (name === PROJECT_WIKI_BUNDLE) return { relation: WIKI, group: NO_GROUP, snippet: null };
  const kind = entryKind(name);
  if (kind?.kind !== 'snippet_bundle' || snippetBundle(kind.snippet) !== name) return null;
  return { relation: SNIPPET_REPOSITORIES, group: NO_GROUP, snippet: kind.snippet };
}

/** The content of the bundle with this name in an archive of this kind; null for any other file. */
export const contentBundles: ByContainer<(name: string) => ContentBundle | null> = {
  group: groupContentBundle,
  project: projectContentBundle,
};
