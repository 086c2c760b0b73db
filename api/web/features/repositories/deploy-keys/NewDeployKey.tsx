import { Button } from '../../../ui/Button.js';
import { Check } from '../../../ui/Check.js';
import { dayFromNow } from '../../../ui/now.js';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { TextArea } from '../../../ui/TextArea.js';
import { useAddDeployKey } from './queries.js';
import type { DeployKeyAttributes } from './queries.js';

const TITLE = 'deploy_key.title';
const KEY = 'deploy_key.key';
/** The API's error field for a key that already exists or is invalid. */
const DIGEST = 'deploy_key.fingerprint_sha256';

function readAttributes(values: FormData): DeployKeyAttributes {
  const text = (name: string) => String(values.get(name) ?? '').trim();
  const expiresAt = text('expires_at');
  return {
    title: text('title'),
    key: text('key'),
    can_push: values.has('can_push'),
    ...(expiresAt === '' ? {} : { expires_at: expiresAt }),
  };
}

interface NewDeployKeyProps {
  projectId: string;
  onCreate: (title: string) => void;
  onCancel: () => void;
}

/** The form for another key of a project. */
export function NewDeployKey({ projectId, onCreate, onCancel }: NewDeployKeyProps) {
  const { error, isPending, mutate } = useAddDeployKey(projectId);
  return (
    <Form
      focusFirst
      submit="Add deploy key"
      busy={isPending}
      problem={error}
      fields={[TITLE, KEY, DIGEST, 'expires_at']}
      beside={<Button onClick={onCancel}>Cancel</Button>}
      onSubmit={(values) => mutate(readAttributes(values), { onSuccess: ({ title }) => onCreate(title) })}
    >
      <Field
        label="Title"
        name="title"
        hint="What uses it. A key that another project of yours has keeps the title that it has there."
        autoComplete="off"
        maxLength={255}
        problem={fieldProblem(error, TITLE)}
      />
      <TextArea
        label="Public key"
        name="key"
        rows={4}
        hint="One line as ssh-keygen writes it into a file that ends in .pub: ed25519, ECDSA, or RSA from 2048 bits."
        autoComplete="off"
        spellCheck={false}
        problem={fieldProblem(error, KEY) ?? fieldProblem(error, DIGEST)}
      />
      <Field
        label="Ends on"
        name="expires_at"
        type="date"
        hint="Refused from the beginning of this day on, UTC. Empty is without end."
        min={dayFromNow(1)}
        short
        problem={fieldProblem(error, 'expires_at')}
      />
      <Check
        label="May push"
        name="can_push"
        hint="Else it only reads. Rules over branches and tags take keys that may push."
      />
    </Form>
  );
}
