import type { Value } from '../configuration-model/configuration.types.js';

/** The value of a variable that a file may expand; undefined for one that is absent or must not be used (masked). */
export type LookupVariable = (name: string) => string | undefined;

/** A block of a file cannot be evaluated. */
export class BlockProblem extends Error {}

/** A function of a block, ready to be called. */
export type BlockFunction = (value: Value, lookupVariable: LookupVariable) => Value;

/** Characters that `expand_vars` may make of a text. */
const MAX_EXPANDED = 1024 * 1024;

const VARIABLE = /\$\$|%%|\$([a-zA-Z_]\w*)|\$\{([a-zA-Z_]\w*)\}|%([a-zA-Z_]\w*)%/g;
const TRUNCATE = /^truncate\(\s*(\d+)\s*,\s*(\d+)\s*\)$/;
const SHELL_SPECIAL = /[^\w\-.,:+/@\n]/gu;

function readText(value: Value, name: string): string {
  if (typeof value === 'string') return value;
  throw new BlockProblem(
    `error in \`${name}\` function: invalid input type: ${name} can only be used with string inputs`,
  );
}

/** Replaces variables, one level deep; what cannot be looked up stays. */
function expandVariables(text: string, lookupVariable: LookupVariable): string {
  let length = text.length;
  return text.replace(VARIABLE, (source: string, ...names: (string | undefined)[]) => {
    const name = names[0] ?? names[1] ?? names[2];
    const value = name === undefined ? undefined : lookupVariable(name);
    length += value?.length ?? 0;
    if (length > MAX_EXPANDED) throw new BlockProblem('error in `expand_vars` function: the value is too long');
    return value ?? source;
  });
}

/** A text as one word of a POSIX shell. */
function escapeForShell(text: string): string {
  return text === '' ? "''" : text.replace(SHELL_SPECIAL, String.raw`\$&`).replaceAll('\n', "'\n'");
}

function truncateText(text: string, offset: number, length: number): string {
  // Surrogate pairs are one character; a text is not taken apart further than needed.
  return Array.from(text.slice(0, 2 * (offset + length)))
    .slice(offset, offset + length)
    .join('');
}

/** The function that an expression such as `truncate(0, 3)` names; undefined for none. */
export function readBlockFunction(expression: string): BlockFunction | undefined {
  if (expression === 'expand_vars') return (value, lookup) => expandVariables(readText(value, 'expand_vars'), lookup);
  if (expression === 'posix_escape') return (value) => escapeForShell(readText(value, 'posix_escape'));
  const [, offset, length] = TRUNCATE.exec(expression) ?? [];
  if (offset === undefined || length === undefined) return undefined;
  return (value) => truncateText(readText(value, 'truncate'), Number(offset), Number(length));
}
