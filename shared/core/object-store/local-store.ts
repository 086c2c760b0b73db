import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isObjectKey, ObjectMissing } from './object-store.js';
import type { ByteRange, ListedObject, ObjectStore } from './object-store.js';

/** Bytes that are written at a time. */
const WRITE_BYTES = 256 * 1024;
/** Bytes that are read at a time: the larger, the more of what was sent waits to be collected. */
const READ_BYTES = 64 * 1024;
/** The folder of unfinished writes; no kind has this name. */
const UNFINISHED = '.unfinished';

const getCode = (error: unknown) => (error as NodeJS.ErrnoException).code;

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (getCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** A name is on the disk once its folder is written. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The object store in a directory, which all processes of the service must see. */
export class LocalStore implements ObjectStore {
  /** @param root the directory; it is made with the first object */
  constructor(private readonly root: string) {}

  #pathOf(key: string): string {
    if (!isObjectKey(key)) throw new ObjectMissing(key);
    return path.join(this.root, key);
  }

  async put(key: string, content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void> {
    const target = this.#pathOf(key);
    const unfinished = path.join(this.root, UNFINISHED);
    const draft = path.join(unfinished, randomUUID());
    await mkdir(unfinished, { recursive: true });
    // It is on the disk before it has its name.
    const file = createWriteStream(draft, { flags: 'wx', flush: true, highWaterMark: WRITE_BYTES });
    // What fails before it is opened would be made after it was removed.
    const closed = once(file, 'close').catch(() => undefined);
    try {
      await pipeline(content, file, { signal });
      await mkdir(path.dirname(target), { recursive: true });
      await rename(draft, target);
    } catch (error) {
      file.destroy();
      await closed;
      await rm(draft, { force: true });
      throw error;
    }
    await syncFolder(path.dirname(target));
  }

  async get(key: string, range?: ByteRange) {
    const handle = await open(this.#pathOf(key), 'r').catch((error: unknown) => {
      throw getCode(error) === 'ENOENT' ? new ObjectMissing(key) : error;
    });
    try {
      const { size: bytes } = await handle.stat();
      return { content: handle.createReadStream({ ...range, highWaterMark: READ_BYTES }), bytes };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) await rm(this.#pathOf(key), { force: true });
  }

  async *list(): AsyncGenerator<readonly ListedObject[]> {
    for (const kind of await namesIn(this.root)) {
      if (kind === UNFINISHED) continue;
      for (const folder of await namesIn(path.join(this.root, kind))) {
        const names = await namesIn(path.join(this.root, kind, folder));
        yield (await Promise.all(names.map((name) => this.#listed(`${kind}/${folder}/${name}`)))).flat();
      }
    }
  }

  /** Empty if it is not an object, or no longer exists. */
  async #listed(key: string): Promise<ListedObject[]> {
    if (!isObjectKey(key)) return [];
    const found = await stat(path.join(this.root, key)).catch(() => null);
    return found ? [{ key, writtenAt: found.mtime }] : [];
  }

  async sweepUnfinished(time: Date): Promise<number> {
    const folder = path.join(this.root, UNFINISHED);
    let removed = 0;
    for (const name of await namesIn(folder)) {
      const file = path.join(folder, name);
      const found = await stat(file).catch(() => null);
      if (!found || found.mtime >= time) continue;
      await rm(file, { force: true });
      removed += 1;
    }
    return removed;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
