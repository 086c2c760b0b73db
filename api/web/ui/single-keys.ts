import { useSyncExternalStore } from 'react';

const KEY = 'shortcuts';
const OFF = 'off';
const listeners = new Set<() => void>();

function read(): boolean {
  try {
    return localStorage.getItem(KEY) !== OFF;
  } catch {
    // Storage may be closed to pages.
    return true;
  }
}

let on = read();

/** Whether single keys are shortcuts: who speaks to the browser, or hits keys by chance, can switch them off. */
export const singleKeysOn = (): boolean => on;

export function switchSingleKeys(enabled: boolean): void {
  on = enabled;
  try {
    if (enabled) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, OFF);
  } catch {
    // The choice then holds until the next load.
  }
  for (const changed of listeners) changed();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, singleKeysOn);
