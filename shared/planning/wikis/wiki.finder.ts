import type { Caller } from '../../core/context/callers.js';
import { containerColumn } from '../../core/operations/container.js';
import type { ContainerRef } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { NotFound, TooLarge } from '../../core/values/errors.js';
import { isFullId, readObjects, readTree, resolveCommit } from '../../git/index.js';
import type { Repository } from '../../git/index.js';
import { openContent } from '../../repositories/repositories/content-ref.js';
import type { ContentRef } from '../../repositories/repositories/content-ref.js';
import { findContent } from '../../repositories/repositories/content-repository.finder.js';
import { withGitAnswers } from '../../repositories/repositories/git-problems.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { pageParts } from './front-matter.js';
import { parseSlug, pathsOfPage, titleOfSlug, getWikiFile } from './wiki-formats.js';
import type { WikiFile } from './wiki-formats.js';
import type { WholeWikiPage, WikiPageRecord } from './wiki-page-meta.entity.js';

/** The content repository of a project's or group's wiki. */
export const wikiContent = ({ kind, id }: ContainerRef): ContentRef => ({ kind: `${kind}_wiki`, of: id });

/** Files and folders of a wiki that are listed; a list has no pages of its own. */
const MOST_ENTRIES = 20_000;

/** A file of a wiki with the id of its content. */
export interface WikiBlob extends WikiFile {
  readonly id: string;
}

/** The pages of a wiki at a commit, in git's order; of two that differ in their endings the first. @throws TooLarge */
export async function wikiFilesAt(repository: Repository, sha: string): Promise<WikiBlob[]> {
  const tree = await readTree(repository, sha, MOST_ENTRIES, { recursive: true });
  if (tree?.larger) throw new TooLarge();
  const found = new Map<string, WikiBlob>();
  for (const { type, path, id } of tree?.entries ?? []) {
    const file = type === 'blob' ? getWikiFile(path) : null;
    if (file && !found.has(file.slug)) found.set(file.slug, { ...file, id });
  }
  return [...found.values()];
}

/** Ids of pages by their slugs, in one statement. */
export async function metaIds(
  ctx: Context<Caller>,
  { kind, id }: ContainerRef,
  slugs: readonly string[],
): Promise<Map<string, number>> {
  const rows = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('wiki_page_meta as w')
    .select(['w.id', 'w.slug'])
    .where(`w.${containerColumn(kind)}`, '=', id)
    .where('w.slug', '=', anyOf(slugs, 'text'))
    .execute();
  return new Map(rows.map((row) => [row.slug, row.id]));
}

const getRecord = ({ path, slug, format }: WikiFile, ids: ReadonlyMap<string, number>): WikiPageRecord => ({
  path,
  slug,
  format,
  title: titleOfSlug(slug),
  meta_id: ids.get(slug) ?? null,
});

/** All pages of a wiki: one process of git. @throws TooLarge */
export async function wikiPages(ctx: Context, container: ContainerRef): Promise<(WikiPageRecord & { id: string })[]> {
  const content = wikiContent(container);
  const sha = (await findContent(ctx, content))?.head_sha ?? null;
  if (sha === null) return [];
  return withGitAnswers(async () => {
    const files = await wikiFilesAt(openContent(ctx, content), sha);
    const ids = await metaIds(
      ctx,
      container,
      files.map(({ slug }) => slug),
    );
    return files.map((file) => ({ ...getRecord(file, ids), id: file.id }));
  });
}

/** A page with its source text. */
const wholePage = (page: WikiPageRecord, content: Buffer): WholeWikiPage => {
  const written = content.toString('utf8');
  return { ...page, content: written, front_matter: pageParts(written).front_matter };
};

/** Pages with their contents: one process of git. @throws TooLarge */
export function readWikiPages(
  ctx: Context,
  container: ContainerRef,
  pages: readonly (WikiPageRecord & { id: string })[],
): Promise<WholeWikiPage[]> {
  return withGitAnswers(async () => {
    const objects = await readObjects(
      openContent(ctx, wikiContent(container)),
      pages.map(({ id }) => id),
    );
    return pages.map(({ id: _, ...page }, index) => wholePage(page, objects[index]?.content ?? Buffer.alloc(0)));
  });
}

/** The file of a page at a commit with its content, whatever its format; null where there is none. One process of git. */
export async function pageAt(repository: Repository, sha: string, slug: string) {
  const paths = pathsOfPage(slug);
  const objects = await readObjects(
    repository,
    paths.map((path) => `${sha}:${path}`),
  );
  const at = objects.findIndex((object) => object?.type === 'blob');
  const file = at < 0 ? null : getWikiFile(paths[at]!);
  return file && { file, content: objects[at]!.content };
}

/**
 * A page by its slug: one git process at the head, two at another version.
 * @param version a commit id; the head if omitted
 * @throws NotFound "404 Wiki Page Not Found"
 */
export function findWikiPage(
  ctx: Context,
  container: ContainerRef,
  rawSlug: string,
  version?: string,
): Promise<WholeWikiPage> {
  const content = wikiContent(container);
  return withGitAnswers(async () => {
    const slug = parseSlug(rawSlug);
    const head = (await findContent(ctx, content))?.head_sha ?? null;
    if (slug === null || head === null) throw new NotFound('Wiki Page');
    const repository = openContent(ctx, content);
    const revision = version === undefined || version === '' ? head : version;
    const sha = revision === head ? head : isFullId(revision) ? await resolveCommit(repository, revision) : null;
    const found = sha === null ? null : await pageAt(repository, sha, slug);
    if (!found) throw new NotFound('Wiki Page');
    return wholePage(getRecord(found.file, await metaIds(ctx, container, [slug])), found.content);
  });
}
