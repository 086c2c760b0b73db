import { crc32 } from 'node:zlib';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import type { JobLogChunk } from './job-log.entity.js';
import type { LogKey } from './job-log.finder.js';

/** Bytes of a chunk at most. */
const CHUNK_BYTES = 128 * 1024;

type Piece = Pick<JobLogChunk, 'start' | 'crc32_before' | 'data'>;

/** Cuts bytes into chunks. @returns them, and the checksum of the log with them */
function splitIntoChunks(body: Uint8Array, start: number, before: number): { chunks: Piece[]; checksum: number } {
  const chunks: Piece[] = [];
  let checksum = before;
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    const data = body.subarray(at, at + CHUNK_BYTES);
    chunks.push({ start: start + at, crc32_before: checksum, data });
    checksum = crc32(data, checksum);
  }
  return { chunks, checksum };
}

/** Writes bytes as chunks from a position on, at which the log ends. @returns the checksum of the log with them */
export async function insertChunks(
  ctx: Context<Caller>,
  job: LogKey,
  start: number,
  before: number,
  body: Uint8Array,
): Promise<number> {
  const { chunks, checksum } = splitIntoChunks(body, start, before);
  if (chunks.length === 0) return checksum;
  const row = { project_id: job.project_id, job_id: job.id };
  await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('job_log_chunks')
    .values(chunks.map((chunk) => ({ ...row, ...chunk })))
    .execute();
  return checksum;
}

type Location = { project_id: number; job_id: number; from: number };

const lastBefore = prepareQuery<CiDatabase, Location, Piece>((db, values) =>
  db
    .selectFrom('job_log_chunks as c')
    .select(['c.start', 'c.crc32_before', 'c.data'])
    .where('c.project_id', '=', values.project_id)
    .where('c.job_id', '=', values.job_id)
    .where('c.start', '<=', values.from)
    .orderBy('c.start', 'desc')
    .limit(1),
);

/**
 * Removes the bytes of a log from a position within it on. Expects the log locked.
 * @returns the checksum of what is left
 */
export async function cutChunks(ctx: Context<Caller>, job: LogKey, from: number): Promise<number> {
  const [last] = await lastBefore(ctx, { project_id: job.project_id, job_id: job.id, from });
  await ctx.em
    .getKysely<CiDatabase>()
    .deleteFrom('job_log_chunks')
    .where('project_id', '=', job.project_id)
    .where('job_id', '=', job.id)
    .where('start', '>=', last?.start ?? 0)
    .execute();
  if (!last) return 0;
  return insertChunks(ctx, job, last.start, last.crc32_before, last.data.subarray(0, from - last.start));
}
