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

/** An instant as people say it; the exact one, with its zone, on hover. */
export function Time({ at }: { at: string }) {
  const now = useSyncExternalStore(subscribe, () => current);
  const date = new Date(at);
  return (
    <time dateTime={at} title={instantWords(date)}>
      {relativeWords(date, new Date(now))}
    </time>
  );
}
