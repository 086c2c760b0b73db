import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { CapstanError } from '../values/errors.js';

/** Bytes of an object from `start` to `end`, both counted from 0 and included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An object as a listing of the store names it. */
export interface ListedObject {
  readonly key: string;
  readonly writtenAt: Date;
}

/**
 * Stores bytes outside of rows: pictures, package files, archives (decision 56). Objects are written completely or not
 * at all, never changed, and have keys that contain no user input. Rows of `stored_objects` determine the objects that
 * exist for callers; areas write these through `storing.ts`, and nothing else calls this store.
 */
export interface ObjectStore {
  /**
   * Stores what `content` gives under a key that nothing has yet. What fails leaves nothing.
   * @param signal ends the write; a stream that is the content ends by it too, else it may keep the write waiting
   * @throws what `content` throws, the reason of `signal`, StoreUnavailable, an error of a full disk
   */
  put(key: string, content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>;
  /**
   * Opens an object, or a range that lies in it.
   * @returns its content, and how many bytes the whole object has
   * @throws ObjectMissing, StoreUnavailable
   */
  get(key: string, range?: ByteRange, signal?: AbortSignal): Promise<{ content: Readable; bytes: number }>;
  /** Removes objects; one that is gone already is no error. @throws StoreUnavailable */
  remove(keys: readonly string[]): Promise<void>;
  /** Every object in the order of the keys' bytes, in pages. */
  list(): AsyncIterable<readonly ListedObject[]>;
  /** Removes what writes that began before `time` and never ended have left. @returns how many */
  sweepUnfinished(time: Date): Promise<number>;
  /** Ends what it keeps open. */
  close(): Promise<void>;
}

/** The store has no object of this key, or one of another size than was stored. */
export class ObjectMissing extends CapstanError {
  constructor(readonly key: string) {
    super('500 The stored file is missing or damaged');
  }
}

/** The store refused, did not answer in time, or broke off. */
export class StoreUnavailable extends CapstanError {
  constructor(options?: ErrorOptions) {
    super('503 The object store does not answer', options);
  }
}

/** Kinds are lower-case words, so that keys sort the same in every listing. */
const KEY = /^[a-z][a-z_]*\/[0-9a-f]{2}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text is a key of this store's making. */
export const isObjectKey = (text: string): boolean => KEY.test(text);

/** The key of an object: `<kind>/<two hexadecimal digits>/<UUID>`. */
export const objectKey = (kind: string, uuid: string = randomUUID()): string => `${kind}/${uuid.slice(0, 2)}/${uuid}`;
