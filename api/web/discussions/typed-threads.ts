import type { InfiniteData } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ShownNote, ShownThread, ThreadsPage } from './threads.js';

const threadsIn = (data: InfiniteData<ThreadsPage> | undefined): readonly ShownThread[] =>
  data ? data.pages.flatMap(({ discussions }) => discussions.nodes) : [];

/** Ids of comments that are being edited, and of threads that are being answered. */
let typed: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function change(ids: Iterable<string>): void {
  typed = new Set(ids);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps a comment or a thread on the page while something is typed in its row. */
export function useTyped(id: string, typing: boolean): void {
  useEffect(() => {
    if (!typing) return undefined;
    change([...typed, id]);
    return () => change([...typed].filter((one) => one !== id));
  }, [id, typing]);
}

/** Rows, with those of before that are to stay where they were. */
function withKept<Row extends { id: string }>(
  rows: readonly Row[],
  before: readonly Row[],
  stays: (row: Row) => boolean,
): Row[] {
  const shown = [...rows];
  for (const [index, row] of before.entries()) {
    if (shown.some(({ id }) => id === row.id) || !stays(row)) continue;
    const above = before.slice(0, index).findLast(({ id }) => shown.some((one) => one.id === id));
    shown.splice(above ? shown.findIndex(({ id }) => id === above.id) + 1 : 0, 0, row);
  }
  return shown;
}

function merged(
  threads: readonly ShownThread[],
  before: readonly ShownThread[],
  ids: ReadonlySet<string>,
): readonly ShownThread[] {
  if (ids.size === 0) return threads;
  const isTyped = ({ id }: ShownNote) => ids.has(id);
  const stays = ({ id, notes }: ShownThread) => ids.has(id) || notes.nodes.some(isTyped);
  return withKept(threads, before, stays).map((thread) => {
    const known = before.find(({ id }) => id === thread.id);
    if (!known || known === thread || !known.notes.nodes.some(isTyped)) return thread;
    return { ...thread, notes: { nodes: withKept(thread.notes.nodes, known.notes.nodes, isTyped) } };
  });
}

/**
 * The threads of pages that were asked for, as the page shows them: what somebody types stays with its row, though
 * somebody else deletes that meanwhile.
 */
export function useTypedThreads(data: InfiniteData<ThreadsPage> | undefined): readonly ShownThread[] {
  const ids = useSyncExternalStore(subscribe, () => typed);
  const [known, setKnown] = useState(() => ({ data, ids, shown: threadsIn(data) }));
  if (known.data === data && known.ids === ids) return known.shown;
  const shown = merged(threadsIn(data), known.shown, ids);
  setKnown({ data, ids, shown });
  return shown;
}
