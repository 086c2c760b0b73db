import { sql } from 'kysely';
import type { AliasableExpression, Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { truncate } from '../read/archive-rejected.js';
import { ownImport } from './import-state.js';
import type { ImportTry } from './import-state.js';
import { nowIn, r, recordset, tables } from './restoring.js';

/** For items that the instance's plan does not support. */
export const NO_PLAN = 'is left out, since the plan of the instance does not have it';

/** For merge requests that could not both be open at the same time. */
export const SAME_BRANCHES = 'is left out, since another open one of the archive has the same branches';

/** An item of an archive that was not imported, and the reason. */
export interface ImportFailure {
  /** Name of the entry. */
  file: string | null;
  line: number | null;
  relation: string | null;
  reason: string;
}

/** Maximum number of failures stored for one import. */
const MAX_STORED = 10_000;
/** Failures that are listed of one import; the others are counted. */
export const FAILURES_LISTED = 1000;
const LONGEST_REASON = 255;

const COLUMNS = ['import_id', 'namespace_id', 'file', 'line', 'relation', 'reason', 'created_at'] as const;

/** Collects the items that an import leaves out, and stores the first of them. */
export class Failures {
  #stored = 0;
  #waiting: ImportFailure[] = [];

  constructor(private readonly of: ImportTry) {}

  /** Notes one, to be stored with the next {@link store}. */
  add(failure: ImportFailure): void {
    if (this.#stored >= MAX_STORED) return;
    this.#stored += 1;
    this.#waiting.push({ ...failure, reason: truncate(failure.reason, LONGEST_REASON) });
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
          .crossJoin(recordset(waiting, 'x', { file: 'text', line: 'int', relation: 'text', reason: 'text' }))
          .select(['own.id', 'own.namespace_id', 'x.file', 'x.line', 'x.relation', 'x.reason', nowIn(ctx).as('now')]),
      )
      .execute();
  }
}

/** How many more failures can be stored for an import. */
const roomFor = (ctx: Context, importId: number) =>
  r.fn<number>('greatest', [
    sql.lit(0),
    r(
      sql.lit(MAX_STORED),
      '-',
      tables({ ctx })
        .selectFrom('archive_import_failures as f')
        .select((eb) => eb.fn.countAll<number>().as('kept'))
        .where('f.import_id', '=', importId)
        .$asScalar(),
    ),
  ]);

/** Rows of an import, with joined tables. */
type FailedRows = SelectQueryBuilder<
  { r: ArchivesDatabase['archive_import_rows']; archive_import_failures: ArchivesDatabase['archive_import_failures'] },
  'r',
  object
>;

/**
 * Reports copied rows that were only partly restored, each once even if called repeatedly.
 * @param rows `archive_import_rows as r` with joins and a condition
 * @param file the row's file in the archive
 */
export async function reportMissing(
  ctx: Context,
  {
    importId,
    rows,
    file,
    reason,
  }: { importId: number; rows: FailedRows; file: AliasableExpression<string>; reason: string },
): Promise<void> {
  const reasonText = r.cast<string>(r.val(reason), 'text');
  const reported = tables({ ctx })
    .selectFrom('archive_import_failures as f')
    .select('f.id')
    .where('f.import_id', '=', r.ref('r.import_id'))
    .where('f.file', '=', file)
    .where('f.line', '=', r.ref('r.line'))
    .where('f.reason', '=', reason);
  await tables({ ctx })
    .insertInto('archive_import_failures')
    .columns(COLUMNS)
    .expression(
      rows
        .select(['r.import_id', 'r.namespace_id', file.as('file'), 'r.line', 'r.relation'])
        .select([reasonText.as('reason'), nowIn(ctx).as('now')])
        .where('r.import_id', '=', importId)
        .where(r.not(r.exists(reported)))
        .orderBy('r.source_group')
        .orderBy('r.line')
        .limit(roomFor(ctx, importId)),
    )
    .execute();
}

/** Gives rows of which nothing was made a reason where they have none, so that none is left out in silence. */
export async function recordUnrestored(ctx: Context, rows: Expression<SqlBool>): Promise<void> {
  await tables({ ctx })
    .updateTable('archive_import_rows as r')
    .set({ problem: 'could not be restored' })
    .where(rows)
    .where('r.made_id', 'is', null)
    .where('r.problem', 'is', null)
    .execute();
}

/**
 * Reports copied rows with a part that could not be restored: each with its line, up to the maximum number of failures
 * stored for one import.
 * @param rows a condition on `archive_import_rows r`
 * @param file the rows' file in the archive
 */
export async function reportProblems(
  ctx: Context,
  { importId, rows, file }: { importId: number; rows: Expression<SqlBool>; file: string },
): Promise<void> {
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
        .limit(roomFor(ctx, importId)),
    )
    .execute();
}
