import type { Caller } from '../../core/context/callers.js';
import { containerColumns, containerColumn } from '../../core/operations/container.js';
import type { ContainerRef } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, unnestedRows } from '../../core/database/expressions.js';
import { TooLarge } from '../../core/values/errors.js';
import { RevisionNotFound } from '../../git/index.js';
import type { Repository } from '../../git/index.js';
import { openContent } from '../../repositories/repositories/content-ref.js';
import type { ContentRef } from '../../repositories/repositories/content-ref.js';
import { ProjectStatistics } from '../../tenancy/projects/project-statistics.entity.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { titleOfSlug } from './wiki-formats.js';
import { metaIds, wikiFilesAt } from './wiki.finder.js';
import type { WikiBlob } from './wiki.finder.js';

/** The project or group of a wiki repository; null for a repository that is not a wiki. */
function wikiContainer({ kind, of }: ContentRef): ContainerRef | null {
  if (kind === 'snippet') return null;
  return { kind: kind === 'project_wiki' ? 'project' : 'group', id: of };
}

/** Gives a page that is moved its new slug: it stays the same page. What was left of one that had it before goes. */
export async function moveWikiMeta(ctx: Context, { kind, id }: ContainerRef, from: string, to: string): Promise<void> {
  const db = ctx.em.getKysely<PlanningDatabase>();
  const column = containerColumn(kind);
  await db
    .deleteFrom('wiki_page_meta as w')
    .where(`w.${column}`, '=', id)
    .where('w.slug', '=', to)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('wiki_page_meta as o')
          .select(eb.lit(1).as('one'))
          .where(`o.${column}`, '=', id)
          .where('o.slug', '=', from),
      ),
    )
    .execute();
  await db
    .updateTable('wiki_page_meta')
    .set({ slug: to, title: titleOfSlug(to), updated_at: ctx.clock.now() })
    .where(column, '=', id)
    .where('slug', '=', from)
    .where('slug', '<>', to)
    .execute();
}

/** Makes ids for pages that have none. */
async function addMeta(ctx: Context<Caller>, container: ContainerRef, slugs: readonly string[]): Promise<void> {
  if (slugs.length === 0) return;
  const { project_id, namespace_id } = containerColumns(container);
  const now = ctx.clock.now();
  const pages = slugs.map((slug) => ({ slug, title: titleOfSlug(slug) }));
  await ctx.em
    .getKysely<PlanningDatabase>()
    .insertInto('wiki_page_meta')
    .columns(['project_id', 'namespace_id', 'slug', 'title', 'created_at', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom(unnestedRows(pages, { slug: 'text', title: 'text' }).as('u'))
        .select([
          eb.cast<number | null>(eb.val(project_id), 'bigint').as('project_id'),
          eb.cast<number | null>(eb.val(namespace_id), 'bigint').as('namespace_id'),
          'u.slug',
          'u.title',
          eb.cast<Date>(eb.val(now), 'timestamptz').as('created_at'),
          eb.cast<Date>(eb.val(now), 'timestamptz').as('updated_at'),
        ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** How a page came out of a write to its wiki. */
interface ChangedPage {
  readonly slug: string;
  readonly action: 'created' | 'updated' | 'deleted';
}

/**
 * The page changes of a write, determined from the files before and after it.
 * @param pageIds ids of all of them: a moved page already has its new slug
 */
function changedPages(before: readonly WikiBlob[], after: readonly WikiBlob[], pageIds: ReadonlyMap<string, number>) {
  const [old, now] = [before, after].map((files) => new Map(files.map((file) => [file.slug, file])));
  const changed: ChangedPage[] = [];
  for (const [slug, file] of now!) {
    const was = old!.get(slug);
    if (!was) changed.push({ slug, action: pageIds.has(slug) ? 'updated' : 'created' });
    else if (was.id !== file.id || was.path !== file.path) changed.push({ slug, action: 'updated' });
  }
  for (const slug of old!.keys()) if (!now!.has(slug) && pageIds.has(slug)) changed.push({ slug, action: 'deleted' });
  return changed;
}

/** The pages of a commit; none of one that the repository has not, as after a repair. Null where there are too many. */
async function filesOrNone(repository: Repository, sha: string | null): Promise<WikiBlob[] | null> {
  if (sha === null) return [];
  try {
    return await wikiFilesAt(repository, sha);
  } catch (error) {
    if (error instanceof RevisionNotFound) return [];
    if (error instanceof TooLarge) return null;
    throw error;
  }
}

/** Maximum number of pages of one write that are reported individually. */
const MAX_EVENT_PAGES = 100;

/** Assigns ids to pages added by a commit or a push, and records the change to each page. Runs two git processes. */
export async function updateWikiPages(
  ctx: Context<Caller>,
  content: ContentRef,
  from: string | null,
  to: string | null,
): Promise<void> {
  const container = wikiContainer(content);
  if (!container) return;
  const repository = openContent(ctx, content);
  const [before, after] = await Promise.all([filesOrNone(repository, from), filesOrNone(repository, to)]);
  // Such a wiki is written by git alone.
  if (before === null || after === null) return;
  const slugs = [...new Set([...before, ...after].map(({ slug }) => slug))];
  const changed = changedPages(before, after, await metaIds(ctx, container, slugs));
  const of = (action: ChangedPage['action']) =>
    changed.filter((page) => page.action === action).map(({ slug }) => slug);
  await addMeta(ctx, container, of('created'));
  const eventPages = changed.slice(0, MAX_EVENT_PAGES);
  const ids = await metaIds(
    ctx,
    container,
    eventPages.map(({ slug }) => slug),
  );
  ctx.record({
    type: 'wiki.changed',
    container,
    pages: eventPages.map(({ slug, action }) => ({
      slug,
      action,
      title: titleOfSlug(slug),
      meta_id: ids.get(slug) ?? null,
    })),
  });
  const gone = of('deleted');
  if (gone.length === 0) return;
  await ctx.em
    .getKysely<PlanningDatabase>()
    .deleteFrom('wiki_page_meta')
    .where(containerColumn(container.kind), '=', container.id)
    .where('slug', '=', anyOf(gone, 'text'))
    .execute();
}

/** Updates the disk usage of a project's wiki; groups have no such statistic. */
export async function updateWikiSize(ctx: Context<Caller>, content: ContentRef, wiki_size: number): Promise<void> {
  if (content.kind !== 'project_wiki') return;
  await ctx.em.nativeUpdate(ProjectStatistics, { project_id: content.of }, { wiki_size });
}
