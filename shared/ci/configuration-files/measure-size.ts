import { ConfigurationError, Reference, type Value } from '../configuration-model/configuration.types.js';

/** Of a configuration with everything that it includes, extends and refers to, in about the bytes of its text. */
export const MAX_CONFIGURATION_SIZE = 32 * 1024 * 1024;
const SIZE_OF_VALUE = 8;

/** The error for a configuration that is too large once everything in it is written out. */
export function createSizeError(): ConfigurationError {
  return new ConfigurationError('The parsed YAML is too big');
}

/**
 * How large a value would be as a text without anchors, in about bytes: what is shared counts each time. A value that
 * holds itself is infinite. Takes time by what there is in memory, not by the result.
 * @param sizes what is known of hashes and arrays, which must not change any more; it is added to
 */
export function measureSize(value: Value, sizes = new Map<object, number>()): number {
  if (typeof value === 'string') return SIZE_OF_VALUE + value.length;
  if (typeof value !== 'object' || value === null) return SIZE_OF_VALUE;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  sizes.set(value, Infinity);
  let size = SIZE_OF_VALUE;
  if (value instanceof Reference) size += measureSize([...value.path]);
  else if (Array.isArray(value)) for (const item of value) size += measureSize(item, sizes);
  else for (const key of Object.keys(value)) size += key.length + measureSize(value[key] as Value, sizes);
  sizes.set(value, size);
  return size;
}

/**
 * Adds up sizes.
 * @throws ConfigurationError (`The parsed YAML is too big`) from the call on that exceeds the limit
 */
export function createSizeCounter(limit = MAX_CONFIGURATION_SIZE): (size: number) => void {
  let left = limit;
  return (size) => {
    left -= size;
    if (left < 0) throw createSizeError();
  };
}
