import { useQueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';

/** What a page has to ask for anew when something of a kind changed: first words of keys of its queries. */
export type Follows = Readonly<Record<string, readonly QueryKey[]>>;

interface LiveState {
  /** Whether the page that is shown hears of changes. */
  live: boolean;
  /** Since when it is stale, where it could not ask either; in milliseconds since 1970. */
  staleSince: number | null;
  /** Whether it must not change under the person's hands now: what changes meanwhile is shown after that. */
  held: boolean;
}

let state: LiveState = { live: false, staleSince: null, held: false };
const told = new Set<() => void>();

export const liveState = (): LiveState => state;

export function setLiveState(changed: Partial<LiveState>): void {
  state = { ...state, ...changed };
  for (const tell of told) tell();
}

export function onLiveState(tell: () => void): () => void {
  told.add(tell);
  return () => told.delete(tell);
}

/** How often a page asks by itself while it hears of nothing. */
export const LOOK_MS = 30_000;

/**
 * Has a page show changes by itself: one event stream, while it is seen (decision 84). Used once in a page.
 * @param place what the page shows, as the stream is asked for it; null while nothing is shown
 */
export function useLive(place: Record<string, string> | null, follows: Follows, held = false): void {
  const queries = useQueryClient();
  const asked = JSON.stringify([place, follows]);
  useEffect(() => setLiveState({ held }), [held]);
  useEffect(() => {
    const [at, keys] = JSON.parse(asked) as [typeof place, Follows];
    if (!at) return undefined;
    // Apart from the first view. Where it does not load, the page is as it came.
    const leave = import('./live-stream.js').then(({ follow }) => follow(queries, at, keys)).catch(() => undefined);
    return () => void leave.then((left) => left?.());
  }, [queries, asked]);
}
