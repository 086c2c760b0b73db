import type { InfiniteData } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ThreadsPage } from './noteable.js';
import type { DiscussionNote, DiscussionThread } from './threads.js';

const threadsIn = (data: InfiniteData<ThreadsPage> | undefined): readonly DiscussionThread[] =>
  data ? data.pages.flatMap(({ discussions }) => discussions?.nodes ?? []) : [];

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

/** The rows, including previous rows that must remain in their position. */
function retainRows<Row extends { id: string }>(
  rows: readonly Row[],
  before: readonly Row[],
  stays: (row: Row) => boolean,
): Row[] {
  const result = [...rows];
  for (const [index, row] of before.entries()) {
    if (result.some(({ id }) => id === row.id) || !stays(row)) continue;
    const above = before.slice(0, index).findLast(({ id }) => result.some((one) => one.id === id));
    result.splice(above ? result.findIndex(({ id }) => id === above.id) + 1 : 0, 0, row);
  }
  return result;
}

function merged(
  threads: readonly DiscussionThread[],
  before: readonly DiscussionThread[],
  ids: ReadonlySet<string>,
): readonly DiscussionThread[] {
  if (ids.size === 0) return threads;
  const isTyped = ({ id }: DiscussionNote) => ids.has(id);
  const stays = ({ id, notes }: DiscussionThread) => ids.has(id) || notes.nodes.some(isTyped);
  return retainRows(threads, before, stays).map((thread) => {
    const previous = before.find(({ id }) => id === thread.id);
    if (!previous || previous === thread || !previous.notes.nodes.some(isTyped)) return thread;
    return { ...thread, notes: { nodes: retainRows(thread.notes.nodes, previous.notes.nodes, isTyped) } };
  });
}

/**
 * The threads of the loaded pages, as displayed: a row remains while the user types in it, even if another user deletes
 * it meanwhile.
 */
export function useTypedThreads(data: InfiniteData<ThreadsPage> | undefined): readonly DiscussionThread[] {
  const ids = useSyncExternalStore(subscribe, () => typed);
  const [state, setState] = useState(() => ({ data, ids, threads: threadsIn(data) }));
  if (state.data === data && state.ids === ids) return state.threads;
  const threads = merged(threadsIn(data), state.threads, ids);
  setState({ data, ids, threads });
  return threads;
}
