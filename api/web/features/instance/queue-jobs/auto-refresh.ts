import { useState } from 'react';
import { ApiProblem } from '../../../data/problem.js';

/** The refetch interval for changing data while the page is visible (jobs-admin.md section 5). */
export const REFRESH_MS = 5_000;

/** Rows that the user has selected must not move. */
export const HELD = 'Paused while jobs are selected';

export interface AutoRefresh {
  /** Query options for the refetch interval. */
  options: {
    refetchInterval: (query: { state: { error: Error | null } }) => number | false;
    refetchOnWindowFocus: boolean;
  };
  /** Why refetching is paused; null while it is active. */
  paused: string | null;
  /** Whether the person stopped it. */
  stopped: boolean;
  toggle: () => void;
}

/** Client errors, such as for a missing job, would be returned again on a retry. */
const isClientError = (error: Error | null) => error instanceof ApiProblem && error.status >= 400 && error.status < 500;

/**
 * Whether a page refetches its data automatically. Hidden pages send no requests by themselves.
 * @param held why the page must not change while the user interacts with it, or null
 */
export function useAutoRefresh(held: string | null = null): AutoRefresh {
  const [stopped, setStopped] = useState(false);
  const paused = stopped ? 'Paused' : held;
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
