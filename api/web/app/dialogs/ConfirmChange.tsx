import type { ReactNode } from 'react';
import { Confirm } from './Confirm.js';

interface ConfirmChangeProps<In, Out> {
  title: string;
  /** The label of the confirm button. */
  does: string;
  danger?: boolean;
  change: {
    isPending: boolean;
    error: Error | null;
    mutate: (variables: In, then: { onSuccess: (data: Out) => void }) => void;
  };
  /** What the change is called with. */
  variables: In;
  onDone: (data: Out) => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks for confirmation before a change, runs it, and displays its error. */
export function ConfirmChange<In, Out>({
  change,
  variables,
  onDone,
  danger = true,
  ...dialog
}: ConfirmChangeProps<In, Out>) {
  return (
    <Confirm
      {...dialog}
      danger={danger}
      busy={change.isPending}
      problem={change.error}
      onConfirm={() => change.mutate(variables, { onSuccess: onDone })}
    />
  );
}
