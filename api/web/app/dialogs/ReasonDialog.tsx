import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.js';
import { Dialog } from '../../ui/Dialog.js';
import { Field, fieldProblem, Form } from '../forms/Form.js';
import { useLeaving } from './leave-dialog.js';

interface ReasonDialogProps {
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** The label of the confirm button. */
  does: string;
  hint: string;
  maxLength: number;
  busy: boolean;
  problem: Error | null;
  onDo: (reason: string) => void;
  onClose: () => void;
}

/** Asks for the reason of an action, for later reference. It is optional. */
export function ReasonDialog({
  title,
  children,
  does,
  hint,
  maxLength,
  busy,
  problem,
  onDo,
  onClose,
}: ReasonDialogProps) {
  const { left, leave } = useLeaving({ title, busy, problem, onClose });
  if (left) return null;
  return (
    <Dialog title={title} onClose={leave}>
      {children}
      <Form
        focusFirst
        submit={does}
        busy={busy}
        problem={problem}
        fields={['reason']}
        beside={<Button onClick={leave}>Cancel</Button>}
        onSubmit={(values) => onDo(String(values.get('reason') ?? '').trim())}
      >
        <Field
          label="Reason"
          name="reason"
          hint={hint}
          maxLength={maxLength}
          autoComplete="off"
          problem={fieldProblem(problem, 'reason')}
        />
      </Form>
    </Dialog>
  );
}
