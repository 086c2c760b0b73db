import type { Context } from '../../core/context/context.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { keepRepository, looseObjects, repositoryExists, repositorySize } from '../../git/index.js';
import { contentPath } from './content-ref.js';
import type { ContentRef } from './content-ref.js';
import { ContentRepository } from './content-repository.entity.js';
import { findContent } from './content-repository.finder.js';

/** Packed after so many writes, or so many objects in files of their own, as repositories of projects are. */
const WRITES = 50;
const LOOSE_OBJECTS = 6_700;

/** Another process packs the repository. */
class ContentBusy extends Error {}

/** Packs the repository if it is due; concurrent writes remain counted. */
async function packIfDue(ctx: Context, location: string, row: { id: number; writes_since_upkeep: number }) {
  const { id, writes_since_upkeep: writes } = row;
  if (writes < WRITES && (await looseObjects(location)) < LOOSE_OBJECTS) return;
  if ((await keepRepository(location, { signal: ctx.signal })) === 'busy')
    throw new ContentBusy('The repository is being packed by another process.');
  await ctx.em
    .getKysely<RepositoriesDatabase>()
    .updateTable('content_repositories')
    .set((eb) => ({
      writes_since_upkeep: eb.fn<number>('greatest', [eb.lit(0), eb('writes_since_upkeep', '-', writes)]),
    }))
    .where('id', '=', id)
    .execute();
}

/**
 * Packs the repository of a wiki or snippet where that is due, and keeps what it takes on disk. Nothing happens for one
 * that is gone. Safe to repeat.
 * @throws GitFailed, GitTimeout
 */
export async function keepContent(ctx: Context, content: ContentRef): Promise<void> {
  const row = await findContent(ctx, content);
  const location = contentPath(ctx, content);
  if (!row || !(await repositoryExists(location))) return;
  await packIfDue(ctx, location, row);
  const size_bytes = await repositorySize(location);
  await ctx.transaction(async () => {
    // The row stays locked until the event is recorded, so that the last measurement is also the last event.
    await ctx.em.nativeUpdate(ContentRepository, { id: row.id }, { size_bytes });
    ctx.record({ type: 'content.measured', content, size_bytes });
  });
}
