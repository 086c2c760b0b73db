import { useSyncExternalStore } from 'react';
import styles from './Offline.module.css';

function subscribe(changed: () => void): () => void {
  for (const event of ['online', 'offline']) window.addEventListener(event, changed);
  return () => {
    for (const event of ['online', 'offline']) window.removeEventListener(event, changed);
  };
}

/** Says above the page that there is no network. What is shown stays, and is loaded anew once there is one again. */
export function Offline() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <output className={online ? 'hidden' : styles.offline}>
      {!online && 'No network. What you see may be old; nothing that you typed is lost. It goes on by itself.'}
    </output>
  );
}
