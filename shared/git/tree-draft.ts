import { GitFailed, RevisionNotFound } from './errors.js';
import type { Repository } from './pools.js';
import { foldersAbove } from './file-paths.js';
import { readObjects } from './objects.js';
import { newObject, type NewObject } from './pack.js';
import { emptyFolder, folderMode, parseTree, treeContent, type DraftEntry, type TreeObject } from './tree-object.js';

/**
 * The folders of a commit's tree that some changes touch, to be changed in memory and written as new tree objects.
 * The rest of the tree is never read. Names are byte strings ('latin1'): old ones need not be UTF-8.
 */
export class TreeDraft {
  readonly #folders = new Map<string, TreeObject>([['', emptyFolder()]]);
  readonly #changed = new Set<string>(['']);

  /** Reads the folders above `paths`; a null base is an empty tree. One process. Throws RevisionNotFound. */
  static async load(repository: Repository, baseSha: string | null, paths: string[]): Promise<TreeDraft> {
    const draft = new TreeDraft();
    if (baseSha === null) return draft;
    const folders = [...new Set(paths.flatMap(foldersAbove))];
    // A pack that housekeeping replaces twice meanwhile is not found by a process that has listed it.
    await draft.#read(repository, baseSha, folders).catch((error: unknown) => {
      if (!(error instanceof RevisionNotFound || error instanceof GitFailed)) throw error;
      return draft.#read(repository, baseSha, folders);
    });
    return draft;
  }

  async #read(repository: Repository, baseSha: string, folders: string[]): Promise<void> {
    // With the slash a file of this name is "missing", so a huge one is not read.
    const names = [`${baseSha}^{tree}`, ...folders.map((folder) => `${baseSha}:${folder}/`)];
    const [root, ...trees] = await readObjects(repository, names);
    if (root?.type !== 'tree') throw new RevisionNotFound(baseSha);
    this.#folders.set('', await parseTree(root.content));
    for (const [index, folder] of folders.entries()) {
      const tree = trees[index];
      if (tree?.type === 'tree') this.#folders.set(bytes(folder), await parseTree(tree.content));
    }
    this.#checkComplete(folders);
  }

  /** A folder that exists but was not read would be rewritten without its files. */
  #checkComplete(folders: string[]): void {
    for (const folder of folders) {
      const isLoaded = this.#folders.has(bytes(folder));
      if (!isLoaded && this.entry(folder)?.mode === folderMode)
        throw new GitFailed('cat-file', 0, `no tree at ${folder}`);
    }
  }

  /** The current entry at a path, folders included. */
  entry(path: string): DraftEntry | undefined {
    const [folder, name] = split(bytes(path));
    return this.#folders.get(folder)?.entries.get(name);
  }

  /** The current entry at a path, if it is a file (not a folder, not a submodule). */
  file(path: string): DraftEntry | undefined {
    const entry = this.entry(path);
    return entry?.mode.startsWith('10') || entry?.mode === '120000' ? entry : undefined;
  }

  /** The current entry at a path, if deleting it deletes a single entry: a file or a submodule. */
  removable(path: string): DraftEntry | undefined {
    const entry = this.entry(path);
    return entry?.mode === folderMode ? undefined : entry;
  }

  /** Whether a new file can be added here: no entry has its name, and none of its parent folders is a file. */
  isFree(path: string): boolean {
    if (this.entry(path)) return false;
    return foldersAbove(path).every((folder) => {
      const entry = this.entry(folder);
      return !entry || entry.mode === folderMode;
    });
  }

  /** Puts a file at a path that is free or a file, with the folders it needs. */
  put(path: string, entry: DraftEntry): void {
    this.#put(bytes(path), entry);
  }

  #put(path: string, entry: DraftEntry): void {
    const [folder, name] = split(path);
    if (!this.#folders.has(folder)) {
      this.#folders.set(folder, emptyFolder());
      this.#put(folder, { mode: folderMode, sha: '' });
    }
    const { entries, added } = this.#folders.get(folder)!;
    if (!entries.has(name)) added.add(name);
    entries.set(name, entry);
    this.#touch(folder);
  }

  /** Removes a file, and its folder with the last file. */
  remove(path: string): void {
    this.#remove(bytes(path));
  }

  #remove(path: string): void {
    const [folder, name] = split(path);
    const { entries, added } = this.#folders.get(folder)!;
    entries.delete(name);
    added.delete(name);
    this.#touch(folder);
    if (entries.size > 0 || folder === '') return;
    this.#folders.delete(folder);
    this.#remove(folder);
  }

  #touch(folder: string): void {
    this.#changed.add(folder);
    if (folder !== '') this.#touch(split(folder)[0]);
  }

  /** The tree objects of all changed folders; the last one is the root. */
  async trees(): Promise<NewObject[]> {
    const deepestFirst = [...this.#changed]
      .filter((folder) => this.#folders.has(folder))
      .sort((one, other) => depth(other) - depth(one));
    const trees: NewObject[] = [];
    for (const folder of deepestFirst) {
      const tree = newObject('tree', await treeContent(this.#folders.get(folder)!));
      trees.push(tree);
      if (folder === '') continue;
      const [parent, name] = split(folder);
      this.#folders.get(parent)!.entries.set(name, { mode: folderMode, sha: tree.sha });
    }
    return trees;
  }
}

function bytes(path: string): string {
  return Buffer.from(path, 'utf8').toString('latin1');
}

function split(path: string): [folder: string, name: string] {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)];
}

function depth(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}
