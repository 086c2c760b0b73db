import { Readable } from 'node:stream';
import { answerInHand } from '../../core/bytes/answer-bytes.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import { prepareQuery, prepareStatement } from '../../core/database/prepared.js';
import type { ByteRange } from '../../core/object-store/object-store.js';
import { openObject } from '../../core/stored-files/storing.js';
import { StoredObject } from '../../core/stored-files/stored-object.entity.js';
import type { CiDatabase } from '../ci.entities.js';
import { JobLog } from './job-log.entity.js';
import type { JobLogChunk } from './job-log.entity.js';
import type { LogKey } from './job-log.finder.js';

/** Chunks that are read at a time: 1 MiB at most. */
const CHUNKS_AT_ONCE = 8;

/** A log with the object that holds its bytes, once it is sealed. */
export interface ReadableLog extends JobLog {
  object: Pick<StoredObject, 'key' | 'bytes' | 'sha256'> | null;
}

const load = prepareQuery<CiDatabase, { project_id: number; job_id: number }, ReadableLog>((db, values) =>
  db
    .selectFrom('job_logs as jl')
    .leftJoin('stored_objects as o', 'o.id', 'jl.object_id')
    .select([
      ...columns(JobLog, 'jl'),
      ...nestedOrNull('object', StoredObject, 'o', { only: ['id', 'key', 'bytes', 'sha256'] }),
    ])
    .where('jl.project_id', '=', values.project_id)
    .where('jl.job_id', '=', values.job_id),
);

/** A log, wherever its bytes are; null if the job has none. */
export async function findReadableLog(ctx: Context<Caller>, job: LogKey): Promise<ReadableLog | null> {
  const [log] = await load(ctx, { project_id: job.project_id, job_id: job.id });
  return log ?? null;
}

type Chunk = Pick<JobLogChunk, 'start' | 'data'>;

/** Chunks from the one that holds a position on. */
const chunksFrom = prepareStatement<CiDatabase, { project_id: number; job_id: number; position: number }>(
  (db, values) =>
    db
      .selectFrom('job_log_chunks as c')
      .select(['c.start', 'c.data'])
      .where('c.project_id', '=', values.project_id)
      .where('c.job_id', '=', values.job_id)
      .where('c.start', '>=', (eb) =>
        eb
          .selectFrom('job_log_chunks as b')
          .select('b.start')
          .where('b.project_id', '=', values.project_id)
          .where('b.job_id', '=', values.job_id)
          .where('b.start', '<=', values.position)
          .orderBy('b.start', 'desc')
          .limit(constant(1)),
      )
      .orderBy('c.start')
      .limit(constant(CHUNKS_AT_ONCE)),
);

/**
 * Bytes of a log that is not sealed, from a position on: 1 MiB at most, none at its end. They pass through, and are not
 * counted as an answer that is built.
 */
export async function readChunks(
  { services }: Pick<Context<Caller>, 'services'>,
  job: LogKey,
  position: number,
): Promise<Buffer[]> {
  const statement = chunksFrom({ project_id: job.project_id, job_id: job.id, position });
  const chunks = await answerInHand.exit(() => services.db.query<Chunk>(statement));
  return chunks
    .map(({ start, data }) =>
      Buffer.from(data.buffer, data.byteOffset, data.length).subarray(Math.max(0, position - start)),
    )
    .filter((data) => data.length > 0);
}

/** Bytes of a log from one position to another, both included. Sealed meanwhile, it goes on from the object. */
async function* readRange(ctx: Context<Caller>, job: LogKey, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  for (let position = start; position <= end;) {
    const chunks = await readChunks(ctx, job, position);
    if (chunks.length === 0) {
      const log = await answerInHand.exit(() => findReadableLog(ctx, job));
      if (!log?.object || log.object.bytes <= end) throw new Error('The log became shorter while it was read.');
      yield* (await openObject(ctx, log.object, { start: position, end })) as AsyncIterable<Uint8Array>;
      return;
    }
    for (const chunk of chunks) {
      const data = chunk.subarray(0, end - position + 1);
      position += data.length;
      if (data.length > 0) yield data;
    }
  }
}

/**
 * Opens the bytes of a log. Constant memory, however long it is. Destroy the stream if it is not read.
 * @param range within the log; all of it by default
 */
export async function openLog(
  ctx: Context<Caller>,
  job: LogKey,
  log: ReadableLog,
  range?: ByteRange,
): Promise<Readable> {
  if (log.object) return openObject(ctx, log.object, range);
  return Readable.from(readRange(ctx, job, range ?? { start: 0, end: log.bytes - 1 }), { objectMode: false });
}
