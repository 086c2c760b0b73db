import type { Context } from '../../core/context.js';
import type { Queryable } from '../../core/database/database.js';
import { empty, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { jsonLine, jsonObject } from './json-sql.js';
import type { ArchiveRelation } from '../format/attributes.js';
import type { AttributeValues } from './json-sql.js';
import type { PackedFile } from './pack.js';
import { Spool } from './pack.js';

/** How the objects of a relation are read: as SQL over rows `x`. */
export interface RelationReader {
  /** The table's rows as `x`, with what is joined to them. */
  readonly from: Fragment;
  /** The id of the group or project that a row belongs to. */
  readonly container: Fragment;
  /** Orders the rows of one container, each with another value; an index should begin with both. */
  readonly key: Fragment;
  readonly keyType: 'bigint' | 'text';
  /** Which of them the exporter may see; all where it says nothing. */
  readonly where?: (ctx: Context) => Fragment;
  readonly values: (ctx: Context) => AttributeValues;
}

/** A relation with its reader. */
export interface ReadRelation extends ArchiveRelation {
  readonly reader: RelationReader;
}

/** Those of the relations that the plan of the instance has. */
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

const visible = (ctx: Context, { reader }: ReadRelation): Fragment => reader.where?.(ctx) ?? sql`true`;

/** How many objects of a relation the exporter sees in each container; those that have none are left out. */
async function countObjects(
  ctx: Context,
  db: Queryable,
  relation: ReadRelation,
  containers: readonly number[],
): Promise<Map<number, number>> {
  const { from, container } = relation.reader;
  const rows = await db.query<{ id: number; count: number }>(sql`
    select ${container} as "id", count(*)::integer as "count" from ${from}
     where ${container} = any(${containers}::bigint[]) and ${visible(ctx, relation)} group by 1`);
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
function after({ reader }: ReadRelation, batch: readonly number[], last: ReadLine | undefined): Fragment {
  const { container, key } = reader;
  const type = raw(reader.keyType);
  if (batch.length === 1)
    return sql`${container} = ${batch[0]} ${last ? sql`and ${key} > ${last.key}::${type}` : empty}`;
  const within = sql`${container} = any(${batch}::bigint[])`;
  if (!last) return within;
  const place = sql`array_position(${batch}::bigint[], ${container})`;
  const lastPlace = batch.indexOf(last.container) + 1;
  return sql`${within} and (${place} > ${lastPlace} or (${place} = ${lastPlace} and ${key} > ${last.key}::${type}))`;
}

/** The next rows of a batch: by number and by bytes no more than fit in memory, and one at least. */
const step = (ctx: Context, relation: ReadRelation, batch: readonly number[], last: ReadLine | undefined): Fragment => {
  const { from, container, key, values } = relation.reader;
  const order = batch.length === 1 ? empty : sql`array_position(${batch}::bigint[], ${container}),`;
  return sql`
    select w.container as "container", w.key as "key", w.line as "line" from (
      select l.*, sum(octet_length(l.line)) over (order by l.place) - octet_length(l.line) as bytes_before from (
        select ${container} as container, ${key}::text as key, row_number() over (order by ${order} ${key}) as place,
               ${jsonLine(jsonObject(relation.attributes, values(ctx)))} as line
          from ${from} where ${after(relation, batch, last)} and ${visible(ctx, relation)}
         order by ${order} ${key} limit ${ROWS}) l) w
     where w.bytes_before < ${BYTES} order by w.place`;
};

/** The objects of a batch of containers, one container after the other, each ordered by its key. */
export async function* readLines(
  ctx: Context,
  db: Queryable,
  relation: ReadRelation,
  batch: readonly number[],
): AsyncGenerator<ReadLine[]> {
  for (let last: ReadLine | undefined; ;) {
    const lines = await db.query<ReadLine>(step(ctx, relation, batch, last));
    if (lines.length === 0) return;
    yield lines;
    last = lines.at(-1);
  }
}

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
