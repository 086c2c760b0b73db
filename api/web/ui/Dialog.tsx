import type { ReactNode } from 'react';
import { useHold } from './hold.js';
import styles from './Dialog.module.css';
import { later } from './later.js';

export interface DialogProps {
  title: string;
  /** `alertdialog` for interruptions that need an answer. */
  role?: 'dialog' | 'alertdialog';
  /** Without it the dialog stays open until its action is complete. */
  onClose?: () => void;
  children: ReactNode;
}

const load = () => import('./AriaDialog.js');
const AriaDialog = later(load);

/** What draws dialogs, so that one opens at once, and without a network too. What fails is tried again then. */
const prepare = () => void load().catch(() => undefined);

/** Loaded on the first interaction, or after this time without one: it is not part of the first view. */
const AFTER_MS = 5_000;
setTimeout(prepare, AFTER_MS);
for (const begin of ['pointerdown', 'keydown']) window.addEventListener(begin, prepare, { once: true, capture: true });

/**
 * A dialog above the page that holds the focus until it is closed, also by Escape. The focus then returns to its
 * previous element. The page is frozen meanwhile, so that the dialog's subject does not disappear.
 */
export function Dialog(props: DialogProps) {
  useHold();
  return <AriaDialog {...props} />;
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
