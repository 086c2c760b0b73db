import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import styles from './DialogBox.module.css';

interface DialogBoxProps {
  title: string;
  /** `alertdialog` for what interrupts and wants an answer. */
  role?: 'dialog' | 'alertdialog';
  /** Without it the box stays until what it asks for is done. */
  onClose?: () => void;
  children: ReactNode;
}

/** A box above the page that keeps the focus until it is closed, by Escape too. The focus returns to where it was. */
export function DialogBox({ title, role = 'dialog', onClose, children }: DialogBoxProps) {
  return (
    <ModalOverlay
      className={styles.veil}
      isOpen
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(open) => !open && onClose?.()}
    >
      <Modal className={styles.box}>
        <Dialog role={role} className={styles.dialog}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons at the end of a box. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
