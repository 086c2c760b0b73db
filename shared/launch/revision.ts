import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { attempt, readIfThere } from '#launch/files.mjs';
import { inCheckout } from '#launch/runtime.mjs';

/** As many digits of a commit as the public API shows. */
const SHA_LENGTH = 11;

/**
 * The abbreviated commit of the checkout; null without a repository. Reads it without git, which refuses a checkout
 * that belongs to a different user.
 */
export const revisionOfCheckout = (): string | null => attempt(readRevision, null);

function readRevision(): string | null {
  const dot = inCheckout('.git');
  // A worktree has a file there, which names the directory.
  const [, gitDirectory] = (statSync(dot).isFile() && /^gitdir: (.+)$/m.exec(readFileSync(dot, 'utf8'))) || [];
  const own = gitDirectory ? inCheckout(gitDirectory) : dot;
  const head = readFileSync(path.join(own, 'HEAD'), 'utf8').trim();
  const [, ref] = /^ref: (.+)$/.exec(head) ?? [];
  const shared = path.resolve(own, readIfThere(path.join(own, 'commondir'))?.trim() ?? '.');
  const read = (...parts: string[]) => readIfThere(path.join(...parts)) ?? '';
  const packed = () => {
    const lines = read(shared, 'packed-refs')
      .split('\n')
      .map((line) => line.split(' '));
    return lines.find(([, name]) => name === ref)?.[0] ?? '';
  };
  const commit = ref ? (read(own, ref) || read(shared, ref)).trim() || packed() : head;
  return /^[0-9a-f]{40,64}$/.test(commit) ? commit.slice(0, SHA_LENGTH) : null;
}
