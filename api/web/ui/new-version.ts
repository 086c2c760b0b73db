import { useSyncExternalStore } from 'react';

/*
 * Whether the service was upgraded since these pages were loaded: then parts that were not yet loaded are gone, and what
 * the pages know of the API is old.
 */

let found = false;
const listeners = new Set<() => void>();

function notifyListeners(): void {
  found = true;
  for (const each of listeners) each();
}

function subscribe(each: () => void): () => void {
  listeners.add(each);
  return () => listeners.delete(each);
}

/** Whether there is a newer version than the one that this page is of. */
export const useNewVersion = (): boolean => useSyncExternalStore(subscribe, () => found);

let running: string | null = null;

/** Learns what runs here; another one than before is a newer version. */
export function noteService(version: string): void {
  running ??= version;
  if (running !== version) notifyListeners();
}

/** The script that this page began with; its name is of its content. */
const ownScript = (): string | null =>
  document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null;

/**
 * Looks whether the service hands out another script than this page's where the page is.
 * @returns null where that is not known, for there was no answer
 */
export async function checkForNewVersion(): Promise<boolean | null> {
  if (found) return true;
  const own = ownScript();
  const answer = await fetch(location.pathname, { headers: { Accept: 'text/html' }, cache: 'no-store' }).catch(
    () => null,
  );
  if (own === null || !answer?.ok) return null;
  const isNew = !(await answer.text()).includes(own);
  if (isNew) notifyListeners();
  return isNew;
}
