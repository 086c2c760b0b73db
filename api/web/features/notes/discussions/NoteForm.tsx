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
  /** For a form that the user has just opened. */
  focusFirst?: boolean;
  children?: React.ReactNode;
}

/** The form for the text of a comment, in Markdown. */
export function NoteForm({ label, submit, body, hint, busy, problem, onSubmit, onCancel, ...more }: NoteFormProps) {
  // Another user's change may remove the row together with the unsaved text.
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
        // Text that is typed during submission would be lost with the form.
        readOnly={busy}
        {...(hint ? { hint } : {})}
        problem={fieldProblem(problem, 'body')}
      />
      {more.children}
    </Form>
  );
}
