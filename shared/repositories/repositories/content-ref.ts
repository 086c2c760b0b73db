import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import path from 'node:path';
import { countKey } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { Aliased } from '../../core/database/tables.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import type { Repository } from '../../git/index.js';

/** Kinds of non-project repositories, with their owner column and their folder. */
const KINDS = {
  project_wiki: { column: 'project_id', folder: '@wikis/projects' },
  group_wiki: { column: 'namespace_id', folder: '@wikis/groups' },
  snippet: { column: 'snippet_id', folder: '@snippets' },
} as const;

export type ContentKind = keyof typeof KINDS;
export const CONTENT_KINDS = Object.keys(KINDS) as ContentKind[];

/** Identifies a non-project repository: its kind, and the id of its project, group or snippet. */
export interface ContentRef {
  readonly kind: ContentKind;
  readonly of: number;
}

/** Owner columns of a row. */
export type ContentColumns = Readonly<Record<'project_id' | 'namespace_id' | 'snippet_id', number | null | undefined>>;

/** The columns of {@link ContentRef}. */
export const contentColumns = ({
  kind,
  of,
}: ContentRef): Record<'project_id' | 'namespace_id' | 'snippet_id', number | null> => ({
  project_id: null,
  namespace_id: null,
  snippet_id: null,
  [KINDS[kind].column]: of,
});

/** The content that a row names. */
export function contentOfColumns(row: ContentColumns): ContentRef {
  const kind = CONTENT_KINDS.find((one) => typeof row[KINDS[one].column] === 'number')!;
  return { kind, of: row[KINDS[kind].column]! };
}

const onContents = expressionBuilder<Aliased<RepositoriesDatabase, { c: 'content_repositories' }>, 'c'>();

/** That row `c` is the one of a content. */
export const isOfContent = ({ kind, of }: ContentRef): Expression<SqlBool> =>
  onContents(`c.${KINDS[kind].column}`, '=', of);

/** A content as people name it: `snippet 12`. */
export const contentLabel = ({ kind, of }: ContentRef): string => `${kind.replace('_', ' ')} ${of}`;

/** A content as one word, as files and keys name it: `snippet-12`. */
export const contentName = ({ kind, of }: ContentRef): string => `${kind}-${of}`;

// Own pattern: what `contentName` makes.
const NAME = /^(project_wiki|group_wiki|snippet)-(\d{1,15})$/;

/** The content of a name from {@link contentName}; null for any other text. */
export function contentOfName(name: string): ContentRef | null {
  const [, kind, of] = NAME.exec(name) ?? [];
  return kind === undefined ? null : { kind: kind as ContentKind, of: Number(of) };
}

/** The folder of all repositories of a kind. */
export const contentFolder = (ctx: Pick<Context<Caller>, 'config'>, kind: ContentKind): string =>
  path.join(ctx.config.dataDir, 'repositories', KINDS[kind].folder);

/** Where a repository lies: `@snippets/0c/12.git`. Spread over 256 folders by the end of the id. */
export function contentPath(ctx: Pick<Context<Caller>, 'config'>, { kind, of }: ContentRef): string {
  return path.join(contentFolder(ctx, kind), (of % 256).toString(16).padStart(2, '0'), `${of}.git`);
}

/** The same as the caller of a request works on it, with slots of their share; for a job it is the path. */
export function openContent(ctx: Context<Caller>, content: ContentRef): Repository {
  const location = contentPath(ctx, content);
  const { ip } = ctx.origin;
  if (ip === null) return location;
  const caller = countKey(ctx.caller, ip);
  return { path: location, caller, pools: ctx.services.git, ...(ctx.inTransaction ? {} : { signal: ctx.signal }) };
}
