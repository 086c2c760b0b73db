import { fenceAfter } from '../quick-actions/split-commands.js';

/** A name of a user or group after `@`, and what may stand between two of them. */
const NAME = /[ \t]*@(?<name>[a-z0-9_][a-z0-9_./-]*)[,:]?/iy;

function namesAtStart(line: string): string[] {
  const names: string[] = [];
  NAME.lastIndex = 0;
  for (let found = NAME.exec(line); found; found = NAME.exec(line))
    names.push((found.groups?.name ?? '').replace(/[./-]+$/, '').toLowerCase());
  return names;
}

/**
 * The names that a text addresses directly, lower case: those at the start of a line, one after another. In quotes and
 * code nobody is addressed.
 */
export function addressedNames(text: string): Set<string> {
  const names = new Set<string>();
  let fence: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    const after = fenceAfter(fence, line);
    if (fence === null && after === null) for (const name of namesAtStart(line)) names.add(name);
    fence = after;
  }
  return names;
}
