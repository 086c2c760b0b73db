import type { MergeRequestEdit } from '../client/api.js';
import { Button } from '../look/Button.js';
import { Field, fieldProblem, Form } from '../look/Form.js';
import { Card, Section } from '../look/Page.js';
import { TextArea } from '../look/TextArea.js';
import { useEditRequest } from './changes.js';
import type { ShownRequest } from './queries.js';

/** Fields that show their own problems. */
const FIELDS = ['title', 'description', 'target_branch'];

/** What the form says that differs from what was there: no one else's change is undone. */
function changedIn(values: FormData, request: ShownRequest): MergeRequestEdit {
  const text = (name: string) => String(values.get(name) ?? '');
  const title = text('title').trim();
  // Browsers send the ends of lines as two characters.
  const description = text('description').replaceAll('\r\n', '\n');
  const target = values.get('target_branch') === null ? request.target_branch : text('target_branch').trim();
  return {
    ...(title === request.title ? {} : { title }),
    ...(description === (request.description ?? '') ? {} : { description }),
    ...(target === request.target_branch ? {} : { target_branch: target }),
  };
}

interface EditRequestProps {
  path: string;
  request: ShownRequest;
  onDone: (said: string) => void;
}

/** The form that changes what a merge request says, and into which branch it goes. */
export function EditRequest({ path, request, onDone }: EditRequestProps) {
  const change = useEditRequest(path, request.iid);
  const at = (name: string) => fieldProblem(change.error, name);
  return (
    <Section title="Edit the merge request">
      <Card>
        <Form
          focusFirst
          submit="Save"
          busy={change.isPending}
          problem={change.error}
          fields={FIELDS}
          beside={<Button onClick={() => onDone('Nothing was changed.')}>Cancel</Button>}
          onSubmit={(values) => {
            const wanted = changedIn(values, request);
            if (Object.keys(wanted).length === 0) return onDone('Nothing was changed.');
            change.mutate(wanted, { onSuccess: () => onDone('Saved.') });
          }}
        >
          <Field
            label="Title"
            name="title"
            hint="Draft: … for what is not ready."
            defaultValue={request.title}
            autoComplete="off"
            problem={at('title')}
          />
          <TextArea
            label="Description"
            name="description"
            hint="Markdown. Lines such as - [ ] are tasks."
            defaultValue={request.description ?? ''}
            rows={10}
            problem={at('description')}
          />
          {request.state === 'opened' && (
            <Field
              label="Target branch"
              name="target_branch"
              defaultValue={request.target_branch}
              autoComplete="off"
              problem={at('target_branch')}
            />
          )}
        </Form>
      </Card>
    </Section>
  );
}
