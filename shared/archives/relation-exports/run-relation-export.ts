import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { SignedInContext, Context } from '../../core/context/context.js';
import type { Queryable } from '../../core/database/database.js';
import { storing } from '../../core/stored-files/storing.js';
import { readGroupRelations } from '../contents/group-readers.js';
import { groupObjects } from '../contents/group-archive.js';
import { readLines, writtenRelations } from '../contents/read-relation.js';
import { inSnapshot } from '../contents/snapshot.js';
import { ExportAborted } from '../exports/export-state.js';
import { authorizeExport, ExportRejected } from '../exports/run-export.js';
import { problemOf } from '../read/archive-rejected.js';
import type { RelationExport } from './relation-export.entity.js';
import {
  failRelationExport,
  finishRelationExport,
  isRelationOvertaken,
  keepRelationFile,
  recordRelationError,
  startRelationExport,
  SELF,
} from './relation-export-state.js';

/** Of objects in the store. */
const KIND = 'exports';
/** Objects of one file of a batched export. */
const BATCH = 1000;
const LEVEL = 4;

/** The objects of a relation, one JSON text each. */
async function* objectsOf(ctx: SignedInContext, db: Queryable, row: RelationExport): AsyncGenerator<string> {
  if (row.relation === SELF) {
    for (const { json } of await groupObjects(ctx, db, [row.namespace_id])) yield json;
    return;
  }
  const relation = readGroupRelations.find(({ name }) => name === row.relation);
  if (!relation) throw new ExportRejected('There is no such relation.');
  if (writtenRelations(ctx, [relation]).length === 0) return;
  for await (const lines of readLines(ctx, db, relation, [row.namespace_id])) for (const { line } of lines) yield line;
}

/** Writes one file of the objects that are left, `most` of them at most. */
async function writeFile(
  ctx: SignedInContext,
  row: RelationExport,
  first: IteratorResult<string>,
  rest: AsyncIterator<string>,
  limits: { batch: number; most: number },
): Promise<void> {
  let count = 0;
  async function* lines() {
    for (let next = first; !next.done; next = await rest.next()) {
      yield Buffer.from(`${next.value}\n`);
      count += 1;
      if (count === limits.most) return;
    }
  }
  const gzip = createGzip({ level: LEVEL });
  // Whoever reads the end of it gets the error.
  pipeline(Readable.from(lines(), { objectMode: false }), gzip, () => {});
  await storing(ctx, KIND, gzip, { limit: Infinity }, (file) =>
    keepRelationFile(ctx, row, file, { batch_number: limits.batch, objects_count: count }),
  );
}

/** Writes all files of a relation, from one snapshot: one of all objects, also of none, or one for each batch. */
async function write(ctx: SignedInContext, row: RelationExport): Promise<void> {
  await inSnapshot(ctx, async (snapshot) => {
    const objects = objectsOf(ctx, snapshot, row);
    try {
      const most = row.batched ? BATCH : Infinity;
      let next = await objects.next();
      for (let batch = 1; !next.done || (!row.batched && batch === 1); batch += 1) {
        await writeFile(ctx, row, next, objects, { batch, most });
        next = await objects.next();
      }
    } finally {
      await objects.return(undefined);
    }
  });
  await finishRelationExport(ctx, row);
}

/**
 * Does one try of the export of a relation. Safe to repeat.
 * @throws what the queue shall try again
 */
export async function runRelationExport(ctx: Context, id: number): Promise<void> {
  const row = await startRelationExport(ctx, id);
  if (!row) return;
  try {
    const { acting } = await authorizeExport(ctx, { ...row, project_id: null });
    await write(acting, row);
  } catch (error) {
    if (error instanceof ExportAborted) {
      if (await isRelationOvertaken(ctx, row)) throw error;
      return;
    }
    if (!(error instanceof ExportRejected)) {
      const problem = problemOf(error);
      if (problem !== null && !ctx.signal.aborted) await recordRelationError(ctx, row, problem);
      throw error;
    }
    await failRelationExport(ctx, id, error.message);
  }
}
