import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Context, SignedInContext } from '../../core/context/context.js';
import type { Queryable } from '../../core/database/database.js';
import { administers, containerOfRow } from '../../core/operations/container.js';
import { storing } from '../../core/stored-files/storing.js';
import { NotFound } from '../../core/values/errors.js';
import { actAsUser } from '../../tenancy/users/acting-user.js';
import { containerTypes } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { containerArchive, groupObjects } from '../contents/container-archive.js';
import { packFiles } from '../contents/pack.js';
import { readLines, writtenRelations } from '../contents/read-relation.js';
import { readRelations } from '../contents/relation-readers.js';
import { inSnapshot } from '../contents/snapshot.js';
import { withOrigin } from '../read/archive-origin.js';
import { getArchiveProblem } from '../read/archive-rejected.js';
import type { ArchiveExport, RelationExport } from './archive-export.entity.js';
import {
  closeExport,
  ExportAborted,
  finishExport,
  isOvertaken,
  recordExportError,
  reportProgress,
  startExport,
} from './export-state.js';
import {
  failRelationExport,
  finishRelationExport,
  isRelationOvertaken,
  keepRelationFile,
  recordRelationError,
  SELF,
  startRelationExport,
} from './relation-export-state.js';

/** Of objects in the store. */
const KIND = 'exports';

/** An export is not permitted. The message gives the reason. */
export class ExportRejected extends Error {}

/**
 * Loads the requesting user and the exported container, and checks that the export is still permitted.
 * @throws ExportRejected
 */
export async function authorizeExport(
  ctx: Context,
  row: Pick<ArchiveExport, 'user_id' | 'project_id' | 'namespace_id'>,
): Promise<{ acting: SignedInContext; container: Container }> {
  const acting = await actAsUser(ctx, row.user_id);
  if (!acting) throw new ExportRejected('The user who asked for the export is gone or blocked.');
  const ref = containerOfRow(row);
  if (!ref) throw new ExportRejected('What was to be exported is gone.');
  const container = await containerTypes[ref.kind].resource
    .find(acting, { id: String(ref.id) })
    .catch((error: unknown) => {
      if (error instanceof NotFound) throw new ExportRejected('What was to be exported is gone.');
      throw error;
    });
  if (!administers(acting.caller, container))
    throw new ExportRejected('The user who asked for the export may not export it any more.');
  return { acting, container };
}

const CHARACTERS = 51;

/**
 * The name of an archive's file: `2026-11-20_20-05-123_team_tools_export.tar.gz`, of hour, minute and milliseconds,
 * cut before its ending (group-export-import.md section 2.9).
 */
function archiveName(time: Date, fullPath: string): string {
  // 2026-11-20T20:05:07.123Z
  const iso = time.toISOString();
  const stamp = `${iso.slice(0, 10)}_${iso.slice(11, 13)}-${iso.slice(14, 16)}-${iso.slice(20, 23)}`;
  return `${`${stamp}_${fullPath.replaceAll('/', '_')}`.slice(0, CHARACTERS)}_export.tar.gz`;
}

/** Writes the archive into the store, and gives it to the export once it is whole. */
async function writeArchive(acting: SignedInContext, row: ArchiveExport, container: Container): Promise<void> {
  const progress = reportProgress(acting, row);
  await inSnapshot(acting, async (snapshot) => {
    const files = containerArchive(acting, snapshot, container, row.description ?? null, progress);
    await storing(
      acting,
      KIND,
      packFiles(withOrigin(files, acting.services.keys)),
      { limit: Infinity },
      async (archive) => {
        await progress.end();
        const name = archiveName(acting.clock.now(), container.record.full_path);
        await finishExport(acting, row, archive, name);
      },
    );
  });
}

/** Objects of one file of a batched export. */
const BATCH = 1000;

/** Of gzip. */
const LEVEL = 4;

