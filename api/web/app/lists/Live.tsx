import { Pause, Play } from 'lucide-react';
import { Button } from '../../ui/Button.js';
import { Fresh } from './Fresh.js';
import styles from './Live.module.css';
import { byServer } from '../../ui/now.js';
import { Time } from '../../ui/Time.js';

interface LiveProps {
  /** When it was last refreshed by this browser's clock, in milliseconds since 1970; 0 before the first time. */
  at: number;
  everyMs: number;
  /** Whether the newest refresh failed. */
  failed: boolean;
  /** Why it is not refreshed now; null while it is. */
  paused: string | null;
  /** Toggles live updates, if the user may. */
  onToggle: () => void;
  stopped: boolean;
}

/** Whether a page follows what happens, when it was last refreshed, and how to stop that. */
export function Live({ at, everyMs, failed, paused, onToggle, stopped }: LiveProps) {
  const Icon = stopped ? Play : Pause;
  return (
    <div className={styles.live}>
      {at > 0 && (
        <span>
          {paused === null ? (
            <Fresh at={at} everyMs={everyMs} failed={failed} />
          ) : (
            <>
              {paused}, last updated <Time at={new Date(byServer(at)).toISOString()} />
            </>
          )}
        </span>
      )}
      <Button kind="quiet" onClick={onToggle}>
        <Icon size={14} aria-hidden /> {stopped ? 'Resume updates' : 'Pause updates'}
      </Button>
    </div>
  );
}
