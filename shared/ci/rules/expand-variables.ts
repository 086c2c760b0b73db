import type { Lookup } from './rules.types.js';

/** References of one text that are replaced. */
const MAX_STEPS = 100;
/** Characters of the result. */
const MAX_LENGTH = 64 * 1_024;

/** `$$`, `$NAME` or `${NAME}`. */
const REFERENCE = /\$(?:\$|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g;

/** How to expand. */
export interface ExpandOptions {
  /** Leaves references to variables that do not exist as text; otherwise they become empty. */
  keepUndefined?: boolean;
}

/**
 * Replaces `$NAME` and `${NAME}` by what `lookup` returns, and `$$` by `$`. Values are not expanded again. References
 * after the hundredth, and those that would make the result longer than 64 KiB, stay as they are.
 */
export function expandVariables(text: string, lookup: Lookup, options: ExpandOptions = {}): string {
  const absent = options.keepUndefined ? null : '';
  return replaceReferences(text, (name) => lookup(name) ?? absent);
}

/** As `expandVariables`; a reference for which `read` returns null stays as it is. */
export function replaceReferences(text: string, read: (name: string) => string | null): string {
  if (!text.includes('$')) return text;
  let length = text.length;
  let steps = 0;
  return text.replace(REFERENCE, (reference: string, plain?: string, inBraces?: string) => {
    if (reference === '$$') return '$';
    steps += 1;
    const value = steps <= MAX_STEPS ? read(plain ?? inBraces!) : null;
    if (value === null || length + value.length - reference.length > MAX_LENGTH) return reference;
    length += value.length - reference.length;
    return value;
  });
}

/** The variables to which the first 100 references of a text point, each once. */
export function listReferences(text: string): string[] {
  const names = new Set<string>();
  let steps = 0;
  for (const match of text.includes('$') ? text.matchAll(REFERENCE) : []) {
    const name = match[1] ?? match[2];
    if (name === undefined) continue;
    steps += 1;
    if (steps > MAX_STEPS) break;
    names.add(name);
  }
  return [...names];
}
