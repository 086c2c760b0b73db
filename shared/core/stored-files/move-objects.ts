import type { Context } from '../context/context.js';
import { constant } from '../database/expressions.js';
import { ObjectMissing } from '../object-store/object-store.js';
import type { ObjectStore } from '../object-store/object-store.js';
import type { ObjectsDatabase } from './stored-object.entity.js';

const BATCH = 200;

/** How many objects were copied, were there already, and could not be read. */
interface Moved {
  copied: number;
  present: number;
  missing: number;
}

/** Whether a store has an object whole. */
async function isWhole(store: ObjectStore, key: string, bytes: number): Promise<boolean> {
  try {
    const found = await store.get(key);
    found.content.destroy();
    return found.bytes === bytes;
  } catch (error) {
    if (error instanceof ObjectMissing) return false;
    throw error;
  }
}

async function copy(from: ObjectStore, to: ObjectStore, key: string): Promise<void> {
  const { content } = await from.get(key);
  await to.put(key, content);
}

/**
 * Copies every object that a row references from one store to another, in the order of the rows. Existing objects are
 * skipped, so it can be run again, for example for objects added in the meantime. Nothing is removed from the first
 * store.
 * @param report is called for each object that the first store does not have
 */
export async function moveObjects(
  ctx: Context,
  from: ObjectStore,
  to: ObjectStore,
  report: (line: string) => unknown,
): Promise<Moved> {
  const moved: Moved = { copied: 0, present: 0, missing: 0 };
  for (let after = 0; ;) {
    const rows = await ctx.em
      .getKysely<ObjectsDatabase>()
      .selectFrom('stored_objects as o')
      .select(['o.id', 'o.key', 'o.bytes'])
      .where('o.id', '>', after)
      .where('o.removed_at', 'is', null)
      .orderBy('o.id')
      .limit(constant(BATCH))
      .execute();
    for (const { key, bytes } of rows) {
      ctx.signal.throwIfAborted();
      if (await isWhole(to, key, bytes)) moved.present += 1;
      else if (await isWhole(from, key, bytes)) {
        await copy(from, to, key);
        moved.copied += 1;
      } else {
        report(`${key} is missing`);
        moved.missing += 1;
      }
    }
    after = rows.at(-1)?.id ?? 0;
    if (rows.length < BATCH) return moved;
  }
}
