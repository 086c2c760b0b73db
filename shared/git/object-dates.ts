import type { Repository } from './pools.js';
import { readObjects } from './objects.js';

/** The bytes of a commit that contain its date, after its parents. */
const HEAD_BYTES = 8 * 1024;

/** Later than any real one, and still exact. */
const LATEST = Number.MAX_SAFE_INTEGER;

/** The date of a commit or an annotated tag, from its header: seconds since 1970, 0 if missing. */
export function readObjectDate(content: Buffer): number {
  const end = content.indexOf('\n\n');
  const head = content.toString('latin1', 0, end < 0 ? content.length : end);
  const [, seconds = '0'] = /^(?:committer|tagger) .*> (\d+) [+-]\d+$/m.exec(head) ?? [];
  return Math.min(Number(seconds), LATEST);
}

/**
 * When commits were committed and annotated tags made, by their ids, in seconds since 1970: 0 for what does not say so,
 * or is not there. One process.
 */
export async function objectDates(repository: Repository, shas: readonly string[]): Promise<Map<string, number>> {
  const ids = [...new Set(shas)];
  const objects = await readObjects(repository, ids, HEAD_BYTES);
  return new Map(ids.map((sha, index) => [sha, readObjectDate(objects[index]?.content ?? Buffer.alloc(0))]));
}
