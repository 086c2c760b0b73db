import { useEffect, useState } from 'react';

/*
 * What keeps the page from changing under the user's hands: an open dialog, or text typed into a row that may disappear.
 */

const holds = new Set<object>();
const listeners = new Set<(held: boolean) => void>();

function publish(): void {
  for (const listener of listeners) listener(holds.size > 0);
}

/** Calls `listener` when the first hold begins and the last one ends. */
export function onHold(listener: (held: boolean) => void): void {
  listeners.add(listener);
}

/** Keeps the page unchanged while the component is mounted and `held`; changes are shown afterwards. */
export function useHold(held = true): void {
  const [hold] = useState({});
  useEffect(() => {
    if (!held) return undefined;
    holds.add(hold);
    publish();
    return () => {
      holds.delete(hold);
      publish();
    };
  }, [held, hold]);
}
