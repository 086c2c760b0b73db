import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import type { DialogBoxProps } from './DialogBox.js';
import styles from './DialogBox.module.css';

/** The box itself, with what keeps the focus in it: more than all else of most pages, so it comes after them. */
export default function AriaDialog({ title, role = 'dialog', onClose, children }: DialogBoxProps) {
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
