import { ConfigurationError, Reference } from '../configuration-model/configuration.types.js';
import type { Hash, FilePosition, Value } from '../configuration-model/configuration.types.js';
import { evaluateBlock, splitBlocks } from './input-blocks.js';
import { BlockProblem } from './input-functions.js';
import type { LookupVariable } from './input-functions.js';
import type { InputValues } from './input-values.js';

/** Where the content comes from, for its problems. */
export interface ContentSource {
  file?: string | undefined;
  locate?: ((path: readonly (string | number)[]) => FilePosition | undefined) | undefined;
}

const BEGIN = '$[[';
const MOST_BLOCKS = 10_000;
/** What blocks may add to a file: the characters of their texts and 8 for each value. */
const MAX_ADDED = 8 * 1024 * 1024;
const VALUE_SIZE = 8;
/** Lists and hashes inside each other, in the file or in a value. */
const MAX_DEPTH = 100;

function measureValue(value: Value, depth = 0): number {
  if (depth > MAX_DEPTH) throw new BlockProblem('config too large');
  if (typeof value === 'string') return VALUE_SIZE + value.length;
  if (value === null || typeof value !== 'object' || value instanceof Reference) return VALUE_SIZE;
  const items = Array.isArray(value) ? value : Object.values(value);
  const keys = Array.isArray(value) ? 0 : Object.keys(value).join('').length;
  return items.reduce<number>((sum, item) => sum + measureValue(item, depth + 1), VALUE_SIZE + keys);
}

/** A value inside a text. */
function printValue(value: Value): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

/** Evaluates each different block once. */
function createEvaluate(values: NonNullable<InputValues>, lookupVariable: LookupVariable) {
  const results = new Map<string, { value: Value | undefined; size: number }>();
  let blocks = 0;
  let total = 0;
  return (block: string): Value | undefined => {
    blocks += 1;
    if (blocks > MOST_BLOCKS) throw new BlockProblem('too many interpolation blocks');
    let result = results.get(block);
    if (result === undefined) {
      const value = evaluateBlock(block, values, lookupVariable);
      result = { value, size: value === undefined ? 0 : measureValue(value) };
      results.set(block, result);
    }
    total += result.size;
    if (total > MAX_ADDED) throw new BlockProblem('config too large');
    return result.value;
  };
}

/**
 * The content of a file with the values of inputs in its blocks `$[[ inputs.x ]]`, in values and in keys. A block that
 * is a whole value keeps the type of the input; in a longer text and in a key it is text, so that a value can never
 * become a new key or anything else than a part of this one text. What is one object behind aliases stays one.
 * @param values from `resolveInputs`; null leaves the content as it is
 * @throws ConfigurationError for the first block that cannot be evaluated
 */
export function interpolateInputs(
  content: Hash,
  values: InputValues,
  lookupVariable: LookupVariable,
  source: ContentSource = {},
): Hash {
  if (values === null) return content;
  const evaluate = createEvaluate(values, lookupVariable);
  const results = new Map<object, Value>();
  const path: (string | number)[] = [];

  const fillText = (text: string): string => {
    if (!text.includes(BEGIN)) return text;
    const parts = splitBlocks(text).map((part) => {
      if ('text' in part) return part.text;
      const value = evaluate(part.block);
      return value === undefined ? part.source : printValue(value);
    });
    return parts.join('');
  };
  const fillScalar = (text: string): Value => {
    if (!text.startsWith(BEGIN)) return fillText(text);
    const [part, ...more] = splitBlocks(text);
    if (part === undefined || more.length > 0 || 'text' in part) return fillText(text);
    return evaluate(part.block) ?? text;
  };
  const fillChild = (value: Value, name: string | number): Value => {
    path.push(name);
    const result = fill(value);
    path.pop();
    return result;
  };
  const fillHash = (hash: Hash): Hash => {
    const result = Object.create(null) as Hash;
    for (const key of Object.keys(hash)) {
      const value = fillChild(hash[key] as Value, key);
      result[fillText(key)] = value;
    }
    return result;
  };
  const fill = (value: Value): Value => {
    if (typeof value === 'string') return fillScalar(value);
    if (value === null || typeof value !== 'object') return value;
    const earlier = results.get(value);
    if (earlier !== undefined) return earlier;
    let result: Value;
    if (value instanceof Reference) result = new Reference(value.path.map(fillText));
    else if (Array.isArray(value)) result = value.map(fillChild);
    else result = fillHash(value);
    results.set(value, result);
    return result;
  };

  try {
    return fillHash(content);
  } catch (error) {
    if (!(error instanceof BlockProblem)) throw error;
    const { file, locate } = source;
    throw new ConfigurationError([{ message: error.message, file, position: locate?.(path) }]);
  }
}
