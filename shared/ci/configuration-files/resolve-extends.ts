import {
  ConfigurationError,
  type Hash,
  type Problem,
  type Value,
  isHash,
} from '../configuration-model/configuration.types.js';
import { createSizeCounter, measureSize } from './measure-size.js';
import { createEmptyHash, mergeHashes, readKey } from './merge-hashes.js';

/** A job may have ten others between itself and the last one that extends something. */
const MAX_ANCESTORS = 10;
const MAX_PROBLEMS = 100;
/** Keys that are copied in all, whatever is extended. */
const MAX_KEYS = 5_000_000;
const MAX_MESSAGE = 1000;

/** An entry that extends others, once it is known what it comes to. */
interface Extension {
  /** null: it or something that it extends has a problem. */
  value: Hash | null;
  /** How many entries that extend something are on the longest way down, this one among them. */
  height: number;
  /** The first of them below this one. */
  next: string | null;
}

interface Work {
  readonly content: Hash;
  readonly extensions: Map<string, Extension>;
  readonly problems: Problem[];
  readonly spend: (keys: number) => void;
}

/**
 * Replaces each top-level hash that has `extends`, hidden ones too, by the hashes that it names and itself, merged:
 * the later wins, and itself over all. The key `extends` stays. Each entry is worked out once.
 * @throws ConfigurationError with up to 100 problems: entries that name unknown keys, or something that is no hash;
 *   circles; more than eleven levels; a result that is too big
 */
export function resolveExtends(content: Hash): Hash {
  const work: Work = { content, extensions: new Map(), problems: [], spend: createSizeCounter(MAX_KEYS) };
  const addSize = createSizeCounter();
  const sizes = new Map<object, number>();
  const result = createEmptyHash();
  for (const key of Object.keys(content)) {
    const value = readExtensible(content, key) ? resolveEntry(work, key, []).value : (content[key] as Value);
    addSize(key.length + measureSize(value, sizes));
    result[key] = value;
  }
  if (work.problems.length > 0) throw new ConfigurationError(work.problems);
  return result;
}

function readExtensible(content: Hash, key: string): Hash | null {
  const value = readKey(content, key);
  return isHash(value) && Object.hasOwn(value, 'extends') ? value : null;
}

/** @param ancestors the entries on the way here, at most eleven */
function resolveEntry(work: Work, key: string, ancestors: readonly string[]): Extension {
  const known = work.extensions.get(key);
  if (known) return checkHeight(work, key, known, ancestors);
  const entry = readExtensible(work.content, key) ?? createEmptyHash();
  const names = readNames(entry['extends'] ?? null);
  const message = names === null ? describeType(key) : describeProblem(work, key, names, ancestors);
  const extension = message === null ? extendEntry(work, key, entry, names ?? [], ancestors) : reject(work, message);
  work.extensions.set(key, extension);
  return extension;
}

function readNames(value: Value): string[] | null {
  if (value === null) return [];
  const names = Array.isArray(value) ? value : [value];
  return names.every((name) => typeof name === 'string') ? names : null;
}

const describeType = (key: string) => `jobs:${key}:extends config should be an array of strings or a string`;

function describeProblem(work: Work, key: string, names: string[], ancestors: readonly string[]): string | null {
  const unknown = names.filter((name) => !Object.hasOwn(work.content, name));
  if (unknown.length > 0) return `${key}: unknown keys in \`extends\` (${unknown.join(', ')})`;
  const invalid = names.filter((name) => !isHash(work.content[name]));
  if (invalid.length > 0) return `${key}: invalid base hashes in \`extends\` (${invalid.join(', ')})`;
  if (ancestors.length > MAX_ANCESTORS) return describeDepth(key);
  if (ancestors.includes(key)) return `${key}: circular dependency detected in \`extends\``;
  return null;
}

const describeDepth = (key: string) => `${key}: nesting too deep in \`extends\``;

function extendEntry(work: Work, key: string, entry: Hash, names: string[], ancestors: readonly string[]): Extension {
  const way = [...ancestors, key];
  const bases: Hash[] = [];
  const extension: Extension = { value: null, height: 1, next: null };
  for (const name of new Set(names)) {
    if (!readExtensible(work.content, name)) continue;
    const base = resolveEntry(work, name, way);
    if (base.value === null) return extension;
    if (base.height < extension.height) continue;
    extension.height = base.height + 1;
    extension.next = name;
  }
  for (const name of names) bases.push(work.extensions.get(name)?.value ?? (work.content[name] as Hash));
  extension.value = mergeHashes([...bases, entry], work.spend);
  return extension;
}

/** What was worked out before may still be too deep below these ancestors. */
function checkHeight(work: Work, key: string, known: Extension, ancestors: readonly string[]): Extension {
  if (known.value === null || ancestors.length + known.height <= MAX_ANCESTORS + 1) return known;
  let name = key;
  for (let level = ancestors.length; level <= MAX_ANCESTORS; level++) {
    name = work.extensions.get(name)?.next ?? name;
  }
  return reject(work, describeDepth(name));
}

function reject(work: Work, message: string): Extension {
  if (work.problems.length < MAX_PROBLEMS) work.problems.push({ message: message.slice(0, MAX_MESSAGE) });
  return { value: null, height: 1, next: null };
}