/** The objects of a relation, one JSON text each. */
async function* getObjects(ctx: SignedInContext, db: Queryable, row: RelationExport): AsyncGenerator<string> {
  if (row.relation === SELF) {
    for (const { json } of await groupObjects(ctx, db, [row.namespace_id])) yield json;
    return;
  }
  const relation = readRelations.group.find(({ name }) => name === row.relation);
  if (!relation) throw new ExportRejected('There is no such relation.');
  if (writtenRelations(ctx, [relation]).length === 0) return;
  for await (const lines of readLines(ctx, db, relation, [row.namespace_id])) for (const { line } of lines) yield line;
}

/** Writes one file of the objects that are left, `most` of them at most. */
async function writeRelationFile(
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
  // The reader of the gzip stream receives the error.
  pipeline(Readable.from(lines(), { objectMode: false }), gzip, () => {});
  await storing(ctx, KIND, gzip, { limit: Infinity }, (file) =>
    keepRelationFile(ctx, row, file, { batch_number: limits.batch, objects_count: count }),
  );
}

/** Writes all files of a relation, from one snapshot: one of all objects, also of none, or one for each batch. */
async function writeRelation(ctx: SignedInContext, row: RelationExport): Promise<void> {
  await inSnapshot(ctx, async (snapshot) => {
    const objects = getObjects(ctx, snapshot, row);
    try {
      const most = row.batched ? BATCH : Infinity;
      let next = await objects.next();
      for (let batch = 1; !next.done || (!row.batched && batch === 1); batch += 1) {
        await writeRelationFile(ctx, row, next, objects, { batch, most });
        next = await objects.next();
      }
    } finally {
      await objects.return(undefined);
    }
  });
  await finishRelationExport(ctx, row);
}

/** A try of an export, as far as exports of archives and of relations differ. */
interface Attempt {
  write(): Promise<void>;
  /** Whether another try works on what was this one's. */
  isOvertaken(): Promise<boolean>;
  /** @param problem an infrastructure problem that operators can fix; null for an internal error */
  recordError(problem: string | null): Promise<void>;
  fail(reason: string): Promise<void>;
}

/** @throws errors that the queue should retry */
async function runAttempt(ctx: Context, { write, ...attempt }: Attempt): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (error instanceof ExportAborted) {
      if (await attempt.isOvertaken()) throw error;
      return;
    }
    if (!(error instanceof ExportRejected)) {
      if (!ctx.signal.aborted) await attempt.recordError(getArchiveProblem(error));
      throw error;
    }
    await attempt.fail(error.message);
  }
}

/**
 * Runs one attempt of an export. The archive is stored completely or not at all, even if this is interrupted; safe to
 * repeat.
 * @throws errors that the queue should retry
 */
export async function runExport(ctx: Context, id: number): Promise<void> {
  const row = await startExport(ctx, id);
  if (!row) return;
  await runAttempt(ctx, {
    async write() {
      const { acting, container } = await authorizeExport(ctx, row);
      await writeArchive(acting, row, container);
    },
    isOvertaken: () => isOvertaken(ctx, row),
    recordError: (problem) => recordExportError(ctx, row, problem ?? 'The archive could not be written.'),
    fail: (reason) => closeExport(ctx, id, 'failed', reason),
  });
}

/**
 * Runs one attempt of a relation export. Safe to repeat.
 * @throws errors that the queue should retry
 */
export async function runRelationExport(ctx: Context, id: number): Promise<void> {
  const row = await startRelationExport(ctx, id);
  if (!row) return;
  await runAttempt(ctx, {
    async write() {
      const { acting } = await authorizeExport(ctx, { ...row, project_id: null });
      await writeRelation(acting, row);
    },
    isOvertaken: () => isRelationOvertaken(ctx, row),
    async recordError(problem) {
      if (problem !== null) await recordRelationError(ctx, row, problem);
    },
    fail: (reason) => failRelationExport(ctx, id, reason),
  });
}
