import { sql } from 'kysely';
import type { NotNull } from 'kysely';
import type { Context } from '../../core/context/context.js';
import type { Queryable } from '../../core/database/database.js';
import { anyOf, arrayPosition } from '../../core/database/expressions.js';
import { repositoryExists, GitFailed, openBundle, RepositoryMissing } from '../../git/index.js';
import type { Repository } from '../../git/index.js';
import { contentPath, openContent } from '../../repositories/repositories/content-ref.js';
import type { ContentKind } from '../../repositories/repositories/content-ref.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import {
  groupWikiFile,
  PROJECT_BUNDLE,
  PROJECT_WIKI_BUNDLE,
  SNIPPET_REPOSITORIES,
  snippetBundle,
  WIKI,
} from '../format/layout.js';
import { db } from './json-values.js';
import { Spool } from './pack.js';
import type { PackedFile } from './pack.js';
import type { Progress } from './read-relation.js';
import { snapshotRows } from './snapshot.js';

/** A repository without refs, or that was removed since: there is no bundle of it. */
const isNothing = (error: unknown): boolean =>
  error instanceof RepositoryMissing || (error instanceof GitFailed && error.stderr.includes('empty bundle'));

/** A repository with all its refs as a bundle with this name; no file if it has no refs or no longer exists. */
async function* bundleFile(repository: Repository, name: string): AsyncGenerator<PackedFile> {
  const spool = new Spool();
  try {
    for await (const piece of await openBundle(repository)) await spool.write(piece as Buffer);
    yield { name, bytes: spool.bytes, content: await spool.content() };
  } catch (error) {
    if (!isNothing(error)) throw error;
  } finally {
    await spool.close();
  }
}

/** The bundles of wikis or snippets of these ids, as far as their repositories are still there. */
async function* getBundles(
  ctx: Context,
  kind: ContentKind,
  ids: readonly number[],
  relation: string,
  nameOf: (id: number) => string,
  progress: Progress,
): AsyncGenerator<PackedFile> {
  if (ids.length === 0) return;
  await progress.begin(relation, ids.length);
  for (const of of ids) {
    ctx.signal.throwIfAborted();
    const location = { kind, of };
    // A record deleted during the export takes its repository with it.
    if (await repositoryExists(contentPath(ctx, location))) yield* bundleFile(openContent(ctx, location), nameOf(of));
    await progress.done(relation, 1);
  }
}

/** Repositories that something was written to. */
const written = db.selectFrom('content_repositories as c').where('c.head_sha', 'is not', null);

/** The wikis of groups, in the order of their ids in `groups`; none without the plan that has them. */
export async function* groupBundles(
  ctx: Context,
  snapshot: Queryable,
  groups: readonly number[],
  progress: Progress,
): AsyncGenerator<PackedFile> {
  if (!ctx.hasPlan('premium')) return;
  const rows = await snapshotRows(
    snapshot,
    written
      .select('c.namespace_id as id')
      .where('c.namespace_id', '=', anyOf(groups, 'bigint'))
      .orderBy(arrayPosition(groups, 'bigint', sql.ref<number>('c.namespace_id')))
      .$narrowType<{ id: NotNull }>(),
  );
  const ids = rows.map(({ id }) => id);
  yield* getBundles(ctx, 'group_wiki', ids, WIKI, groupWikiFile, progress);
}

/** The repository of a project, its wiki and the repositories of its snippets. */
export async function* projectBundles(
  ctx: Context,
  snapshot: Queryable,
  project: ProjectRecord,
  progress: Progress,
): AsyncGenerator<PackedFile> {
  if (project.repository_created) {
    await progress.begin('repository', 1);
    yield* bundleFile(openRepository(ctx, project), PROJECT_BUNDLE);
    await progress.done('repository', 1);
  }
  const wikis = await snapshotRows(
    snapshot,
    written.select('c.project_id as id').where('c.project_id', '=', project.id).$narrowType<{ id: NotNull }>(),
  );
  const wikiIds = wikis.map(({ id }) => id);
  yield* getBundles(ctx, 'project_wiki', wikiIds, WIKI, () => PROJECT_WIKI_BUNDLE, progress);
  const snippets = await snapshotRows(
    snapshot,
    written
      .innerJoin('snippets as s', 's.id', 'c.snippet_id')
      .select('s.id')
      .where('s.project_id', '=', project.id)
      .orderBy('s.id'),
  );
  const snippetIds = snippets.map(({ id }) => id);
  yield* getBundles(ctx, 'snippet', snippetIds, SNIPPET_REPOSITORIES, snippetBundle, progress);
}
