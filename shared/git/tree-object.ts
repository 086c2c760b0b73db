import { setImmediate } from 'node:timers/promises';

export interface DraftEntry {
  /** As a tree object has it: `100644`, `100755`, `120000`, `160000` a submodule, `40000` a folder. */
  mode: string;
  sha: string;
}

/** A tree object in memory. Names are byte strings ('latin1'): old ones need not be UTF-8. */
export interface TreeObject {
  /** In git's order but for those that were added. */
  entries: Map<string, DraftEntry>;
  added: Set<string>;
}

export const emptyFolder = (): TreeObject => ({ entries: new Map(), added: new Set() });

/** A folder may have a million entries; others get their turn after so many of them. */
const entriesAtOnce = 5000;

export const folderMode = '40000';

/** Reads a tree object: `mode SP name NUL` and 20 bytes of id, again and again. */
export async function parseTree(content: Buffer): Promise<TreeObject> {
  const folder = emptyFolder();
  const { entries } = folder;
  for (let at = 0; at < content.length;) {
    if (entries.size % entriesAtOnce === entriesAtOnce - 1) await setImmediate();
    const space = content.indexOf(0x20, at);
    const nul = content.indexOf(0, space);
    const sha = content.toString('hex', nul + 1, nul + 21);
    entries.set(content.toString('latin1', space + 1, nul), { mode: content.toString('latin1', at, space), sha });
    at = nul + 21;
  }
  return folder;
}

type EntryPair = [name: string, entry: DraftEntry];

/** git compares bytes, a folder as if its name ended in a slash. */
const sortKey = ([name, { mode }]: EntryPair): string => (mode === folderMode ? `${name}/` : name);

/** The tree object of a folder. */
export async function treeContent(folder: TreeObject): Promise<Buffer> {
  const parts: Buffer[] = [];
  let text: string[] = [];
  for (const entry of inOrder(folder)) {
    text.push(entryContent(entry));
    if (text.length < entriesAtOnce) continue;
    parts.push(Buffer.from(text.join(''), 'latin1'));
    text = [];
    await setImmediate();
  }
  return Buffer.concat([...parts, Buffer.from(text.join(''), 'latin1')]);
}

/** Existing entries are already sorted: only added ones are sorted and inserted. */
function* inOrder({ entries, added }: TreeObject): Generator<EntryPair> {
  const news = [...added].map((name): EntryPair => [name, entries.get(name)!]);
  news.sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
  let next = 0;
  for (const entry of entries) {
    if (added.has(entry[0])) continue;
    while (next < news.length && sortKey(news[next]!) < sortKey(entry)) yield news[next++]!;
    yield entry;
  }
  yield* news.slice(next);
}

function entryContent([name, { mode, sha }]: EntryPair): string {
  return `${mode} ${name}\0${Buffer.from(sha, 'hex').toString('latin1')}`;
}
