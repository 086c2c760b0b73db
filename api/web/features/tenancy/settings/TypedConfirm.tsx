import type { ReactNode } from 'react';
import { useState } from 'react';
import { Button } from '../../../ui/Button.js';
import { Dialog } from '../../../ui/Dialog.js';
import { Field, Form } from '../../../app/forms/Form.js';
import { useLeaving } from '../../../app/dialogs/leave-dialog.js';

interface TypedConfirmProps {
  title: string;
  /** What has to be typed: the path. */
  path: string;
  does: string;
  busy: boolean;
  problem: Error | null;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks for the path of the record to be deleted, as a confirmation. */
export function TypedConfirm({ title, path, does, busy, problem, onConfirm, onClose, children }: TypedConfirmProps) {
  const [wrong, setWrong] = useState(false);
  const { left, leave } = useLeaving({ title, busy, problem, onClose });
  if (left) return null;
  return (
    <Dialog title={title} role="alertdialog" onClose={leave}>
      {children}
      <Form
        focusFirst
        submit={does}
        busy={busy}
        problem={problem}
        fields={[]}
        beside={<Button onClick={leave}>Cancel</Button>}
        onSubmit={(form) => {
          const right = String(form.get('confirm_path') ?? '').trim() === path;
          setWrong(!right);
          if (right) onConfirm();
        }}
      >
        <Field
          label={`Type ${path} to confirm`}
          name="confirm_path"
          autoComplete="off"
          spellCheck={false}
          problem={wrong ? `The text doesn't match ${path}.` : null}
        />
      </Form>
    </Dialog>
  );
}
