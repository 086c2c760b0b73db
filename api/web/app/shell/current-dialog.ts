/*
 * The dialog that is open above the page, among those available on every page, by its keyboard shortcut. Any button can
 * open one too.
 */

/** Go to or search, the calls behind the page, the shortcuts. */
export type DialogKey = 'k' | '/' | 'c' | '?';

let opened: DialogKey | null = null;
const listeners = new Set<() => void>();

export const currentDialog = (): DialogKey | null => opened;

/** Opens a dialog, or closes the one that is open. */
export function openDialog(key: DialogKey | null): void {
  opened = key;
  for (const listener of listeners) listener();
}

export function onDialogChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
