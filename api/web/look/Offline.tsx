import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { liveState, onLiveState } from '../client/live.js';
import styles from './Offline.module.css';
import { byServer } from './now.js';
import { instantWords } from './time-words.js';

/** Within a day the time alone says it. */
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

function timeWords(at: number): string {
  if (byServer(Date.now()) - at > DAY_MS) return instantWords(new Date(at));
  return new Date(at).toLocaleTimeString('en-CA', { timeStyle: 'short', hourCycle: 'h23' });
}

/**
 * Says above the page that it is stale, and since when: there is no network, or the service does not answer. What is
 * shown stays, and is loaded anew once it can be.
 */
export default function Offline(): ReactNode {
  const since = useSyncExternalStore(subscribe, () => offlineSince);
  const { staleSince } = useSyncExternalStore(onLiveState, liveState);
  const noted = staleSince ?? since;
  const at = noted === null ? null : byServer(noted);
  return (
    <output className={at === null ? 'hidden' : styles.offline}>
      {at !== null && (
        <>
          {since === null ? 'Not live' : 'No network'} since{' '}
          <time dateTime={new Date(at).toISOString()} title={instantWords(new Date(at))}>
            {timeWords(at)}
          </time>
          {since === null && ': the service does not answer'}. What you see may be older by now; nothing that you typed
          is lost. It goes on by itself.
        </>
      )}
    </output>
  );
}
