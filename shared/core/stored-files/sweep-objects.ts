import type { Context } from '../context/context.js';
import { anyOf, constant } from '../database/expressions.js';
import type { ListedObject } from '../object-store/object-store.js';
import type { ObjectsDatabase } from './stored-object.entity.js';

const BATCH = 500;
/** No write takes longer, from its first byte to its row's commit. */
const WRITE_MS = 24 * 3600 * 1000;

/** Removes the bytes of objects whose owners have been deleted, then their rows. Safe to repeat. @returns how many */
export async function removeReleased(ctx: Context): Promise<number> {
  const db = ctx.em.getKysely<ObjectsDatabase>();
  for (let removed = 0; ;) {
    ctx.signal.throwIfAborted();
    const rows = await db
      .selectFrom('stored_objects as o')
      .select(['o.id', 'o.key'])
      .where('o.removed_at', 'is not', null)
      .orderBy('o.removed_at')
      .orderBy('o.id')
      .limit(constant(BATCH))
      .execute();
    if (rows.length === 0) return removed;
    await ctx.services.objects.remove(rows.map(({ key }) => key));
    const ids = rows.map(({ id }) => id);
    await db.deleteFrom('stored_objects').where('id', '=', anyOf(ids, 'bigint')).execute();
    removed += rows.length;
  }
}

/** The number of objects checked, removed because no row references them, and missing although a row exists. */
interface Swept {
  objects: number;
  removed: number;
  missing: number;
}

/** Rows of keys from one to another, without what came or went during the sweep. `to` null: to the end. */
const rowsBetween = (ctx: Context, from: string, to: string | null, begun: Date) =>
  ctx.em
    .getKysely<ObjectsDatabase>()
    .selectFrom('stored_objects as o')
    .select((eb) => [
      'o.key',
      eb('o.created_at', '<', begun).as('old'),
      eb('o.removed_at', 'is not', null).as('removed'),
    ])
    .where('o.key', '>', from)
    .$if(to !== null, (query) => query.where('o.key', '<=', to as string))
    .orderBy('o.key')
    .execute();

async function comparePage(ctx: Context, page: readonly ListedObject[], from: string, to: string | null, begun: Date) {
  const rows = await rowsBetween(ctx, from, to, begun);
  const storedKeys = new Set(rows.map(({ key }) => key));
  const listed = new Set(page.map(({ key }) => key));
  const before = new Date(begun.getTime() - WRITE_MS);
  const orphans = page.filter(({ key, writtenAt }) => !storedKeys.has(key) && writtenAt < before).map(({ key }) => key);
  const missing = rows.filter(({ key, old, removed }) => old && !removed && !listed.has(key)).map(({ key }) => key);
  if (orphans.length > 0) await ctx.services.objects.remove(orphans);
  for (const key of missing) ctx.log.error({ key }, 'object_store.missing');
  return { removed: orphans.length, missing: missing.length };
}

/**
 * Compares store and rows in the order of their keys: removes bytes without a row that are a day old, such as those of
 * a crashed process, and reports rows whose bytes are missing to the operator. Safe to repeat.
 */
export async function sweepObjects(ctx: Context): Promise<Swept> {
  const begun = ctx.clock.now();
  const { objects } = ctx.services;
  const swept: Swept = { objects: 0, missing: 0, removed: 0 };
  swept.removed += await objects.sweepUnfinished(new Date(begun.getTime() - WRITE_MS));
  let from = '';
  const add = async (page: readonly ListedObject[], to: string | null) => {
    const { removed, missing } = await comparePage(ctx, page, from, to, begun);
    swept.objects += page.length;
    swept.removed += removed;
    swept.missing += missing;
  };
  for await (const page of objects.list()) {
    ctx.signal.throwIfAborted();
    const last = page.at(-1)?.key;
    if (last === undefined) continue;
    await add(page, last);
    from = last;
  }
  await add([], null);
  return swept;
}
