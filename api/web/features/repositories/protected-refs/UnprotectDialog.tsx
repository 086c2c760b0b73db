import { Confirm } from '../../../app/dialogs/Confirm.js';

interface UnprotectDialogProps {
  name: string;
  /** The kind of the name: "branch". */
  noun: string;
  unprotection: {
    isPending: boolean;
    error: Error | null;
    mutate: (name: string, options: { onSuccess: () => void }) => void;
  };
  onClose: () => void;
  onDone: () => void;
}

/** Asks for confirmation before a rule is deleted. */
export function UnprotectDialog({ name, noun, unprotection, onClose, onDone }: UnprotectDialogProps) {
  return (
    <Confirm
      title={`Unprotect “${name}”?`}
      does="Unprotect"
      danger
      busy={unprotection.isPending}
      problem={unprotection.error}
      onConfirm={() => unprotection.mutate(name, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>Where no other rule holds, Developers may then do with such a {noun} what they may do with any.</p>
    </Confirm>
  );
}
