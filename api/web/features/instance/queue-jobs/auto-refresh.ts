import { useState } from 'react';
import { ApiProblem } from '../../../data/problem.js';

/** How often what happens by itself is looked at again, while the page is seen (jobs-admin.md section 5). */
export const REFRESH_MS = 5_000;

/** Rows that somebody chose must not move. */
export const HELD = 'Held while jobs are chosen';

export interface AutoRefresh {
  /** For queries: how often and when they ask again. */
  options: {
    refetchInterval: (query: { state: { error: Error | null } }) => number | false;
    refetchOnWindowFocus: boolean;
  };
  /** Why it is not looked at; null while it is. */
  paused: string | null;
  /** Whether the person stopped it. */
  stopped: boolean;
  toggle: () => void;
}

/** What the service refused once it refuses again, such as a job that is gone. */
const isClientError = (error: Error | null) => error instanceof ApiProblem && error.status >= 400 && error.status < 500;

/**
 * Whether a page follows what happens. Hidden pages ask nothing by themselves.
 * @param held why it must not change under the person's hands now, or null
 */
export function useAutoRefresh(held: string | null = null): AutoRefresh {
  const [stopped, setStopped] = useState(false);
  const paused = stopped ? 'Stopped' : held;
  return {
    options: {
      refetchInterval: ({ state: { error } }) => (paused !== null || isClientError(error) ? false : REFRESH_MS),
      refetchOnWindowFocus: paused === null,
    },
    paused,
    stopped,
    toggle: () => setStopped(!stopped),
  };
}
