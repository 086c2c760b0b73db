/** Records that git, not the database, holds in an order of its own: read by position, a slice at a time. */
export interface OffsetSource<T> {
  /** Records from `offset` on, from 0, `limit` at most. */
  slice(offset: number, limit: number): Promise<readonly T[]>;
  /** How many there are; left out where counting means reading them all. */
  total?: number;
  /** Keyset paging, if supported: the parameter that contains a position, and its value. */
  keyset?: {
    parameter: string;
    /** The first `limit` records of the requested page. */
    read(limit: number): Promise<readonly T[]>;
    /** What names the position after a record. */
    token(record: T): string;
  };
}

/** Records already in memory, as slices; a keyset page starts at position `start`. */
export function offsetSourceOf<T>(
  records: readonly T[],
  keyset?: Omit<NonNullable<OffsetSource<T>['keyset']>, 'read'> & { start: number },
): OffsetSource<T> {
  const slice = (offset: number, limit: number) => Promise.resolve(records.slice(offset, offset + limit));
  if (!keyset) return { slice, total: records.length };
  const { start, ...rest } = keyset;
  return { slice, total: records.length, keyset: { ...rest, read: (limit) => slice(start, limit) } };
}

export function isSlices(result: unknown): result is OffsetSource<unknown> {
  return (
    typeof result === 'object' &&
    result !== null &&
    typeof (result as OffsetSource<unknown>).slice === 'function' &&
    !Array.isArray(result)
  );
}
