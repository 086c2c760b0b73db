/*
 * Which box stands above the page, of those that are the same on every page, by the key that opens it. A button anywhere
 * opens one too.
 */

/** Go to or search, the calls behind the page, the shortcuts. */
export type BoxKey = 'k' | '/' | 'c' | '?';

let opened: BoxKey | null = null;
const listeners = new Set<() => void>();

export const openedBox = (): BoxKey | null => opened;

/** Opens a box, or closes the one that is open. */
export function openBox(key: BoxKey | null): void {
  opened = key;
  for (const listener of listeners) listener();
}

export function onOpenedBox(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
