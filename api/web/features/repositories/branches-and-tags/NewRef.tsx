import { atField } from '../../../data/problem.js';
import { ButtonLink } from '../../../ui/Button.js';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { TextArea } from '../../../ui/TextArea.js';
import { useCreateRef } from './queries.js';

const ABOUT = [
  [/^(?:Branch|Tag) (?:name|already|.* already)/, 'name'],
  [/^(?:Invalid reference|Target|invalid reference)/i, 'ref'],
] as const;

interface NewRefProps {
  path: string;
  kind: 'branch' | 'tag';
  /** Default name, for refs that another page creates. */
  name: string;
  /** Default start point. */
  from: string;
  onDone: (said: string) => void;
}

/** The form for another branch or tag. */
export function NewRef({ path, kind, name, from, onDone }: NewRefProps) {
  const creation = useCreateRef(path, kind);
  const error = atField(creation.error, ABOUT);
  return (
    <Form
      focusFirst
      submit={`Create ${kind}`}
      busy={creation.isPending}
      problem={error}
      fields={['name', 'ref']}
      beside={<ButtonLink to="?">Cancel</ButtonLink>}
      onSubmit={(values) => {
        const text = (field: string) => String(values.get(field) ?? '').trim();
        const attributes = { name: text('name'), ref: text('ref'), message: text('message') };
        creation.mutate(attributes, {
          onSuccess: () => onDone(`${kind === 'tag' ? 'Tag' : 'Branch'} “${attributes.name}” was created.`),
        });
      }}
    >
      <Field
        label="Name"
        name="name"
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        defaultValue={name}
        problem={fieldProblem(error, 'name')}
      />
      <Field
        label="Create from"
        name="ref"
        hint="Branch, tag or commit SHA."
        autoComplete="off"
        spellCheck={false}
        defaultValue={from}
        problem={fieldProblem(error, 'ref')}
      />
      {kind === 'tag' && <TextArea label="Message" name="message" hint="Optional." rows={3} />}
    </Form>
  );
}
