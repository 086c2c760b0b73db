import {
  ConfigurationError,
  Reference,
  type Hash,
  type Problem,
  type Value,
  isHash,
} from '../configuration-model/configuration.types.js';
import { createSizeError, MAX_CONFIGURATION_SIZE, measureSize } from './measure-size.js';
import { createEmptyHash, readKey } from './merge-hashes.js';

/** References one in another. */
const MAX_LEVELS = 10;
const MAX_PROBLEMS = 100;
const MAX_MESSAGE = 1000;

/** A value without references, and how many of them were one in another. */
interface Resolution {
  value: Value;
  levels: number;
  /** Its problem is known. */
  isBroken?: boolean;
}

interface Work {
  readonly content: Hash;
  readonly byPath: Map<string, Resolution>;
  readonly byValue: Map<object, Resolution>;
  /** The references around the one at hand, each inside of the one before. */
  readonly open: Set<string>;
  readonly problems: Problem[];
}

/**
 * Replaces each `!reference` by what it names. Arrays inside of arrays stay so: who reads a keyword knows whether they
 * may be flattened. Values are shared, not copied.
 * @throws ConfigurationError with up to 100 problems: references to what does not exist or is null, circles, more than
 *   ten levels; `The parsed YAML is too big` for a result over the limit
 */
export function resolveYamlReferences(content: Hash): Hash {
  const work: Work = { content, byPath: new Map(), byValue: new Map(), open: new Set(), problems: [] };
  const { value } = resolveValue(work, content, 0);
  if (work.problems.length > 0) throw new ConfigurationError(work.problems);
  if (measureSize(value) > MAX_CONFIGURATION_SIZE) throw createSizeError();
  return value as Hash;
}

/** @param depth how many references are around this value */
function resolveValue(work: Work, value: Value, depth: number): Resolution {
  if (value instanceof Reference) return resolveReference(work, value, depth);
  if (typeof value !== 'object' || value === null) return { value, levels: 0 };
  const known = work.byValue.get(value);
  if (known) return known;
  const resolution = Array.isArray(value) ? resolveItems(work, value, depth) : resolveKeys(work, value, depth);
  work.byValue.set(value, resolution);
  return resolution;
}

function resolveItems(work: Work, items: Value[], depth: number): Resolution {
  const results = items.map((item) => resolveValue(work, item, depth));
  const levels = results.reduce((most, result) => Math.max(most, result.levels), 0);
  const isSame = results.every(({ value }, index) => value === items[index]);
  return { value: isSame ? items : results.map(({ value }) => value), levels };
}

function resolveKeys(work: Work, hash: Hash, depth: number): Resolution {
  const copy = createEmptyHash();
  let levels = 0;
  let isSame = true;
  for (const key of Object.keys(hash)) {
    const before = hash[key] as Value;
    const resolution = resolveValue(work, before, depth);
    levels = Math.max(levels, resolution.levels);
    isSame &&= resolution.value === before;
    copy[key] = resolution.value;
  }
  return { value: isSame ? hash : copy, levels };
}

function resolveReference(work: Work, reference: Reference, depth: number): Resolution {
  const path = JSON.stringify(reference.path);
  const known = work.byPath.get(path);
  if (known) return checkLevels(work, reference, known, depth);
  if (work.open.has(path)) return reject(work, reference, 'is part of a circular chain');
  if (depth >= MAX_LEVELS) return reject(work, reference, `is nested too deep (maximum is ${MAX_LEVELS} levels)`);
  work.open.add(path);
  const inner = findValue(work, reference, depth + 1);
  work.open.delete(path);
  const isMissing = inner.value === null && !inner.isBroken;
  const resolution = isMissing
    ? reject(work, reference, 'could not be found')
    : checkLevels(work, reference, { ...inner, levels: inner.levels + 1 }, depth);
  work.byPath.set(path, resolution);
  return resolution;
}

/** The value at a reference's path, itself without references; null where there is none. */
function findValue(work: Work, reference: Reference, depth: number): Resolution {
  let value: Value = reference.path.length > 0 ? work.content : null;
  let levels = 0;
  for (const key of reference.path) {
    const resolution: Resolution =
      value instanceof Reference ? resolveReference(work, value, depth) : { value, levels: 0 };
    if (resolution.isBroken) return resolution;
    levels = Math.max(levels, resolution.levels);
    value = (isHash(resolution.value) ? readKey(resolution.value, key) : null) ?? null;
  }
  const resolution = resolveValue(work, value, depth);
  return { ...resolution, levels: Math.max(levels, resolution.levels) };
}

/** What was resolved before may still be too deep inside of this many references. */
function checkLevels(work: Work, reference: Reference, resolution: Resolution, depth: number): Resolution {
  if (resolution.isBroken || depth + resolution.levels <= MAX_LEVELS) return resolution;
  return reject(work, reference, `is nested too deep (maximum is ${MAX_LEVELS} levels)`);
}

function reject(work: Work, { path }: Reference, why: string): Resolution {
  const names = path.map((name) => JSON.stringify(name)).join(', ');
  const message = `!reference [${names}] ${why}`.slice(0, MAX_MESSAGE);
  if (work.problems.length < MAX_PROBLEMS) work.problems.push({ message });
  return { value: null, levels: 0, isBroken: true };
}
