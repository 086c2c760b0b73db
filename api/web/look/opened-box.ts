/*
 * Which box stands above the page, of those that are the same on every page, by the key that opens it. A button anywhere
 * opens one too.
 */

/** Go to or search, the calls behind the page, the shortcuts. */
export type BoxKey = 'k' | '/' | 'c' | '?';

let opened: BoxKey | null = null;
const told = new Set<() => void>();

export const openedBox = (): BoxKey | null => opened;

/** Opens a box, or closes the one that is open. */
export function openBox(key: BoxKey | null): void {
  opened = key;
  for (const tell of told) tell();
}

export function onOpenedBox(tell: () => void): () => void {
  told.add(tell);
  return () => told.delete(tell);
}
