import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.js';
import { DialogActions, Dialog } from '../../ui/Dialog.js';
import { useLeaving } from './leave-dialog.js';
import { Problem } from '../problems/Problem.js';

interface ConfirmProps {
  title: string;
  children: ReactNode;
  /** The label of the confirm button. */
  does: string;
  danger?: boolean;
  busy: boolean;
  problem: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation before an irreversible action. */
export function Confirm({ title, children, does, danger = false, busy, problem, onConfirm, onClose }: ConfirmProps) {
  const { left, leave } = useLeaving({ title, busy, problem, onClose });
  if (left) return null;
  return (
    <Dialog title={title} role="alertdialog" onClose={leave}>
      {problem && <Problem error={problem} />}
      {children}
      <DialogActions>
        {/* First in the order of Tab, so that haste harms nothing. */}
        <Button onClick={leave}>Cancel</Button>
        <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
          {does}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
