import { useSyncExternalStore } from 'react';
import { instantWords, relativeWords } from './time-words.js';

/** One timer for all times of the page, and none while nobody looks. */
const STEP_MS = 1_000;
let current = Date.now();

function subscribe(changed: () => void): () => void {
  const step = () => {
    current = Date.now();
    changed();
  };
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') step();
  }, STEP_MS);
  document.addEventListener('visibilitychange', step);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', step);
  };
}

/** The time by this browser's clock, in milliseconds since 1970, moved every second while the page is seen. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => current);
}

/** An instant as people say it; the exact one, with its zone, on hover. */
export function Time({ at }: { at: string }) {
  const now = useNow();
  const date = new Date(at);
  return (
    <time dateTime={at} title={instantWords(date)}>
      {relativeWords(date, new Date(now))}
    </time>
  );
}
