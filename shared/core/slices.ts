/** Records that git, not the database, holds in an order of its own: read by position, a slice at a time. */
export interface Slices<T> {
  /** Records from `offset` on, from 0, `limit` at most. */
  slice(offset: number, limit: number): Promise<readonly T[]>;
  /** How many there are; left out where counting means reading them all. */
  total?: number;
  /** Keyset paging, where it is offered: the parameter that names a place, and what it held. */
  keyset?: {
    parameter: string;
    /** Position of the first record of the page that was asked for. */
    start: number;
    /** What names the place behind a record. */
    token(record: T): string;
  };
}

/** What is in memory already, as slices. */
export function slicesOf<T>(records: readonly T[], keyset?: Slices<T>['keyset']): Slices<T> {
  return {
    slice: (offset, limit) => Promise.resolve(records.slice(offset, offset + limit)),
    total: records.length,
    ...(keyset ? { keyset } : {}),
  };
}

export function isSlices(result: unknown): result is Slices<unknown> {
  return (
    typeof result === 'object' &&
    result !== null &&
    typeof (result as Slices<unknown>).slice === 'function' &&
    !Array.isArray(result)
  );
}
