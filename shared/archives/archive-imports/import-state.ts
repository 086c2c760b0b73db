import type { Context, SignedInContext } from '../../core/context/context.js';
import { releaseObjects } from '../../core/stored-files/storing.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { importNotification } from '../archives.pages.js';
import { truncate } from '../read/archive-rejected.js';
import { actAsUser } from '../../tenancy/users/acting-user.js';

/** An import as its job knows it. */
export interface RunningImport {
  id: number;
  namespace_id: number;
  project_id: number | null;
  user_id: number | null;
  object_id: number | null;
  phase: 'waiting' | 'reading' | 'restoring' | 'done';
  /** Which try it is. */
  attempts: number;
}

/** A try of an import, by which it is known whether another one overtook it. */
export type ImportTry = Pick<RunningImport, 'id' | 'attempts'>;

/** Maximum length of a stored error, in characters. */
const LONGEST_ERROR = 255;

/** The import cannot continue. The message gives the reason to the requesting user. */
export class ImportAborted extends Error {}

/**
 * A later attempt is working on the import: this one must not write anything else. Of two attempts the queue considers
 * the one valid that it handed out last, which need not be the one that started last. So this counts as a failure for
 * the queue: it ignores failures of an attempt that it has given up, and retries after a failure of an attempt it
 * considers valid, until the import is finished.
 */
export class ImportOvertaken extends Error {
  constructor() {
    super('Another try of the import goes on with it.');
  }
}

/** The row of an import, for a statement that changes it. */
const importRow = (ctx: Context, importId: number) =>
  ctx.em.getKysely<ArchivesDatabase>().updateTable('archive_imports as i').where('i.id', '=', importId);

/** The same as long as this try works on it. */
const ownRow = (ctx: Context, { id, attempts }: ImportTry) =>
  importRow(ctx, id).where('i.attempts', '=', attempts).where('i.status', '=', 'started');

/** The same to read it, once a try began. */
const startedRow = (ctx: Context, importId: number) =>
  ctx.em
    .getKysely<ArchivesDatabase>()
    .selectFrom('archive_imports as i')
    .where('i.id', '=', importId)
    .where('i.status', '=', 'started');

/**
 * Records that an attempt of a job is working on an import; earlier attempts end.
 * @returns null if the import is finished, or its group deleted
 */
export async function startArchiveImport(ctx: Context, importId: number): Promise<RunningImport | null> {
  const row = await importRow(ctx, importId)
    .set((eb) => ({
      status: 'started',
      attempts: eb('i.attempts', '+', 1),
      started_at: eb.fn.coalesce('i.started_at', eb.cast<Date>(eb.val(ctx.clock.now()), 'timestamptz')),
    }))
    .where('i.status', 'in', ['created', 'started'])
    .returning(['i.id', 'i.namespace_id', 'i.project_id', 'i.user_id', 'i.object_id', 'i.phase', 'i.attempts'])
    .returning(importNotification('i'))
    .executeTakeFirst();
  return (row as RunningImport | undefined) ?? null;
}

/** Why a try may not go on. @throws ImportOvertaken, ImportAborted */
async function abortAttempt(ctx: Context, { id, attempts }: ImportTry): Promise<never> {
  const row = await startedRow(ctx, id).select('i.attempts').executeTakeFirst();
  throw row && row.attempts !== attempts ? new ImportOvertaken() : new ImportAborted('The import was cancelled.');
}

/** Records the phase of the import. @throws ImportAborted if it was cancelled, ImportOvertaken */
export async function enterPhase(ctx: Context, of: ImportTry, phase: RunningImport['phase']): Promise<void> {
  const rows = await ownRow(ctx, of).set({ phase }).returning(importNotification('i')).execute();
  if (rows.length === 0) await abortAttempt(ctx, of);
}

/** Rows of the import where this try still works on it, locked: for the statement that writes what it found. */
export const ownImport = (ctx: Context, { id, attempts }: ImportTry) =>
  ctx.em
    .getKysely<ArchivesDatabase>()
    .selectFrom('archive_imports as i')
    .select(['i.id', 'i.namespace_id'])
    .where('i.id', '=', id)
    .where('i.attempts', '=', attempts)
    .where('i.status', '=', 'started')
    .forShare();

/**
 * Keeps an import from being cancelled, and from another try, until the open transaction ends.
 * @throws ImportAborted once it was cancelled, ImportOvertaken
 */
export async function holdImport(ctx: Context, of: ImportTry): Promise<void> {
  const rows = await ownImport(ctx, of).execute();
  if (rows.length === 0) await abortAttempt(ctx, of);
}

/** Records the error of an attempt, which is visible until the next one. */
export async function recordImportError(ctx: Context, of: ImportTry, problem: string): Promise<void> {
  await ownRow(ctx, of).set({ last_error: problem }).returning(importNotification('i')).execute();
}

/** Records why the process of an import's job exited, whichever try that was. */
export async function recordProcessExit(ctx: Context, importId: number, problem: string): Promise<void> {
  await importRow(ctx, importId)
    .set({ last_error: problem })
    .where('i.status', '=', 'started')
    .returning(importNotification('i'))
    .execute();
}

/** The error of the last attempt of a running import; null if there was none. */
export async function lastImportError(ctx: Context, importId: number): Promise<string | null> {
  const row = await startedRow(ctx, importId).select('i.last_error').executeTakeFirst();
  return row?.last_error ?? null;
}

/**
 * Closes an import: imported resources stay, the archive and its copy are deleted. Safe to repeat.
 * @param reason why it failed; null if it succeeded
 * @returns whether it was still running
 */
export async function closeArchiveImport(ctx: Context, importId: number, reason: string | null): Promise<boolean> {
  return ctx.transaction(async () => {
    const db = ctx.em.getKysely<ArchivesDatabase>();
    const row = await db
      .selectFrom('archive_imports as i')
      .select('i.object_id')
      .where('i.id', '=', importId)
      .where('i.status', 'in', ['created', 'started'])
      .forUpdate()
      .executeTakeFirst();
    if (!row) return false;
    const status = reason === null ? 'finished' : 'failed';
    const last_error = reason === null ? null : truncate(reason, LONGEST_ERROR);
    await importRow(ctx, importId)
      .set({ status, phase: 'done', last_error, object_id: null, finished_at: ctx.clock.now() })
      .returning(importNotification('i'))
      .execute();
    if (row.object_id !== null) await releaseObjects(ctx, [row.object_id]);
    for (const table of ['archive_import_rows', 'archive_import_users'] as const)
      await db.deleteFrom(table).where('import_id', '=', importId).execute();
    return true;
  });
}

/** The context of the user who requested an import, if their account is still active. @throws ImportAborted */
export async function actAsSender(ctx: Context, userId: number | null): Promise<SignedInContext> {
  const acting = userId === null ? null : await actAsUser(ctx, userId);
  if (!acting) throw new ImportAborted('The user who asked for the import is gone or blocked.');
  return acting;
}
