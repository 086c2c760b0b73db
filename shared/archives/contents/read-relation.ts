import { sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import type { Queryable } from '../../core/database/database.js';
import { anyOf, constant, arrayPosition } from '../../core/database/expressions.js';
import type { MatchingQuery } from '../../core/database/list.js';
import { db, jsonLine, jsonObject } from './json-values.js';
import type { ArchiveRelation } from '../format/attributes.js';
import type { AttributeValues } from './json-values.js';
import type { PackedFile } from './pack.js';
import { Spool } from './pack.js';
import { snapshotRows } from './snapshot.js';

/** How the objects of a relation are read: as expressions over rows `x`. */
export interface RelationReader {
  /** The table's rows as `x`, with joined tables. */
  readonly from: MatchingQuery;
  /** The id of the group or project that a row belongs to. */
  readonly container: Expression<number>;
  /** Orders the rows of one container, each with another value; an index should begin with both. */
  readonly key: Expression<string>;
  readonly keyType: 'bigint' | 'text';
  /** Which of them the exporter may see; all if undefined. */
  readonly where?: (ctx: Context) => Expression<SqlBool>;
  readonly values: (ctx: Context) => AttributeValues;
}

/** A relation with its reader. */
export interface ReadRelation extends ArchiveRelation {
  readonly reader: RelationReader;
}

/** The relations that are included in the instance's plan. */
export const writtenRelations = (ctx: Context, relations: readonly ReadRelation[]): ReadRelation[] =>
  relations.filter(({ plan }) => plan === undefined || ctx.hasPlan(plan));

/** Joins relations of the format with their readers. @throws Error where one has none: a mistake of a registry */
export function withReaders(
  relations: readonly ArchiveRelation[],
  readers: Readonly<Record<string, RelationReader>>,
): ReadRelation[] {
  const written = relations.filter(({ incoming }) => !incoming);
  return written.map((relation) => {
    const reader = readers[relation.name];
    if (!reader) throw new Error(`Nothing reads the relation ${relation.name}.`);
    return { ...relation, reader };
  });
}

/** Rows of one step at most, and of containers that are read together. */
const ROWS = 500;
/** Bytes after which a step ends, with the row that passes them. */
const BYTES = 4 * 1024 * 1024;

/** One object of a container. */
interface ReadLine {
  readonly container: number;
  readonly key: string;
  readonly line: string;
}

/** The rows that the exporter may see. */
const visibleRows = (ctx: Context, { reader }: ReadRelation): MatchingQuery =>
  reader.where ? reader.from.where(reader.where(ctx)) : reader.from;

/** How many objects of a relation the exporter sees in each container; those that have none are left out. */
async function countObjects(
  ctx: Context,
  snapshot: Queryable,
  relation: ReadRelation,
  containers: readonly number[],
): Promise<Map<number, number>> {
  const { container } = relation.reader;
  const rows = await snapshotRows(
    snapshot,
    visibleRows(ctx, relation)
      .where(container, '=', anyOf(containers, 'bigint'))
      .select((eb) => [sql<number>`${container}`.as('id'), eb.cast<number>(eb.fn.countAll(), 'integer').as('count')])
      .groupBy(container),
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Containers in their order, small ones together, so that a thousand groups are not a thousand statements. */
function* inBatches(containers: readonly number[], counts: ReadonlyMap<number, number>): Generator<number[]> {
  let batch: number[] = [];
  let rows = 0;
  for (const id of containers) {
    const count = counts.get(id) ?? 0;
    if (count === 0) continue;
    if (batch.length > 0 && rows + count > ROWS) {
      yield batch;
      batch = [];
      rows = 0;
    }
    batch.push(id);
    rows += count;
  }
  if (batch.length > 0) yield batch;
}

/** What comes after a row, in the order of {@link step}. */
function after({ reader }: ReadRelation, batch: readonly number[], last: ReadLine | undefined): Expression<SqlBool> {
  const { container, key, keyType } = reader;
  const behind = last ? [db(key, '>', db.cast<string>(db.val(last.key), keyType))] : [];
  const [only] = batch;
  if (batch.length === 1 && only !== undefined) return db.and([db(container, '=', only), ...behind]);
  const within = db(container, '=', anyOf(batch, 'bigint'));
  if (!last) return within;
  const position = arrayPosition(batch, 'bigint', container);
  const lastPosition = batch.indexOf(last.container) + 1;
  return db.and([
    within,
    db.or([db(position, '>', lastPosition), db.and([db(position, '=', lastPosition), ...behind])]),
  ]);
}

/** The next rows of a batch: limited in number and bytes to fit in memory, but at least one. */
function step(ctx: Context, relation: ReadRelation, batch: readonly number[], last: ReadLine | undefined) {
  const { container, key, values } = relation.reader;
  const order = [...(batch.length === 1 ? [] : [arrayPosition(batch, 'bigint', container)]), key];
  const rows = order.reduce((query, by) => query.orderBy(by), visibleRows(ctx, relation));
  const lines = rows
    .where(after(relation, batch, last))
    .limit(constant(ROWS))
    .select((eb) => [
      sql<number>`${container}`.as('container'),
      eb.cast<string>(key, 'text').as('key'),
      eb.fn
        .agg<number>('row_number')
        .over((over) => order.reduce((window, by) => window.orderBy(by), over))
        .as('position'),
      jsonLine(jsonObject(relation.attributes, values(ctx))).as('line'),
    ]);
  const summed = db.selectFrom(lines.as('l')).select((eb) => {
    const bytes = eb.fn<number>('octet_length', ['l.line']);
    const sum = eb.fn.sum<number>(bytes).over((over) => over.orderBy('l.position'));
    return ['l.container', 'l.key', 'l.position', 'l.line', eb(sum, '-', bytes).as('bytes_before')];
  });
  return db
    .selectFrom(summed.as('w'))
    .select(['w.container', 'w.key', 'w.line'])
    .where('w.bytes_before', '<', constant(BYTES))
    .orderBy('w.position');
}

/** The objects of a batch of containers, one container after the other, each ordered by its key. */
export async function* readLines(
  ctx: Context,
  snapshot: Queryable,
  relation: ReadRelation,
  batch: readonly number[],
): AsyncGenerator<ReadLine[]> {
  for (let last: ReadLine | undefined; ;) {
    const lines: ReadLine[] = await snapshotRows(snapshot, step(ctx, relation, batch, last));
    if (lines.length === 0) return;
    yield lines;
    last = lines.at(-1);
  }
}

/** Is called with how far an export is. */
export interface Progress {
  /** A relation begins that has so many objects. */
  begin(relation: string, total: number): Promise<void>;
  /** So many more of them are written. */
  done(relation: string, count: number): Promise<void>;
  /** Everything is written. */
  end(): Promise<void>;
}

/** One file of a relation, for as long as it is read. */
async function* getFile(name: string, spool: Spool): AsyncGenerator<PackedFile> {
  const content = await spool.content();
  yield { name, bytes: spool.bytes, content };
}

/** The files of some containers that are read together. */
async function* filesOfBatch(
  ctx: Context,
  snapshot: Queryable,
  relation: ReadRelation,
  batch: readonly number[],
  nameOf: (id: number) => string,
  progress: Progress,
): AsyncGenerator<PackedFile> {
  let spool = new Spool();
  let container = batch[0];
  try {
    for await (const lines of readLines(ctx, snapshot, relation, batch)) {
      for (const line of lines) {
        if (line.container !== container) {
          if (spool.bytes > 0 && container !== undefined) yield* getFile(nameOf(container), spool);
          await spool.close();
          spool = new Spool();
          ({ container } = line);
        }
        await spool.write(Buffer.from(relation.single ? line.line : `${line.line}\n`));
      }
      await progress.done(relation.name, lines.length);
    }
    if (spool.bytes > 0 && container !== undefined) yield* getFile(nameOf(container), spool);
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
  snapshot: Queryable,
  relation: ReadRelation,
  containers: readonly number[],
  nameOf: (id: number) => string,
  progress: Progress,
): AsyncGenerator<PackedFile> {
  const counts = await countObjects(ctx, snapshot, relation, containers);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  await progress.begin(relation.name, total);
  for (const batch of inBatches(containers, counts))
    yield* filesOfBatch(ctx, snapshot, relation, batch, nameOf, progress);
}
