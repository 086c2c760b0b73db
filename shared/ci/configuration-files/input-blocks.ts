import { Buffer } from 'node:buffer';
import type { Value } from '../configuration-model/configuration.types.js';
import { BlockProblem, readBlockFunction } from './input-functions.js';
import type { BlockFunction, LookupVariable } from './input-functions.js';
import type { InputValues } from './input-values.js';

/** A part of a text: a block (without its brackets, and as it is in the text), or what stands between two. */
export type TextPart = { text: string } | { block: string; source: string };

const BEGIN = '$[[';
const END = ']]';
/** Bytes of a block. */
const MAX_BLOCK = 1024;
const MOST_FUNCTIONS = 3;
/** Its blocks are left for others. */
const LATER = 'matrix';

const WRONG_PATTERN = 'invalid pattern used for interpolation. valid pattern is $[[ inputs.input ]]';

/** Separates the blocks of a text from the rest, in linear time. A block ends in its line and is not blank. */
export function splitBlocks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let next = 0;
  let end = -1;
  for (let begin = text.indexOf(BEGIN); begin >= 0; begin = text.indexOf(BEGIN, Math.max(begin + 1, next))) {
    const from = begin + BEGIN.length;
    if (end < from) end = text.indexOf(END, from);
    if (end < 0) break;
    const lineEnd = text.indexOf('\n', from);
    if (lineEnd >= 0 && lineEnd < end) continue;
    const block = text.slice(from, end).trim();
    if (block === '') continue;
    if (begin > next) parts.push({ text: text.slice(next, begin) });
    next = end + END.length;
    parts.push({ block, source: text.slice(begin, next) });
  }
  if (next < text.length) parts.push({ text: text.slice(next) });
  return parts;
}

/** The value of `inputs.x`. */
function readAccess(access: string, values: NonNullable<InputValues>): Value {
  const [scope = '', name, ...more] = access.split('.');
  if (name === undefined) throw new BlockProblem(WRONG_PATTERN);
  const value = values.get(name);
  const unknown = scope !== 'inputs' ? scope : value === undefined ? name : more[0];
  if (unknown !== undefined) throw new BlockProblem(`unknown interpolation key: \`${unknown}\``);
  return value as Value;
}

function readFunctions(expressions: readonly string[]): BlockFunction[] {
  if (expressions.length > MOST_FUNCTIONS) throw new BlockProblem('too many functions in interpolation block');
  return expressions.map((expression) => {
    const apply = readBlockFunction(expression);
    if (apply !== undefined) return apply;
    const advice = 'check that the function name, arguments, and types are correct';
    throw new BlockProblem(`no function matching \`${expression}\`: ${advice}`);
  });
}

/**
 * The value of a block `inputs.x | f | g`; undefined for one that is left as it is (`matrix.X`).
 * @throws BlockProblem
 */
export function evaluateBlock(
  block: string,
  values: NonNullable<InputValues>,
  lookupVariable: LookupVariable,
): Value | undefined {
  if (Buffer.byteLength(block) > MAX_BLOCK) throw new BlockProblem('maximum interpolation expression size exceeded');
  const [access = '', ...expressions] = block.split('|').map((part) => part.trim());
  if (access.split('.', 1)[0] === LATER) return undefined;
  const value = readAccess(access, values);
  return readFunctions(expressions).reduce((result, apply) => apply(result, lookupVariable), value);
}
