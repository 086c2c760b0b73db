import type { Repository } from './pools.js';
import { readObjects } from './objects.js';

/** The bytes of a commit in which the first line of its message starts, after its parents. */
const HEAD_BYTES = 8 * 1024;

/** A commit by its full id, with the first line of its message. */
export interface TitledCommit {
  readonly sha: string;
  readonly title: string;
}

function getTitle(content: Buffer): string {
  const text = content.toString('utf8');
  const start = text.indexOf('\n\n');
  return start < 0
    ? ''
    : (
        text
          .slice(start + 2)
          .trimStart()
          .split('\n', 1)[0] ?? ''
      ).trim();
}

/** The commits that ids mean, written in full or by their first digits; others are left out. One process. */
export async function commitsOfIds(repository: Repository, ids: readonly string[]): Promise<Map<string, TitledCommit>> {
  const objects = await readObjects(
    repository,
    ids.map((id) => `${id}^{commit}`),
    HEAD_BYTES,
  );
  const found = new Map<string, TitledCommit>();
  for (const [at, id] of ids.entries()) {
    const object = objects[at];
    // A branch may be called like the beginning of an id.
    if (object?.sha.startsWith(id)) found.set(id, { sha: object.sha, title: getTitle(object.content) });
  }
  return found;
}
