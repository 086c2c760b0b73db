import { isHash } from '../configuration-model/configuration.types.js';
import type { Hash, Value } from '../configuration-model/configuration.types.js';
import { countValues, reject } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';

/** Reads a value: what it means, or undefined after an error was noted. */
export type Reader<T> = (value: Value, at: KeywordScope) => T | undefined;

/** How deep lists may be nested within a list. */
const NESTING_LIMIT = 10;

/** Reads a text. */
export function readString(value: Value, at: KeywordScope): string | undefined {
  return typeof value === 'string' ? value : reject(at, 'should be a string');
}

/** Makes a reader of texts of at most `limit` characters. */
export function limitString(limit: number): Reader<string> {
  return (value, at) => {
    const text = readString(value, at);
    if (text === undefined || !exceedsLength(text, limit)) return text;
    return reject(at, `is too long (maximum is ${limit} characters)`);
  };
}

/** Whether a text has more characters than `limit`; one beyond the basic plane counts once. */
export function exceedsLength(text: string, limit: number): boolean {
  return text.length > limit && Array.from(text.slice(0, 2 * limit + 2)).length > limit;
}

/** Reads a boolean. */
export function readBoolean(value: Value, at: KeywordScope): boolean | undefined {
  return typeof value === 'boolean' ? value : reject(at, 'should be a boolean value');
}

/** Reads a list of texts. */
export function readStrings(value: Value, at: KeywordScope): string[] | undefined {
  return listStrings(value, at) ?? reject(at, 'should be an array of strings');
}

/** Reads a list of texts; a single text is a list of one. */
export function readStringOrStrings(value: Value, at: KeywordScope): string[] | undefined {
  if (typeof value === 'string') return [value];
  return listStrings(value, at) ?? reject(at, 'should be an array of strings or a string');
}

/** Reads commands: a text, or texts in lists that are nested at most 10 deep and become one list. */
export function readScript(value: Value, at: KeywordScope): string[] | undefined {
  if (typeof value === 'string') return [value];
  const commands = flattenStrings(value, at);
  return commands ?? reject(at, 'should be a string or a nested array of strings up to 10 levels deep');
}

/** Reads texts in lists that are nested at most 10 deep; they become one list. */
export function readNestedStrings(value: Value, at: KeywordScope): string[] | undefined {
  const text = 'should be an array of strings or a nested array of strings up to 10 levels deep';
  return flattenStrings(value, at) ?? reject(at, text);
}

/** Reads a whole number, or several. */
export function readIntegers(value: Value, at: KeywordScope): number[] | undefined {
  if (Number.isSafeInteger(value)) return [value as number];
  if (Array.isArray(value)) {
    countValues(at, value.length);
    if (value.every((item) => Number.isSafeInteger(item))) return value as number[];
  }
  return reject(at, 'should be an array of integers or an integer');
}

/** Reads a whole number between two others. */
export function readInteger(value: number, at: KeywordScope, min: number, max: number): number | undefined {
  if (!Number.isInteger(value)) return reject(at, 'must be an integer');
  if (value < min) return reject(at, `must be greater than or equal to ${min}`);
  return value > max ? reject(at, `must be less than or equal to ${max}`) : value;
}

/** Makes a reader of one of these texts; `message` is the error, which lists them in the usual case. */
export function makeChoiceReader<T extends string>(choices: readonly T[], message?: string): Reader<T> {
  const text = message ?? `should be one of: ${choices.join(', ')}`;
  return (value, at) => choices.find((choice) => choice === value) ?? reject(at, text);
}

/** Reads a hash that may have these keys alone. Unknown ones are an error, the rest is read all the same. */
export function readHash(value: Value, at: KeywordScope, keys: readonly string[]): Hash | undefined {
  if (!isHash(value)) return reject(at, 'should be a hash');
  checkKeys(value, at, keys);
  return value;
}

/** Notes an error for the keys of a hash that are not among `keys`. */
export function checkKeys(hash: Hash, at: KeywordScope, keys: readonly string[]): void {
  const unknown = listKeys(hash, at).filter((key) => !keys.includes(key));
  if (unknown.length > 0)
    reject({ ...at, path: [...at.path, unknown[0] as string] }, `contains unknown keys: ${unknown.join(', ')}`);
}

/** The keys of a hash, counted. */
export function listKeys(hash: Hash, at: KeywordScope): string[] {
  const keys = Object.keys(hash);
  countValues(at, keys.length);
  return keys;
}

/** All items of lists that are nested at most 10 deep, in their order; undefined when they are nested deeper. */
export function flattenItems(value: Value[], at: KeywordScope): Value[] | undefined {
  const items: Value[] = [];
  return collectItems(value, at, 0, items) ? items : undefined;
}

function collectItems(list: Value[], at: KeywordScope, depth: number, items: Value[]): boolean {
  if (depth > NESTING_LIMIT) return false;
  countValues(at, list.length + 1);
  return list.every((item) => {
    if (Array.isArray(item)) return collectItems(item, at, depth + 1, items);
    items.push(item);
    return true;
  });
}

function flattenStrings(value: Value, at: KeywordScope): string[] | undefined {
  const items = Array.isArray(value) ? flattenItems(value, at) : undefined;
  return items && listStrings(items, at);
}

function listStrings(value: Value, at: KeywordScope): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  countValues(at, value.length);
  return value.every((item) => typeof item === 'string') ? value : undefined;
}

/** A short text for a value that is not among those which are known. */
export function formatUnknown(value: Value): string {
  if (Array.isArray(value)) return '[…]';
  return typeof value === 'object' && value !== null ? '{…}' : String(value ?? '');
}
