import { sql } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { tables } from '../archive-imports/restoring.js';
import { holdImport, ownImport } from '../archive-imports/import-state.js';
import type { ImportTry } from '../archive-imports/import-state.js';
import type { CleanRow } from './clean-row.js';

/** A row of an archive that is taken over. */
export interface StagedRow {
  /** The group that it is of, by the id that it had; 0 for a project. */
  source_group: number;
  relation: string;
  line: number;
  data: CleanRow;
}

/** What takes over rows: the copy in the database, or, where nothing is to be touched, a count. */
export interface RowSink {
  add(row: StagedRow): Promise<void> | void;
}

const BATCH_ROWS = 500;
const BATCH_BYTES = 2 * 1024 * 1024;
/** Rows from which on the planner has to know how many there are. */
const MANY_ROWS = 1000;

/** A row that waits to be written. */
interface Waiting extends Omit<StagedRow, 'data'> {
  source_id: number | null;
  data: string;
}

/** Copies rows into the database, in batches. */
export class RowCopy implements RowSink {
  #waiting: Waiting[] = [];
  #bytes = 0;
  #rows = 0;

  constructor(
    readonly ctx: Context,
    private readonly of: ImportTry,
  ) {}

  async add({ data, ...row }: StagedRow): Promise<void> {
    const text = JSON.stringify(data);
    this.#waiting.push({ ...row, source_id: (data.id as number | null | undefined) ?? null, data: text });
    this.#bytes += text.length;
    if (this.#waiting.length >= BATCH_ROWS || this.#bytes >= BATCH_BYTES) await this.flush();
  }

  /** Writes what waits. @throws ImportAborted, ImportOvertaken where the copy is no more this try's */
  async flush(): Promise<void> {
    const waiting = this.#waiting.splice(0);
    this.#rows += waiting.length;
    this.#bytes = 0;
    if (waiting.length === 0) return;
    const rows = sql<Waiting>`unnest(${waiting.map((row) => row.source_group)}::bigint[],
      ${waiting.map((row) => row.relation)}::text[], ${waiting.map((row) => row.line)}::integer[],
      ${waiting.map((row) => row.source_id)}::bigint[], ${waiting.map((row) => row.data)}::jsonb[])`;
    const made = await tables(this)
      .insertInto('archive_import_rows')
      .columns(['import_id', 'namespace_id', 'source_group', 'relation', 'line', 'source_id', 'data'])
      .expression((eb) =>
        eb
          .selectFrom(ownImport(this.ctx, this.of).as('own'))
          .crossJoin(rows.as<'x'>(sql`x(source_group, relation, line, source_id, data)`))
          .select(['own.id', 'own.namespace_id', 'x.source_group', 'x.relation', 'x.line', 'x.source_id', 'x.data']),
      )
      .returning('line')
      .execute();
    if (made.length === 0) await holdImport(this.ctx, this.of);
  }

  /**
   * Writes what waits as the last. Many rows are then counted for the planner, which would take them for a few: it would
   * compare each with each other one where a statement joins them.
   * @throws ImportAborted, ImportOvertaken
   */
  async finish(): Promise<void> {
    await this.flush();
    // Plain SQL: no typed call has a word for `analyze`.
    if (this.#rows >= MANY_ROWS) await sql`analyze archive_import_rows`.execute(tables(this));
  }
}
