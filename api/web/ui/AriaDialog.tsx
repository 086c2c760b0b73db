import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import type { DialogProps } from './Dialog.js';
import styles from './Dialog.module.css';

/** The dialog itself, with what keeps the focus in it: more than all else of most pages, so it comes after them. */
export default function AriaDialog({ title, role = 'dialog', onClose, children }: DialogProps) {
  return (
    <ModalOverlay
      className={styles.veil}
      isOpen
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(open) => !open && onClose?.()}
    >
      <Modal className={styles.modal}>
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
