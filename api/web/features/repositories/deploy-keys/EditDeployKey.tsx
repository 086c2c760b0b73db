import type { DeployKey } from '../../../data/api.js';
import { Button } from '../../../ui/Button.js';
import { Check } from '../../../ui/Check.js';
import { Dialog } from '../../../ui/Dialog.js';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { useEditDeployKey } from './queries.js';

const TITLE = 'deploy_key.title';

interface EditDeployKeyProps {
  projectId: string;
  deployKey: DeployKey;
  onClose: () => void;
  onDone: (message: string) => void;
}

/** The title of a key, and whether it may push to this project. */
export function EditDeployKey({ projectId, deployKey, onClose, onDone }: EditDeployKeyProps) {
  const { error, isPending, mutate } = useEditDeployKey(projectId, deployKey.id);
  return (
    <Dialog title={`Edit “${deployKey.title}”`} onClose={onClose}>
      <Form
        focusFirst
        submit="Save"
        busy={isPending}
        problem={error}
        fields={[TITLE]}
        beside={<Button onClick={onClose}>Cancel</Button>}
        onSubmit={(values) =>
          mutate(
            { title: String(values.get('title') ?? '').trim(), can_push: values.has('can_push') },
            { onSuccess: ({ title }) => onDone(`Deploy key “${title}” saved.`) },
          )
        }
      >
        <Field
          label="Title"
          name="title"
          hint="Only administrators can change the title of a key that several projects use."
          autoComplete="off"
          maxLength={255}
          defaultValue={deployKey.title}
          problem={fieldProblem(error, TITLE)}
        />
        <Check
          label="Grant write permissions to this key"
          name="can_push"
          hint="Applies to this project only."
          on={deployKey.can_push}
        />
      </Form>
    </Dialog>
  );
}
