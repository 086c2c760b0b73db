import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { expressionBuilder } from 'kysely';
import type { Caller } from '../context/callers.js';
import type { Context } from '../context/context.js';
import { TooLarge } from '../values/errors.js';
import { anyOf } from '../database/expressions.js';
import { objectKey, ObjectMissing } from '../object-store/object-store.js';
import type { ByteRange } from '../object-store/object-store.js';
import type { ObjectsDatabase } from './stored-object.entity.js';
import { StoredObject } from './stored-object.entity.js';

/** The metadata of stored bytes. */
type ObjectDetails = Pick<StoredObject, 'key' | 'kind' | 'bytes' | 'sha256'>;

/** Stored bytes that are not visible yet. */
export class UnkeptObject {
  #isCommitted = false;

  constructor(readonly details: ObjectDetails) {}

  /** Whether a transaction that keeps it is committed. */
  get isCommitted(): boolean {
    return this.#isCommitted;
  }

  get bytes(): number {
    return this.details.bytes;
  }

  /** Hexadecimal. */
  get sha256(): string {
    return this.details.sha256;
  }

  /** Makes the bytes part of the open transaction. @returns the id for the column `object_id` of their owner's row */
  async keep(ctx: Context<Caller>): Promise<number> {
    const id = await insertObject(ctx, this.details);
    ctx.afterCommit(() => (this.#isCommitted = true));
    return id;
  }
}

const insertObject = (ctx: Context<Caller>, details: ObjectDetails) =>
  ctx.em.insert(StoredObject, { ...details, created_at: ctx.clock.now(), removed_at: null });

/** Lets bytes through, counted and digested. @throws TooLarge beyond the limit */
async function* measured(
  content: AsyncIterable<Uint8Array>,
  limit: number,
  report: (bytes: number, sha256: string) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.length;
    if (bytes > limit) throw new TooLarge();
    hash.update(piece);
    yield piece;
  }
  report(bytes, hash.digest('hex'));
}

const objects = expressionBuilder<ObjectsDatabase>();

/**
 * Removes bytes without a row. If the row exists after all because the result of its commit was lost, the bytes stay.
 */
async function discard(ctx: Context<Caller>, key: string): Promise<void> {
  try {
    const [row] = await ctx.services.db.query<object>(
      objects.selectFrom('stored_objects as o').select('o.id').where('o.key', '=', key),
    );
    if (!row) await ctx.services.objects.remove([key]);
  } catch (error) {
    ctx.log.warn({ err: error, key }, 'object was not removed; the sweep will remove it');
  }
}

/**
 * Stores bytes, then runs `work`, which keeps them in its transaction. Call it outside of a transaction: no database
 * resource is held while the bytes arrive. Bytes that `work` does not keep are removed, also when it throws.
 * @param kind of objects, one lower-case word or several with underscores: the first part of their keys
 * @param options.limit maximum number of bytes
 * @param options.signal aborts the write; the context's signal by default
 * @throws TooLarge beyond the limit, errors of `content` and `work`, StoreUnavailable, an error of a full disk (507)
 */
export async function storing<R>(
  ctx: Context<Caller>,
  kind: string,
  content: AsyncIterable<Uint8Array>,
  { limit, signal = ctx.signal }: { limit: number; signal?: AbortSignal },
  work: (object: UnkeptObject) => Promise<R>,
): Promise<R> {
  if (ctx.inTransaction) throw new Error('Bytes are stored before the transaction that keeps them.');
  const key = objectKey(kind);
  let details = { bytes: 0, sha256: '' };
  // A stream that stops sending would block its reader forever.
  const end = () => (content as Partial<Readable>).destroy?.();
  signal.addEventListener('abort', end, { once: true });
  const source = measured(content, limit, (bytes, sha256) => (details = { bytes, sha256 }));
  try {
    await ctx.services.objects.put(key, source, signal);
  } finally {
    signal.removeEventListener('abort', end);
  }
  const object = new UnkeptObject({ key, kind, ...details });
  try {
    return await work(object);
  } finally {
    if (!object.isCommitted) await discard(ctx, key);
  }
}

/**
 * Stores a few bytes within the open transaction, such as a picture; they go again should that roll back.
 * @param uuid makes the key, for an owner that names its bytes otherwise than by `object_id`
 * @returns the id for the column `object_id` of their owner's row
 * @throws StoreUnavailable, an error of a full disk (507)
 */
export async function storeBytes(
  ctx: Context<Caller>,
  kind: string,
  bytes: Uint8Array,
  uuid?: string,
): Promise<{ id: number; key: string }> {
  const key = objectKey(kind, uuid);
  let sha256 = '';
  const all = async function* () {
    await Promise.resolve();
    yield bytes;
  };
  ctx.onRollback(() => void discard(ctx, key));
  await ctx.services.objects.put(
    key,
    measured(all(), Infinity, (_bytes, digest) => (sha256 = digest)),
  );
  return { id: await insertObject(ctx, { key, kind, bytes: bytes.length, sha256 }), key };
}

/**
 * Opens stored bytes. Destroy the stream if it is not read.
 * @param range must lie within them
 * @throws ObjectMissing if the store has lost them or has a different number of bytes, StoreUnavailable
 */
export async function openObject(
  ctx: Context<Caller>,
  { key, bytes }: Pick<StoredObject, 'key' | 'bytes'>,
  range?: ByteRange,
): Promise<Readable> {
  const found = await ctx.services.objects.get(key, range, ctx.signal);
  if (found.bytes !== bytes) {
    found.content.destroy();
    throw new ObjectMissing(key);
  }
  return found.content;
}

/** Takes objects out of the open transaction's view of the world: a job removes their bytes once it is committed. */
export async function releaseObjects(ctx: Context<Caller>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await ctx.em
    .getKysely<ObjectsDatabase>()
    .updateTable('stored_objects')
    .set({ removed_at: ctx.clock.now() })
    .where('id', '=', anyOf(ids, 'bigint'))
    .where('removed_at', 'is', null)
    .execute();
}

/** A file that came with a request and is stored already; it goes again unless the operation keeps its object. */
export class StoredFile {
  constructor(
    readonly object: UnkeptObject,
    /** As the client names it, and never part of a path or key; empty for a body that is the file itself. */
    readonly filename: string,
    readonly mediaType: string,
  ) {}
}
