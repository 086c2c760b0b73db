import { getCommit, entry, getId, getPack, getTree } from '../repositories/git-http/raw-push.js';
import { plainGit } from './git-fixture.js';

const WIDE = Array.from({ length: 10 }, (_, index) => index);

/**
 * A tree whose ten entries are the same tree, nested ten levels deep: 10^10 paths of a file, or folders without files.
 */
export function wideTree(repository: string, { files = true, content = 'boom\n' } = {}): string {
  const tree = (line: (index: number) => string) => plainGit(repository, ['mktree'], WIDE.map(line).join('')).trim();
  const blob = plainGit(repository, ['hash-object', '-w', '--stdin'], content).trim();
  let sha = files ? tree((index) => `100644 blob ${blob}\tf${index}\n`) : plainGit(repository, ['mktree'], '').trim();
  for (let level = 0; level < 9; level += 1) {
    const below = sha;
    sha = tree((index) => `040000 tree ${below}\td${index}\n`);
  }
  return sha;
}

/** Trees within each other around a blob, so many that a program which follows them needs more than its stack. */
export function deepPack(depth: number): { pack: Buffer; tree: string; commit: string } {
  const blob = Buffer.from('boom\n');
  const entries = [entry('blob', blob)];
  let content = getTree(['100644', 'f', getId('blob', blob)]);
  for (let level = 1; level < depth; level += 1) {
    entries.push(entry('tree', content));
    content = getTree(['40000', 'd', getId('tree', content)]);
  }
  const tree = getId('tree', content);
  const commit = getCommit(tree);
  entries.push(entry('tree', content), entry('commit', commit));
  return { pack: getPack(entries), tree, commit: getId('commit', commit) };
}

/** The same in a repository. */
export function deepTree(repository: string, depth: number): string {
  const { pack, tree } = deepPack(depth);
  plainGit(repository, ['index-pack', '--stdin'], pack);
  return tree;
}

/** A commit with the files of its parent, this tree in a folder `bomb`, and more files. */
export function commitWith(
  repository: string,
  parent: string,
  tree: string,
  files: Readonly<Record<string, string>> = {},
): string {
  const lines = Object.entries(files).map(([name, content]) => {
    const blob = plainGit(repository, ['hash-object', '-w', '--stdin'], content).trim();
    return `100644 blob ${blob}\t${name}\n`;
  });
  const names = new Set(['bomb', ...Object.keys(files)]);
  const entries = plainGit(repository, ['ls-tree', parent])
    .split('\n')
    .filter((line) => line !== '' && !names.has(line.split('\t')[1] as string));
  const input = `${[...entries, ''].join('\n')}040000 tree ${tree}\tbomb\n${lines.join('')}`;
  const root = plainGit(repository, ['mktree'], input).trim();
  return plainGit(repository, ['commit-tree', root, '-p', parent, '-m', 'Add a bomb']).trim();
}
