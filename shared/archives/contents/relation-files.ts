import type { Context } from '../../core/context.js';
import type { Queryable } from '../../core/database/database.js';
import type { PackedFile } from './pack.js';
import { countObjects, inBatches, readLines } from './read-relation.js';
import type { ReadRelation } from './read-relation.js';
import { Spool } from './spool.js';

/** Told how far an export is. */
export interface Progress {
  /** A relation begins that has so many objects. */
  begin(relation: string, total: number): Promise<void>;
  /** So many more of them are written. */
  done(relation: string, count: number): Promise<void>;
  /** Everything is written. */
  end(): Promise<void>;
}

/** One file of a relation, for as long as it is read. */
async function* fileOf(name: string, spool: Spool): AsyncGenerator<PackedFile> {
  const content = await spool.content();
  yield { name, bytes: spool.bytes, content };
}

/** The files of some containers that are read together. */
async function* filesOfBatch(
  ctx: Context,
  db: Queryable,
  relation: ReadRelation,
  batch: readonly number[],
  nameOf: (id: number) => string,
  progress: Progress,
): AsyncGenerator<PackedFile> {
  let spool = new Spool();
  let container = batch[0];
  try {
    for await (const lines of readLines(ctx, db, relation, batch)) {
      for (const line of lines) {
        if (line.container !== container) {
          if (spool.bytes > 0 && container !== undefined) yield* fileOf(nameOf(container), spool);
          await spool.close();
          spool = new Spool();
          ({ container } = line);
        }
        await spool.write(Buffer.from(relation.single ? line.line : `${line.line}\n`));
      }
      await progress.done(relation.name, lines.length);
    }
    if (spool.bytes > 0 && container !== undefined) yield* fileOf(nameOf(container), spool);
  } finally {
    await spool.close();
  }
}

/**
 * The files of a relation, one for each container that has objects of it, in the order of the containers.
 * @param nameOf the name of a container's file
 */
export async function* relationFiles(
  ctx: Context,
  db: Queryable,
  relation: ReadRelation,
  containers: readonly number[],
  nameOf: (id: number) => string,
  progress: Progress,
): AsyncGenerator<PackedFile> {
  const counts = await countObjects(ctx, db, relation, containers);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  await progress.begin(relation.name, total);
  for (const batch of inBatches(containers, counts)) yield* filesOfBatch(ctx, db, relation, batch, nameOf, progress);
}
