import { useSyncExternalStore } from 'react';
import { liveState, onLiveState } from '../../data/live.js';
import { byServer, useNow } from '../../ui/now.js';
import { State } from '../../ui/State.js';
import { Time } from '../../ui/Time.js';

/** A poll that came this many times later than it should have makes a page stale. */
const LATE = 3;

interface FreshProps {
  /** The time of the last check by this browser's clock, in milliseconds since 1970. */
  at: number;
  /** The polling interval while the page receives no changes. */
  everyMs: number;
  /** Whether the newest poll failed. */
  failed: boolean;
}

/** The time of the last update of a live list, and that it is stale if updates fail. */
export function Fresh({ at, everyMs, failed }: FreshProps) {
  const now = useNow();
  const { live } = useSyncExternalStore(onLiveState, liveState);
  const serverTime = byServer(at);
  const looked = <Time at={new Date(serverTime).toISOString()} />;
  if (live && !failed) return <>Live, last updated {looked}</>;
  if (failed || now - serverTime > LATE * everyMs) return <State tone="warn">stale: last updated {looked}</State>;
  return <>Updated {looked}, refreshes automatically</>;
}
