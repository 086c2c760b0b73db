/** Reads an entry, or makes and stores it. At most `limit` entries stay, those that were read last. */
export function readThrough<V>(cache: Map<string, V>, limit: number, key: string, make: () => V): V {
  if (cache.has(key)) {
    const value = cache.get(key) as V;
    cache.delete(key);
    cache.set(key, value);
    return value;
  }
  const value = make();
  cache.set(key, value);
  if (cache.size > limit) cache.delete(cache.keys().next().value as string);
  return value;
}
