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
 * The pages of a list from its first on: each begins where the one before it ends.
 * @param find a page that was loaded, by its cursor
 * @param drawnPages what was drawn before, by position: stands for a page whose beginning moved, until that is loaded
 * @param count how many, where there are as many
 */
function chainOf<R>(
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

/** Rows of all pages. One that moved from a page to another is on both until both are asked for anew: the newer tells. */
function rowsOf<R extends { id: number }>(chain: readonly Link<R>[]): PositionedRow<R>[] {
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
  /** Pages that are on the screen or beside it. */
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
  /** Tells which rows are near the screen. */
  onNear: (firstRow: number, lastRow: number) => void;
}

/**
 * A list of any length by pages, each a query of its own. When something changed, those are asked for anew that are near
 * the screen, and others once they are: a list of ten thousand rows costs then what one of a hundred does.
 * @param list first words of the keys of its pages
 * @param load asks for a page by its cursor, null for the first
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
  const chain = chainOf<R>(
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
      // What changes is told.
      staleTime: Infinity,
      notifyOnChangeProps: ['data', 'error'] as const,
    })),
  });
  useEffect(() => {
    drawn.current = { key, pages: chain.map(({ page }) => page) };
  });
  // Nothing is told to who is not there.
  useEffect(() => {
    const queryKey = JSON.parse(key) as QueryKey;
    return () => void queries.invalidateQueries({ queryKey, refetchType: 'none' });
  }, [queries, key]);
  const loaded = chain.map(({ page }) => page?.order ?? 0).join(' ');
  // oxlint-disable-next-line react/exhaustive-deps -- `loaded` tells when they changed
  const positionedRows = useMemo(() => rowsOf(chain), [loaded]);
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
