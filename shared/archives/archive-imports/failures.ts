import { sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context.js';
import { sql as text } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { ownImport } from './import-state.js';
import type { ImportTry } from './import-state.js';
import { r, recordset, tables } from './restoring.js';

/** Of what the instance's plan has nothing for. */
export const NO_PLAN = 'is left out, since the plan of the instance does not have it';

/** Something of an archive that is not taken over, and why. */
export interface ImportFailure {
  /** Name of the entry. */
  file: string | null;
  line: number | null;
  relation: string | null;
  reason: string;
}

/** Failures that are kept of one import. */
const MOST_KEPT = 10_000;
/** Failures that are shown of one import; the others are counted. */
export const FAILURES_SHOWN = 1000;
const LONGEST_REASON = 255;

const COLUMNS = ['import_id', 'namespace_id', 'file', 'line', 'relation', 'reason', 'created_at'] as const;

const nowIn = (ctx: Context) => r.cast<Date>(r.val(ctx.clock.now()), 'timestamptz');

/** Collects what an import leaves out, and stores the first of it. */
export class Failures {
  #kept = 0;
  #waiting: ImportFailure[] = [];

  constructor(private readonly of: ImportTry) {}

  /** Notes one, to be stored with the next {@link store}. */
  add(failure: ImportFailure): void {
    if (this.#kept >= MOST_KEPT) return;
    this.#kept += 1;
    this.#waiting.push({ ...failure, reason: failure.reason.slice(0, LONGEST_REASON) });
  }

  /** Writes what was noted; nothing for an import that is over, or that another try goes on with. */
  async store(ctx: Context): Promise<void> {
    const waiting = this.#waiting.splice(0);
    if (waiting.length === 0) return;
    await tables({ ctx })
      .insertInto('archive_import_failures')
      .columns(COLUMNS)
      .expression((eb) =>
        eb
          .selectFrom(ownImport(ctx, this.of).as('own'))
          .crossJoin(recordset(waiting, 'x', { file: 'text', line: 'integer', relation: 'text', reason: 'text' }))
          .select(['own.id', 'own.namespace_id', 'x.file', 'x.line', 'x.relation', 'x.reason', nowIn(ctx).as('now')]),
      )
      .execute();
  }
}

/**
 * Tells of copied rows that something of what was made of them is missing, each once however often it is asked for.
 * @param rows `archive_import_rows r` with what is joined to it, and a condition
 * @param file SQL for the row's file in the archive
 */
export async function tellMissing(
  ctx: Context,
  { importId, rows, file, reason }: { importId: number; rows: Fragment; file: Fragment; reason: string },
): Promise<void> {
  await ctx.query(text`
    insert into archive_import_failures (import_id, namespace_id, file, line, relation, reason, created_at)
    select r.import_id, r.namespace_id, ${file}, r.line, r.relation, ${reason}, ${ctx.clock.now()}::timestamptz
      from ${rows} and r.import_id = ${importId} and not exists (
             select 1 from archive_import_failures f
              where f.import_id = r.import_id and f.file = ${file} and f.line = r.line and f.reason = ${reason})
     order by r.source_group, r.line
     limit greatest(0, ${MOST_KEPT}::bigint -
       (select count(*) from archive_import_failures f where f.import_id = ${importId}))`);
}

/** Gives rows of which nothing was made a reason where they have none, so that none is left out in silence. */
export async function noteUnrestored(ctx: Context, rows: Expression<SqlBool>): Promise<void> {
  await tables({ ctx })
    .updateTable('archive_import_rows as r')
    .set({ problem: 'could not be restored' })
    .where(rows)
    .where('r.made_id', 'is', null)
    .where('r.problem', 'is', null)
    .execute();
}

/**
 * Tells of copied rows that something could not be restored of: each with its line, up to as many failures as are kept
 * of one import.
 * @param rows a condition on `archive_import_rows r`
 * @param file the rows' file in the archive
 */
export async function tellProblems(
  ctx: Context,
  { importId, rows, file }: { importId: number; rows: Expression<SqlBool>; file: string },
): Promise<void> {
  const kept = tables({ ctx })
    .selectFrom('archive_import_failures as f')
    .select((eb) => eb.fn.countAll<number>().as('kept'))
    .where('f.import_id', '=', importId)
    .$asScalar();
  await tables({ ctx })
    .insertInto('archive_import_failures')
    .columns(COLUMNS)
    .expression((eb) =>
      eb
        .selectFrom('archive_import_rows as r')
        .select([
          'r.import_id',
          'r.namespace_id',
          eb.cast<string>(eb.val(file), 'text').as('file'),
          'r.line',
          'r.relation',
        ])
        .select([r.fn<string>('left', ['r.problem', sql.lit(LONGEST_REASON)]).as('reason'), nowIn(ctx).as('now')])
        .where(rows)
        .where('r.problem', 'is not', null)
        .orderBy('r.line')
        .limit(eb.fn<number>('greatest', [sql.lit(0), eb(sql.lit(MOST_KEPT), '-', kept)])),
    )
    .execute();
}
