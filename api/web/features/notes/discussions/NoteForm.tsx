import { useHold } from '../../../ui/hold.js';
import { Button } from '../../../ui/Button.js';
import { fieldProblem, Form } from '../../../app/forms/Form.js';
import { TextArea } from '../../../ui/TextArea.js';

interface NoteFormProps {
  label: string;
  submit: string;
  body?: string;
  hint?: string;
  busy: boolean;
  problem: Error | null;
  onSubmit: (body: string, values: FormData) => void;
  onCancel?: () => void;
  /** For a form that somebody just asked for. */
  focusFirst?: boolean;
  children?: React.ReactNode;
}

/** What somebody says, as Markdown. */
export function NoteForm({ label, submit, body, hint, busy, problem, onSubmit, onCancel, ...more }: NoteFormProps) {
  // In a row that somebody else's change may take away, with what is typed.
  useHold(onCancel !== undefined);
  return (
    <Form
      focusFirst={more.focusFirst ?? false}
      submit={submit}
      busy={busy}
      problem={problem}
      fields={['body']}
      onSubmit={(values) => onSubmit(String(values.get('body') ?? ''), values)}
      beside={onCancel && <Button onClick={onCancel}>Cancel</Button>}
    >
      <TextArea
        label={label}
        name="body"
        rows={4}
        defaultValue={body}
        // What is typed while it is sent would be lost with the form.
        readOnly={busy}
        {...(hint ? { hint } : {})}
        problem={fieldProblem(problem, 'body')}
      />
      {more.children}
    </Form>
  );
}
