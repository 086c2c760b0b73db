import { useQueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onHold, useHold } from '../ui/hold.js';

/** The queries to refetch when something of a kind changes: prefixes of query keys. */
export type LiveQueries = Readonly<Record<string, readonly QueryKey[]>>;

interface LiveState {
  /** Whether the visible page receives changes. */
  live: boolean;
  /** The time since which the page is stale because polling fails too; in milliseconds since 1970. */
  staleSince: number | null;
  /** Whether the page must not change during the user's input: changes are displayed afterwards. */
  held: boolean;
  /** The time of the first change that is not displayed while the page is held; in milliseconds since 1970. */
  heldSince: number | null;
}

let state: LiveState = { live: false, staleSince: null, held: false, heldSince: null };
const listeners = new Set<() => void>();

export const liveState = (): LiveState => state;

export function setLiveState(changed: Partial<LiveState>): void {
  state = { ...state, ...changed };
  for (const listener of listeners) listener();
}

export function onLiveState(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Polling interval while no stream is connected. */
export const POLL_MS = 30_000;

onHold((held) => setLiveState({ held }));

/**
 * Makes a page display changes by itself: one event stream, while it is visible (decision 82). Used once per page.
 * @param params the stream parameters for the page's content; null while the page is empty
 */
export function useLive(params: Record<string, string> | null, liveQueries: LiveQueries, held = false): void {
  const queries = useQueryClient();
  const key = JSON.stringify([params, liveQueries]);
  useHold(held);
  useEffect(() => {
    const [at, keys] = JSON.parse(key) as [typeof params, LiveQueries];
    if (!at) return undefined;
    // Loaded separately from the first view. If it fails to load, the page stays static.
    const leave = import('./live-stream.js')
      .then(({ subscribe }) => subscribe(queries, at, keys))
      .catch(() => undefined);
    return () => void leave.then((left) => left?.());
  }, [queries, key]);
}
