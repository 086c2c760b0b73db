import { statSync } from 'node:fs';
import path from 'node:path';

import { readIfThere } from './files.mjs';
import { inCheckout } from './paths.mjs';

/** As many digits of a commit as the public API tells. */
const shown = 11;

/**
 * The commit that a checkout is at, shortened; null without a repository. Reads it without git, which refuses a checkout that
 * belongs to somebody else than who runs it.
 *
 * @param {string} [dot] the checkout's `.git`
 */
export function revisionOfCheckout(dot = inCheckout('.git')) {
  try {
    const own = gitDirectory(dot);
    const head = own && readIfThere(path.join(own, 'HEAD'))?.trim();
    if (!head) return null;
    const [, ref] = /^ref: (.+)$/.exec(head) ?? [];
    return asCommit(ref ? read(own, ref) : head);
  } catch {
    return null;
  }
}

function asCommit(text) {
  return /^[0-9a-f]{40,64}$/.test(text ?? '') ? text.slice(0, shown) : null;
}

/** A worktree has a file there, which names the directory. */
function gitDirectory(dot) {
  const found = statSync(dot, { throwIfNoEntry: false });
  if (!found || found.isDirectory()) return found && dot;
  const [, named] = /^gitdir: (.+)$/m.exec(readIfThere(dot) ?? '') ?? [];
  return named ? path.resolve(path.dirname(dot), named) : null;
}

function read(own, ref) {
  const shared = path.resolve(own, readIfThere(path.join(own, 'commondir'))?.trim() ?? '.');
  const loose = readIfThere(path.join(own, ref)) ?? readIfThere(path.join(shared, ref));
  if (loose) return loose.trim();
  const lines = (readIfThere(path.join(shared, 'packed-refs')) ?? '').split('\n');
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0];
}
