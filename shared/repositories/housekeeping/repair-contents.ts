import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { defaultBranch, listRefs, repositoryExists, setDefaultBranch } from '../../git/index.js';
import { contentPath, contentOfColumns, contentOfName } from '../repositories/content-ref.js';
import type { ContentRef } from '../repositories/content-ref.js';
import { ContentRepository } from '../repositories/content-repository.entity.js';
import { findContent, lockContent, lockFreeContent } from '../repositories/content-repository.finder.js';
import { movesFolder } from '../repositories/ref-moves.js';
import { shortRef } from '../repositories/repository-ref.finder.js';
import { lapsedNotes, readyNotes, settleNotes } from './move-notes.js';

/** How the row of a repository differed from git: what it held, and what git has. */
export interface ContentDifference {
  readonly from: string | null;
  readonly to: string | null;
}

interface Options {
  /** `skip` leaves out a repository that is being written to. */
  wait?: 'wait' | 'skip';
  dryRun?: boolean;
}

/**
 * Rebuilds the row of a non-project repository from git, which is authoritative.
 * @returns the differences; null if there are none; `gone` without a row that could be locked
 * @throws RepositoryMissing
 */
function reindexContent(
  ctx: Context,
  content: ContentRef,
  { wait = 'wait', dryRun = false }: Options = {},
): Promise<ContentDifference | null | 'gone'> {
  return ctx.transaction(async () => {
    const row = await (wait === 'skip' ? lockFreeContent : lockContent)(ctx, content);
    if (!row) return 'gone';
    const location = contentPath(ctx, content);
    const branches = await listRefs(location, { prefixes: ['refs/heads'] });
    // The first push chooses the branch: its row may say another one.
    const own = branches.find(({ name }) => name === `refs/heads/${row.branch}`);
    const head = own ?? (row.head_sha ? undefined : branches[0]);
    const branch = head ? shortRef(head.name) : row.branch;
    const from = row.head_sha ?? null;
    const to = head?.target ?? null;
    if (!dryRun && (await defaultBranch(location)) !== branch) await setDefaultBranch(location, branch);
    if (from === to) return null;
    if (!dryRun) {
      const change = { branch, head_sha: to, updated_at: ctx.clock.now() };
      await ctx.em.nativeUpdate(ContentRepository, { id: row.id }, change);
      ctx.record({ type: 'content.updated', content, from, to });
    }
    return { from, to };
  });
}

/** Deletes nothing for a repository locked by another transaction, and only lapsed notes for a deleted one. */
async function forgetUnlessThere(ctx: Context, content: ContentRef, files: readonly string[]): Promise<void> {
  if (await findContent(ctx, content)) return;
  for (const file of await lapsedNotes(files)) await rm(file, { force: true });
}

/** Looks after moves in repositories that are no project's, by notes that were there at two polls. */
export async function repairContentMoves(ctx: Context, names: readonly string[]): Promise<void> {
  const groups = Map.groupBy(names, (name) => name.split('.', 1)[0]!);
  for (const [name, notes] of groups) {
    const content = contentOfName(name);
    if (!content) continue;
    const ready = await readyNotes(notes.map((note) => path.join(movesFolder(ctx), note)));
    if (ready.length === 0) continue;
    const found = await reindexContent(ctx, content, { wait: 'skip' });
    if (found === 'gone') await forgetUnlessThere(ctx, content, ready);
    else if (found === null) await settleNotes(ready);
    else ctx.log.warn({ content, ...found }, 'repository.repaired');
  }
}

/** Number of repositories loaded by one statement. */
const AT_ONCE = 1000;

async function* allContents(ctx: Context): AsyncGenerator<ContentRef> {
  for (let last = 0; ;) {
    const rows = await ctx.em
      .getKysely<RepositoriesDatabase>()
      .selectFrom('content_repositories as c')
      .select(['c.id', 'c.project_id', 'c.namespace_id', 'c.snippet_id'])
      .where('c.id', '>', last)
      .orderBy('c.id')
      .limit(constant(AT_ONCE))
      .execute();
    for (const row of rows) yield contentOfColumns(row);
    if (rows.length < AT_ONCE) return;
    last = rows.at(-1)!.id;
  }
}

/**
 * Rebuilds the rows of all non-project repositories, one after the other. An unreadable one does not stop the others.
 * @param report is called for each one that differed, or could not be read
 * @returns the numbers of checked, differing, and unreadable repositories
 */
export async function repairContents(
  ctx: Context,
  dryRun: boolean,
  report: (content: ContentRef, found: ContentDifference | Error) => void,
): Promise<{ looked: number; differed: number; failed: number }> {
  const counts = { looked: 0, differed: 0, failed: 0 };
  for await (const content of allContents(ctx)) {
    try {
      if (!(await repositoryExists(contentPath(ctx, content)))) throw new Error('There is no repository.');
      const found = await reindexContent(ctx, content, { dryRun });
      if (found === 'gone') continue;
      counts.looked += 1;
      if (found === null) continue;
      counts.differed += 1;
      report(content, found);
    } catch (error) {
      counts.failed += 1;
      report(content, error instanceof Error ? error : new Error(String(error)));
    }
  }
  return counts;
}
