import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { liveState, onLiveState } from '../../data/live.js';
import styles from './Stale.module.css';
import { byServer } from '../../ui/now.js';
import { formatInstant } from '../../ui/format-time.js';

/** Within a day the time is sufficient. */
const DAY_MS = 86_400_000;

let offlineSince = navigator.onLine ? null : Date.now();

function subscribe(changed: () => void): () => void {
  const noted = () => {
    offlineSince = navigator.onLine ? null : Date.now();
    changed();
  };
  for (const event of ['online', 'offline']) window.addEventListener(event, noted);
  return () => {
    for (const event of ['online', 'offline']) window.removeEventListener(event, noted);
  };
}

function formatTime(at: number): string {
  if (byServer(Date.now()) - at > DAY_MS) return formatInstant(new Date(at));
  return new Date(at).toLocaleTimeString('en-CA', { timeStyle: 'short', hourCycle: 'h23' });
}

/** The time since which the displayed data is stale, by the service's clock, and the text before and after it. */
function useStale(): { at: number; before: string; after: string } | null {
  const since = useSyncExternalStore(subscribe, () => offlineSince);
  const { staleSince, heldSince } = useSyncExternalStore(onLiveState, liveState);
  const noted = staleSince ?? since;
  if (noted !== null)
    return {
      at: byServer(noted),
      before: since === null ? 'Live updates lost at' : 'Offline since',
      after: `${since === null ? ": the server isn't responding" : ''}. This page may be out of date. Your input is kept. It reconnects automatically.`,
    };
  if (heldSince === null) return null;
  return {
    at: byServer(heldSince),
    before: 'This page changed at',
    after: '. Finish what you have open to see the changes.',
  };
}

/**
 * Reports above the page that it is stale, and since when: there is no network, the service does not respond, or
 * changes are held back during the user's input. The displayed data remains, and is reloaded once that is possible.
 */
export default function Stale(): ReactNode {
  const stale = useStale();
  return (
    <output className={stale === null ? 'hidden' : styles.stale}>
      {stale !== null && (
        <>
          {stale.before}{' '}
          <time dateTime={new Date(stale.at).toISOString()} title={formatInstant(new Date(stale.at))}>
            {formatTime(stale.at)}
          </time>
          {stale.after}
        </>
      )}
    </output>
  );
}
