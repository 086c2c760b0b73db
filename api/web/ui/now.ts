import { useSyncExternalStore } from 'react';

/*
 * The time by the service's clock: a browser's clock may be wrong by days. One timer serves all times on the page, and
 * none runs while the page is hidden.
 */

const STEP_MS = 1_000;
/** Clocks that differ by less than this count as equal; network latency also causes a difference. */
const SAME_MS = 2_000;

/** Milliseconds that the service's clock is ahead of this browser's. */
let ahead = 0;
let current = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function step(): void {
  current = serverNow();
  for (const listener of listeners) listener();
}

function stepIfVisible(): void {
  if (document.visibilityState === 'visible') step();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    timer = setInterval(stepIfVisible, STEP_MS);
    document.addEventListener('visibilitychange', step);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', step);
  };
}

/** The time by the service's clock as far as it is known, in milliseconds since 1970. */
export const serverNow = (): number => Date.now() + ahead;

/** Converts a time of this browser's clock to the service's. */
export const byServer = (time: number): number => time + ahead;

/** Milliseconds that the service's clock is ahead of this browser's; negative if it is behind. */
export const clockDifference = (): number => ahead;

/**
 * Computes the difference of the clocks from a response that contains the service's time.
 * @param server the time in the response, as an instant
 * @param sentAt when the request was sent, and `answered` when the response arrived, by this browser's clock
 */
export function compareClocks(server: string, sentAt: number, answered = Date.now()): void {
  const difference = Date.parse(server) - (sentAt + answered) / 2;
  if (Number.isNaN(difference)) return;
  ahead = Math.abs(difference) < SAME_MS + (answered - sentAt) ? 0 : Math.round(difference);
  step();
}

/** The time by the service's clock, moved every second while the page is seen. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => current);
}

const DAY_MS = 86_400_000;

/** A day from now on the UTC calendar, as the API counts expiry: `2030-01-31`. */
export const dayFromNow = (days: number): string => new Date(serverNow() + days * DAY_MS).toISOString().slice(0, 10);
