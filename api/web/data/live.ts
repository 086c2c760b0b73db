import { useQueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onHold, useHold } from '../ui/hold.js';

/** What a page has to ask for anew when something of a kind changed: first words of keys of its queries. */
export type LiveQueries = Readonly<Record<string, readonly QueryKey[]>>;

interface LiveState {
  /** Whether the page that is shown hears of changes. */
  live: boolean;
  /** Since when it is stale, where it could not ask either; in milliseconds since 1970. */
  staleSince: number | null;
  /** Whether it must not change under the person's hands now: what changes meanwhile is shown after that. */
  held: boolean;
  /** Since when something changed that is not shown while the page is held; in milliseconds since 1970. */
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

/** How often a page asks by itself while it hears of nothing. */
export const POLL_MS = 30_000;

onHold((held) => setLiveState({ held }));

/**
 * Has a page show changes by itself: one event stream, while it is seen (decision 82). Used once in a page.
 * @param params what the page shows, as the stream is asked for it; null while nothing is shown
 */
export function useLive(params: Record<string, string> | null, liveQueries: LiveQueries, held = false): void {
  const queries = useQueryClient();
  const key = JSON.stringify([params, liveQueries]);
  useHold(held);
  useEffect(() => {
    const [at, keys] = JSON.parse(key) as [typeof params, LiveQueries];
    if (!at) return undefined;
    // Apart from the first view. Where it does not load, the page is as it came.
    const leave = import('./live-stream.js')
      .then(({ subscribe }) => subscribe(queries, at, keys))
      .catch(() => undefined);
    return () => void leave.then((left) => left?.());
  }, [queries, key]);
}
