import type { ReactNode } from 'react';
import { useHold } from './hold.js';
import styles from './Dialog.module.css';
import { later } from './later.js';

export interface DialogProps {
  title: string;
  /** `alertdialog` for what interrupts and wants an answer. */
  role?: 'dialog' | 'alertdialog';
  /** Without it the dialog stays until what it asks for is done. */
  onClose?: () => void;
  children: ReactNode;
}

const load = () => import('./AriaDialog.js');
const AriaDialog = later(load);

/** What draws dialogs, so that one opens at once, and without a network too. What fails is tried again then. */
const prepare = () => void load().catch(() => undefined);

/** Once somebody does something, and for who only reads after a while: it is no part of the first view. */
const AFTER_MS = 5_000;
setTimeout(prepare, AFTER_MS);
for (const begin of ['pointerdown', 'keydown']) window.addEventListener(begin, prepare, { once: true, capture: true });

/**
 * A dialog above the page that keeps the focus until it is closed, by Escape too. The focus returns to where it was. The
 * page stays as it is meanwhile: what the dialog is about does not go.
 */
export function Dialog(props: DialogProps) {
  useHold();
  return <AriaDialog {...props} />;
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
