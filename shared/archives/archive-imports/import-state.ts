import type { Context } from '../../core/context.js';
import { releaseObjects } from '../../core/object-store/storing.js';
import { sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { importTold } from '../archives.pages.js';

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

/** An import ends here. The message says why, for whoever asked for it. */
export class ImportEnded extends Error {}

/**
 * A try that began later works on the import: this one may write nothing more. Of two tries the queue believes in the
 * one that it handed out last, which need not be the one that began last. So this is a failure to the queue: it passes
 * over that of a try it has given up, and tries again after that of one it believes in, until the import is over.
 */
export class ImportOvertaken extends Error {
  constructor() {
    super('Another try of the import goes on with it.');
  }
}

/** Notes that a try of a job works on an import; earlier tries end. @returns null where it is over, or its group is gone */
export async function startArchiveImport(ctx: Context, importId: number): Promise<RunningImport | null> {
  return ctx.queryOne<RunningImport>(sql`
    update archive_imports i
       set status = 'started', attempts = attempts + 1, started_at = coalesce(started_at, ${ctx.clock.now()})
     where id = ${importId} and status in ('created', 'started')
    returning id as "id", namespace_id as "namespace_id", project_id as "project_id", user_id as "user_id",
              object_id as "object_id", phase as "phase", attempts as "attempts",
              ${importTold('i')}`);
}

/** Why a try may not go on. @throws ImportOvertaken, ImportEnded */
async function giveUp(ctx: Context, { id, attempts }: ImportTry): Promise<never> {
  const row = await ctx.queryOne<{ attempts: number }>(sql`
    select i.attempts as "attempts" from archive_imports i where i.id = ${id} and i.status = 'started'`);
  throw row && row.attempts !== attempts ? new ImportOvertaken() : new ImportEnded('The import was cancelled.');
}

/** Notes how far it is. @throws ImportEnded once somebody cancelled it, ImportOvertaken */
export async function enterPhase(ctx: Context, of: ImportTry, phase: RunningImport['phase']): Promise<void> {
  // Plain SQL: outside of a transaction it is one statement and one round trip.
  const rows = await ctx.query(sql`
    update archive_imports i set phase = ${phase}
     where id = ${of.id} and attempts = ${of.attempts} and status = 'started' returning ${importTold('i')}`);
  if (rows.length === 0) await giveUp(ctx, of);
}

/** Rows of the import where this try still works on it, locked: for the statement that writes what it found. */
export const ownImport = ({ id, attempts }: ImportTry): Sql => sql`
  (select i.id, i.namespace_id from archive_imports i
    where i.id = ${id} and i.attempts = ${attempts} and i.status = 'started' for share)`;

/**
 * Keeps an import from being cancelled, and from another try, until the open transaction ends.
 * @throws ImportEnded once it was cancelled, ImportOvertaken
 */
export async function holdImport(ctx: Context, of: ImportTry): Promise<void> {
  const rows = await ctx.query(sql`select o.id from ${ownImport(of)} o`);
  if (rows.length === 0) await giveUp(ctx, of);
}

/** Notes what a try met with, for whoever asks while another one is waited for. */
export async function noteTrouble(ctx: Context, { id, attempts }: ImportTry, trouble: string): Promise<void> {
  // Plain SQL: outside of a transaction it is one statement and one round trip.
  await ctx.query(sql`
    update archive_imports i set last_error = ${trouble}
     where id = ${id} and attempts = ${attempts} and status = 'started' returning ${importTold('i')}`);
}

/** Notes what ended the process of an import's job, whichever try that was. */
export async function noteEndedProcess(ctx: Context, importId: number, trouble: string): Promise<void> {
  // Plain SQL: outside of a transaction it is one statement and one round trip.
  await ctx.query(sql`
    update archive_imports i set last_error = ${trouble}
     where id = ${importId} and status = 'started' returning ${importTold('i')}`);
}

/** What the last try of an import that goes on met with; null for nothing. */
export async function notedTrouble(ctx: Context, importId: number): Promise<string | null> {
  const row = await ctx.queryOne<{ trouble: string | null }>(sql`
    select i.last_error as "trouble" from archive_imports i where i.id = ${importId} and i.status = 'started'`);
  return row?.trouble ?? null;
}

/**
 * Ends an import: what was made of it stays, the archive and its copy go. Safe to repeat.
 * @param reason why it failed; null for one that is done
 * @returns whether it was still going on
 */
export async function endArchiveImport(ctx: Context, importId: number, reason: string | null): Promise<boolean> {
  return ctx.transaction(async () => {
    const [row] = await ctx.query<{ object_id: number | null }>(sql`
      select i.object_id as "object_id" from archive_imports i
       where i.id = ${importId} and i.status in ('created', 'started') for update`);
    if (!row) return false;
    const status = reason === null ? 'finished' : 'failed';
    await ctx.query(sql`
      update archive_imports i
         set status = ${status}, phase = 'done', last_error = left(${reason}::text, 255), object_id = null,
             finished_at = ${ctx.clock.now()}
       where id = ${importId} returning ${importTold('i')}`);
    if (row.object_id !== null) await releaseObjects(ctx, [row.object_id]);
    for (const table of [sql`archive_import_rows`, sql`archive_import_users`])
      await ctx.query(sql`delete from ${table} where import_id = ${importId}`);
    return true;
  });
}
