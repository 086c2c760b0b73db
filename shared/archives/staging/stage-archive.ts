import { sql } from 'kysely';
import type { UserCaller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { unnestedColumns } from '../../core/database/expressions.js';
import { openObject } from '../../core/stored-files/storing.js';
import { Failures } from '../archive-imports/failures.js';
import { enterPhase, holdImport, ImportAborted, ownImport } from '../archive-imports/import-state.js';
import type { ImportTry, RunningImport } from '../archive-imports/import-state.js';
import { storePeople } from '../archive-imports/match-people.js';
import { tables } from '../archive-imports/restoring.js';
import { OriginCheck } from '../read/archive-origin.js';
import { readEntries } from '../read/entries.js';
import type { IncomingEntry } from '../read/entries.js';
import type { ArchiveReader, SourceGroups } from './read-archive.js';
import type { RelationCounts, RowSink, StagedRow } from './read-relation.js';

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
class RowCopy implements RowSink {
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

  /** Writes the pending rows. @throws ImportAborted, ImportOvertaken if this attempt no longer owns the copy */
  async flush(): Promise<void> {
    const waiting = this.#waiting.splice(0);
    this.#rows += waiting.length;
    this.#bytes = 0;
    if (waiting.length === 0) return;
    const column = <K extends keyof Waiting>(name: K) => waiting.map((row) => row[name]);
    const rows = unnestedColumns<Waiting>({
      source_group: [column('source_group'), 'bigint'],
      relation: [column('relation'), 'text'],
      line: [column('line'), 'int'],
      source_id: [column('source_id'), 'bigint'],
      data: [column('data'), 'jsonb'],
    });
    const staged = await tables(this)
      .insertInto('archive_import_rows')
      .columns(['import_id', 'namespace_id', 'source_group', 'relation', 'line', 'source_id', 'data'])
      .expression((eb) =>
        eb
          .selectFrom(ownImport(this.ctx, this.of).as('own'))
          .crossJoin(rows.as('x'))
          .select(['own.id', 'own.namespace_id', 'x.source_group', 'x.relation', 'x.line', 'x.source_id', 'x.data']),
      )
      .returning('line')
      .execute();
    if (staged.length === 0) await holdImport(this.ctx, this.of);
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

const MIB = 1024 * 1024;
/** Milliseconds that reading an archive may take (group-export-import.md section 5). */
const MOST_READING_MS = 210_000;
const GROUPS_AT_A_TIME = 1000;

/** What decompressing may cost by the instance's settings. */
export const archiveLimits = (ctx: Context) => ({
  maxBytes: ctx.settings.max_decompressed_archive_size * MIB,
  maxMs: MOST_READING_MS,
  signal: ctx.signal,
});

/** The stored archive of an import. @throws ImportAborted if it no longer exists */
export async function storedArchive(ctx: Context, { object_id: id }: RunningImport) {
  const found =
    id === null
      ? undefined
      : await tables({ ctx })
          .selectFrom('stored_objects as o')
          .select(['o.key', 'o.bytes'])
          .where('o.id', '=', id)
          .where('o.removed_at', 'is', null)
          .executeTakeFirst();
  if (!found) throw new ImportAborted('The archive is gone.');
  return found;
}

/**
 * The files of the archive of an import, read again for processing one by one, without a time limit.
 * @throws ImportAborted if it no longer exists, ArchiveRejected
 */
export async function* storedEntries(ctx: Context, found: RunningImport): AsyncGenerator<IncomingEntry> {
  const archive = await storedArchive(ctx, found);
  const { maxBytes, signal } = archiveLimits(ctx);
  yield* readEntries(await openObject(ctx, archive), { maxBytes, signal });
}

/**
 * Deletes the rows copied by an earlier attempt, which can no longer add any.
 * @throws ImportAborted, ImportOvertaken
 */
async function clearStaged(ctx: Context, of: RunningImport): Promise<void> {
  await ctx.transaction(async () => {
    await holdImport(ctx, of);
    for (const table of [
      'archive_import_rows',
      'archive_import_groups',
      'archive_import_users',
      'archive_import_relations',
      'archive_import_failures',
    ] as const)
      await tables({ ctx }).deleteFrom(table).where('import_id', '=', of.id).execute();
  });
}

async function storeGroups(ctx: Context, { id, namespace_id }: RunningImport, groups: SourceGroups): Promise<void> {
  for (let from = 0; from < groups.ids.length; from += GROUPS_AT_A_TIME) {
    const rows = groups.ids.slice(from, from + GROUPS_AT_A_TIME).map((source, at) => {
      const attributes = groups.attributes.get(source);
      return {
        import_id: id,
        namespace_id,
        source_id: source,
        position: from + at,
        parent_source_id: (attributes?.parent_id ?? null) as number | null,
        attributes: attributes ? JSON.stringify(attributes) : null,
        status: 'waiting',
      };
    });
    await tables({ ctx }).insertInto('archive_import_groups').values(rows).execute();
  }
}

async function storeCounts(
  ctx: Context,
  { id: import_id, namespace_id }: RunningImport,
  counts: RelationCounts,
): Promise<void> {
  if (counts.size === 0) return;
  const start = { imported: 0, restored: false, prepared: false, restored_through: 0 };
  const rows = [...counts].map(([relation, counted]) => ({ import_id, namespace_id, relation, ...start, ...counted }));
  await tables({ ctx }).insertInto('archive_import_relations').values(rows).execute();
}

/**
 * Copies the contents of an archive, except its bundles, into the tables that its group or project is restored from.
 * Nothing else is changed. Safe to repeat.
 * @param sender the user who requested the import
 * @throws ArchiveRejected, ImportAborted
 */
export async function stageArchive(
  ctx: Context,
  found: RunningImport,
  sender: UserCaller,
  read: ArchiveReader,
): Promise<void> {
  const archive = await storedArchive(ctx, found);
  await enterPhase(ctx, found, 'reading');
  await clearStaged(ctx, found);
  const failures = new Failures(found);
  const copy = new RowCopy(ctx, found);
  const counts: RelationCounts = new Map();
  try {
    const origin = new OriginCheck();
    const entries = origin.entries(readEntries(await openObject(ctx, archive), archiveLimits(ctx)));
    const groups = await read(entries, copy, { counts, failed: (failure) => failures.add(failure) });
    await copy.finish();
    await ctx.transaction(async () => {
      await holdImport(ctx, found);
      await storeGroups(ctx, found, groups);
      await storeCounts(ctx, found, counts);
      await storePeople(ctx.as(sender), found, { isOwn: origin.isFrom(ctx.services.keys) });
      await enterPhase(ctx, found, 'restoring');
    });
  } finally {
    await failures.store(ctx);
  }
}
