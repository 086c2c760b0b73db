import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './Button.js';
import styles from './Confirm.module.css';
import { Problem } from './Problem.js';

interface ConfirmProps {
  title: string;
  children: ReactNode;
  /** What the button that does it says. */
  does: string;
  danger?: boolean;
  busy: boolean;
  problem: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is done that cannot be undone. The focus returns to where it was. */
export function Confirm({ title, children, does, danger = false, busy, problem, onConfirm, onClose }: ConfirmProps) {
  return (
    <ModalOverlay className={styles.veil} isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className={styles.box}>
        <Dialog role="alertdialog" className={styles.dialog}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {problem && <Problem error={problem} />}
          {children}
          <div className={styles.actions}>
            {/* First in the order of Tab, so that haste harms nothing. */}
            <Button onClick={onClose}>Cancel</Button>
            <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
              {does}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
