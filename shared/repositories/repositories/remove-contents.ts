import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { anyOf } from '../../core/database/expressions.js';
import { columns } from '../../core/database/columns.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { RemovedContentRepository } from './content-repository.entity.js';
import { removeIfOld, removeRepository, sweepRepository } from '../../git/index.js';
import { CONTENT_KINDS, contentFolder, contentPath, contentOfColumns } from './content-ref.js';
import type { ContentKind } from './content-ref.js';
import { findContent } from './content-repository.finder.js';
import { lockContentName } from './write-content.js';

const BATCH = 100;

/** @returns whether there may be more */
async function removeSome(ctx: Context): Promise<boolean> {
  const db = ctx.em.getKysely<RepositoriesDatabase>();
  const gone = await db
    .selectFrom('removed_content_repositories as g')
    .select(columns(RemovedContentRepository, 'g'))
    .orderBy('g.id')
    .limit(BATCH)
    .execute();
  // Skips a wiki that was recreated for an existing project: only removed contents have such rows.
  for (const row of gone) {
    ctx.signal.throwIfAborted();
    if (!(await findContent(ctx, contentOfColumns(row))))
      await removeRepository(contentPath(ctx, contentOfColumns(row)));
  }
  const ids = gone.map(({ id }) => id);
  await db.deleteFrom('removed_content_repositories').where('id', '=', anyOf(ids, 'bigint')).execute();
  return gone.length === BATCH;
}

/** Removes repositories from disk whose rows were deleted along with their owner. Idempotent. */
export const removeGoneContents = (ctx: Context): Promise<void> => inSteps(ctx, () => removeSome(ctx));

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** One that no row knows: made by a transaction that was rolled back. @returns how many were removed */
async function sweepUnknown(ctx: Context, kind: ContentKind, name: string): Promise<number> {
  const content = { kind, of: Number.parseInt(name, 10) };
  return ctx.transaction(async () => {
    await lockContentName(ctx, content);
    if (await findContent(ctx, content)) return 0;
    return (await removeIfOld(contentPath(ctx, content))) ? 1 : 0;
  });
}

// Own pattern: names of repositories, and of files next to them during creation or removal.
const REPOSITORY = /^\d{1,15}\.git$/;
const BESIDE = /^\.removed-|\.git\.new-/;

/**
 * Removes files of dead requests and jobs from non-project repositories, and repositories without a row, once they have
 * not been written to for an hour.
 * @returns how many repositories were checked, and how many files and folders were removed
 */
export async function sweepContents(ctx: Context): Promise<{ repositories: number; removed: number }> {
  const swept = { repositories: 0, removed: 0 };
  for (const kind of CONTENT_KINDS)
    for (const part of await namesIn(contentFolder(ctx, kind)))
      for (const name of await namesIn(path.join(contentFolder(ctx, kind), part))) {
        ctx.signal.throwIfAborted();
        const location = path.join(contentFolder(ctx, kind), part, name);
        if (BESIDE.test(name)) swept.removed += (await removeIfOld(location)) ? 1 : 0;
        if (!REPOSITORY.test(name)) continue;
        swept.repositories += 1;
        swept.removed += await sweepRepository(location);
        if (!(await findContent(ctx, { kind, of: Number.parseInt(name, 10) })))
          swept.removed += await sweepUnknown(ctx, kind, name);
      }
  return swept;
}
