import { type Hash, type Value, isHash } from '../configuration-model/configuration.types.js';

/** A hash without keys. It has no prototype, so that `__proto__` is a key like any other. */
export function createEmptyHash(): Hash {
  return Object.create(null) as Hash;
}

/** The value of a hash's own key; undefined where it has no such key. */
export function readKey(hash: Hash, key: string): Value | undefined {
  return Object.hasOwn(hash, key) ? hash[key] : undefined;
}

/**
 * One hash of many: where two have a hash at the same key these are merged in turn, of all other values the later one
 * wins; arrays are replaced. Keys stand in the order in which they appear first. The hashes themselves stay as they
 * are, and the result shares with them what only one of them has.
 * @param spend hears of the keys that are about to be copied; it may throw to end the work
 */
export function mergeHashes(hashes: readonly Hash[], spend: (keys: number) => void = () => {}): Hash {
  const result = createEmptyHash();
  const own = new Set<Hash>([result]);
  for (const hash of hashes) copyInto(result, hash, own, spend);
  return result;
}

/** `own` are the hashes of the result that nobody else has, and which may be changed for that reason. */
function copyInto(target: Hash, source: Hash, own: Set<Hash>, spend: (keys: number) => void): void {
  const keys = Object.keys(source);
  spend(keys.length);
  for (const key of keys) {
    const value = source[key] as Value;
    const before = target[key];
    if (!isHash(before) || !isHash(value)) target[key] = value;
    else if (before !== value) copyInto(claimHash(target, key, before, own, spend), value, own, spend);
  }
}

/** A hash below `target` that may be changed: itself, or a copy that stands in its stead from now on. */
function claimHash(target: Hash, key: string, hash: Hash, own: Set<Hash>, spend: (keys: number) => void): Hash {
  if (own.has(hash)) return hash;
  spend(Object.keys(hash).length);
  const copy = Object.assign(createEmptyHash(), hash);
  own.add(copy);
  target[key] = copy;
  return copy;
}
