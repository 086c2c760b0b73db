import { LRUCache } from 'lru-cache';
import type { Caller } from '../../core/context/callers.js';
import type { Context, Services } from '../../core/context/context.js';
import { readCommit } from '../../git/index.js';
import type { Commit } from '../../git/index.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';

/** Of everything that a process remembers, about. */
const MAX_BYTES = 32 * 1024 * 1024;
const BYTES_OF_CHARACTER = 2;
/** Of an entry beside the characters of its key and value. */
const OTHER_BYTES = 2048;

interface ReadValue {
  value: object;
  bytes: number;
}

/**
 * Remembers what was read of commits in git, which never change: many pipelines of one commit start at once, and again
 * every hour. Callers check rights and limits first, each time.
 */
class CommitReads {
  readonly #known = new LRUCache<string, ReadValue>({ maxSize: MAX_BYTES, sizeCalculation: ({ bytes }) => bytes });
  readonly #running = new Map<string, Promise<unknown>>();

  /**
   * @param key what of which commit of which project
   * @param read reads it; null is not remembered, since what is missing may come
   * @param measure how many characters a value has
   */
  async read<V extends object>(
    key: string,
    read: () => Promise<V | null>,
    measure: (value: V) => number,
  ): Promise<V | null> {
    // Another caller's read may fail for reasons of that caller's own, such as an abort: then this one reads it itself.
    await this.#running.get(key)?.catch(() => undefined);
    const known = this.#known.get(key);
    if (known) return known.value as V;
    const reading = read();
    this.#running.set(key, reading);
    try {
      const value = await reading;
      if (value) {
        const characters = key.length + measure(value);
        this.#known.set(key, { value, bytes: OTHER_BYTES + characters * BYTES_OF_CHARACTER });
      }
      return value;
    } finally {
      if (this.#running.get(key) === reading) this.#running.delete(key);
    }
  }
}

const ofProcess = new WeakMap<Services['db'], CommitReads>();

/** What this process remembers of commits. */
export function commitReads({ services: { db } }: Context<Caller>): CommitReads {
  const known = ofProcess.get(db) ?? new CommitReads();
  ofProcess.set(db, known);
  return known;
}

/** A commit of a project by its full id, with its message; null where there is none. */
export function readCommitOnce(ctx: Context<Caller>, project: { id: number }, sha: string): Promise<Commit | null> {
  return commitReads(ctx).read(
    `commit ${project.id} ${sha}`,
    async () => {
      const commit = await readCommit(openRepository(ctx, project), sha);
      // Texts of its own: a part of a longer one would keep all of that in memory.
      return commit && (JSON.parse(JSON.stringify(commit)) as Commit);
    },
    // Parents and trailers may be far longer than the message.
    (commit) => JSON.stringify(commit).length,
  );
}
