import { ButtonLink } from '../../../ui/Button.js';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';

interface BoardNameProps {
  name?: string;
  submit: string;
  busy: boolean;
  problem: Error | null;
  onSubmit: (name: string) => void;
}

/** The form that names a board, a new one or one that is there. */
export function BoardName({ name, submit, busy, problem, onSubmit }: BoardNameProps) {
  return (
    <Form
      focusFirst
      submit={submit}
      busy={busy}
      problem={problem}
      fields={['name']}
      beside={<ButtonLink to="?">Cancel</ButtonLink>}
      onSubmit={(values) => onSubmit(String(values.get('name') ?? '').trim())}
    >
      <Field
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={255}
        defaultValue={name}
        problem={fieldProblem(problem, 'name')}
      />
    </Form>
  );
}
