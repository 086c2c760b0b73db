import { useQueries, useQueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

/** One page of a list that is read by cursors. */
export interface ChainedPage<R> {
  rows: readonly R[];
  /** Begins the page after it; null at the end. */
  next: string | null;
}

interface LoadedPage<R> extends ChainedPage<R> {
  /** Counts what was loaded: the higher, the newer. */
  order: number;
}

interface Link<R> {
  cursor: string | null;
  page: LoadedPage<R> | null;
}

let loads = 0;

/**
 * The pages of a list from the first one: each begins where the previous one ends.
 * @param find finds a loaded page by its cursor
 * @param drawnPages the previously rendered pages, by position: each replaces a page whose start has moved, until that
 * is loaded
 * @param count the maximum number of pages
 */
function getChain<R>(
  find: (cursor: string | null) => LoadedPage<R> | undefined,
  drawnPages: readonly (LoadedPage<R> | null)[],
  count: number,
): Link<R>[] {
  const chain: Link<R>[] = [];
  let cursor: string | null = null;
  while (chain.length < count) {
    const page: LoadedPage<R> | null = find(cursor) ?? drawnPages[chain.length] ?? null;
    chain.push({ cursor, page });
    if (!page || page.next === null) break;
    cursor = page.next;
  }
  return chain;
}

interface PositionedRow<R> {
  row: R;
  /** Position of its page. */
  page: number;
}

/** Rows of all pages. A row that moved to another page is on both until both are refetched: the newer one wins. */
function getRows<R extends { id: number }>(chain: readonly Link<R>[]): PositionedRow<R>[] {
  const owners = new Map<number, number>();
  for (const [index, { page }] of chain.entries())
    for (const { id } of page?.rows ?? []) {
      const owner = chain[owners.get(id) ?? -1]?.page;
      if (!owner || (page as LoadedPage<R>).order > owner.order) owners.set(id, index);
    }
  return chain.flatMap(({ page }, index) =>
    (page?.rows ?? []).filter(({ id }) => owners.get(id) === index).map((row) => ({ row, page: index })),
  );
}

interface Near {
  first: number;
  last: number;
}

interface Chain {
  key: string;
  /** How many pages. */
  count: number;
  /** Pages that are on or near the screen. */
  near: Near;
}

const FIRST: Near = { first: 0, last: 1 };

export interface ChainedPages<R> {
  /** Null until the first page is there. */
  rows: readonly R[] | null;
  error: Error | null;
  retry: () => void;
  /** Whether there is more, and whether it is on its way. */
  hasMore: boolean;
  isLoadingMore: boolean;
  more: () => void;
  /** Called with the rows near the screen. */
  onNear: (firstRow: number, lastRow: number) => void;
}

/**
 * A list of any length in pages, each a separate query. After a change, only the pages near the screen are refetched,
 * and others once they come near it: a list of ten thousand rows then costs the same as one of a hundred.
 * @param list prefix of the query keys of its pages
 * @param load loads a page by its cursor, null for the first
 */
export function useChainedPages<R extends { id: number }>(
  list: QueryKey,
  load: (cursor: string | null) => Promise<ChainedPage<R>>,
): ChainedPages<R> {
  const queries = useQueryClient();
  const key = JSON.stringify(list);
  const [state, keep] = useState<Chain>({ key, count: 1, near: FIRST });
  const current = state.key === key ? state : { key, count: 1, near: FIRST };
  const drawn = useRef<{ key: string; pages: (LoadedPage<R> | null)[] }>({ key, pages: [] });
  const chain = getChain<R>(
    (cursor) => queries.getQueryData<LoadedPage<R>>([...list, cursor]),
    drawn.current.key === key ? drawn.current.pages : [],
    current.count,
  );
  const { near } = current;
  const found = useQueries({
    queries: chain.map(({ cursor, page }, index) => ({
      queryKey: [...list, cursor],
      queryFn: async () => ({ ...(await load(cursor)), order: (loads += 1) }),
      enabled: page === null || (index >= near.first && index <= near.last),
      // Changes are reported by events.
      staleTime: Infinity,
      notifyOnChangeProps: ['data', 'error'] as const,
    })),
  });
  useEffect(() => {
    drawn.current = { key, pages: chain.map(({ page }) => page) };
  });
  // An unmounted component is not notified.
  useEffect(() => {
    const queryKey = JSON.parse(key) as QueryKey;
    return () => void queries.invalidateQueries({ queryKey, refetchType: 'none' });
  }, [queries, key]);
  const loaded = chain.map(({ page }) => page?.order ?? 0).join(' ');
  // oxlint-disable-next-line react/exhaustive-deps -- `loaded` tells when they changed
  const positionedRows = useMemo(() => getRows(chain), [loaded]);
  const rows = useMemo(() => positionedRows.map(({ row }) => row), [positionedRows]);
  const last = chain.at(-1)?.page;
  const failed = found.filter(({ error }) => error !== null);
  const onNear = useCallback(
    (firstRow: number, lastRow: number) => {
      const first = (positionedRows[firstRow]?.page ?? 0) - 1;
      const end = (positionedRows[lastRow]?.page ?? 0) + 1;
      keep((before) => {
        const now = before.key === key ? before : { key, count: 1, near: FIRST };
        return now.near.first === first && now.near.last === end ? before : { ...now, near: { first, last: end } };
      });
    },
    [positionedRows, key],
  );
  const canLoad = last !== null && last?.next !== null;
  const { length } = chain;
  const more = useCallback(() => {
    if (canLoad) keep((before) => ({ key, near: before.key === key ? before.near : FIRST, count: length + 1 }));
  }, [canLoad, length, key]);
  return {
    rows: chain[0]?.page ? rows : null,
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const { refetch } of failed) void refetch();
    },
    hasMore: last === null || last?.next !== null,
    isLoadingMore: last === null && failed.length === 0,
    more,
    onNear,
  };
}
