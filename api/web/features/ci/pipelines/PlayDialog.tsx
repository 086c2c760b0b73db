import { useState } from 'react';
import { Field, Form } from '../../../app/forms/Form.js';
import { useLeaving } from '../../../app/dialogs/leave-dialog.js';
import { Button } from '../../../ui/Button.js';
import { Dialog } from '../../../ui/Dialog.js';
import styles from './Jobs.module.css';

interface PlayDialogProps {
  name: string;
  busy: boolean;
  problem: Error | null;
  onPlay: (variables: { key: string; value: string }[]) => void;
  onClose: () => void;
}

/** Starts a manual job with variables of its own. */
export function PlayDialog({ name, busy, problem, onPlay, onClose }: PlayDialogProps) {
  const title = `Start ${name} with variables`;
  const [rows, setRows] = useState(1);
  const { left, leave } = useLeaving({ title, busy, problem, onClose });
  if (left) return null;
  return (
    <Dialog title={title} onClose={leave}>
      <p>The variables are for this run of the job alone. They come before all others of the same key.</p>
      <Form
        focusFirst
        submit="Start job"
        busy={busy}
        problem={problem}
        fields={[]}
        beside={<Button onClick={leave}>Cancel</Button>}
        onSubmit={(values) => {
          const [keys, texts] = [values.getAll('key'), values.getAll('value')];
          onPlay(
            keys
              .map((key, index) => ({ key: String(key).trim(), value: String(texts[index] ?? '') }))
              .filter(({ key }) => key !== ''),
          );
        }}
      >
        <div className={styles.pairs}>
          {Array.from({ length: rows }, (_none, index) => (
            <div key={index} className={styles.pair}>
              <Field label={`Key ${index + 1}`} name="key" autoComplete="off" spellCheck={false} maxLength={255} />
              <Field label={`Value ${index + 1}`} name="value" autoComplete="off" spellCheck={false} />
            </div>
          ))}
        </div>
        <div>
          <Button onClick={() => setRows(rows + 1)}>Add variable</Button>
        </div>
      </Form>
    </Dialog>
  );
}
