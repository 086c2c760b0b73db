import { useEffect, useState } from 'react';

/** Pause in typing, in milliseconds, after which a value counts as settled. */
const PAUSE_MS = 300;

/** The latest value that has not changed for a pause. */
export function useDebounced<T>(value: T, pauseMs = PAUSE_MS): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}
