import { useHold } from '../../../ui/hold.js';
import { Button } from '../../../ui/Button.js';
import { changedTexts } from '../../../app/forms/changed-texts.js';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { LabelsField, listed } from '../../../app/forms/LabelsField.js';
import { Card, Section } from '../../../ui/Page.js';
import { TextArea } from '../../../ui/TextArea.js';
import { passedOver } from '../../../data/people-by-name.js';
import { useEditRequest } from './changes.js';
import type { MergeRequestAttributes } from './changes.js';
import type { MergeRequestDetails } from './queries.js';

/** Fields that show their own problems. */
const FIELDS = ['title', 'description', 'target_branch', 'labels', 'assignees', 'reviewers'];

const getNames = (people: readonly { username: string }[]) => people.map(({ username }) => username).join(', ');

const getValues = (request: MergeRequestDetails) => ({
  title: request.title,
  description: request.description ?? '',
  target_branch: request.target_branch,
  labels: (request.extras.labels?.nodes ?? []).map(({ title }) => title).join(', '),
  assignees: getNames(request.assignees),
  reviewers: getNames(request.reviewers),
});

/** Converts each field to the API's format. */
const SAID: { [name in keyof ReturnType<typeof getValues>]: (text: string) => MergeRequestAttributes } = {
  title: (title) => ({ title }),
  description: (description) => ({ description }),
  target_branch: (branch) => ({ target_branch: branch }),
  labels: (titles) => ({ labels: listed(titles) }),
  assignees: (names) => ({ assignees: listed(names) }),
  reviewers: (names) => ({ reviewers: listed(names) }),
};

/** The form values that differ from the previous ones. */
function changedIn(values: FormData, request: MergeRequestDetails): MergeRequestAttributes {
  const changed: MergeRequestAttributes = {};
  for (const [name, now] of Object.entries(changedTexts(values, getValues(request))))
    Object.assign(changed, SAID[name as keyof typeof SAID](now));
  return changed;
}

interface EditRequestProps {
  path: string;
  request: MergeRequestDetails;
  onDone: (said: string) => void;
}

/** The form that changes a merge request's content and its target branch. */
export function EditRequest({ path, request, onDone }: EditRequestProps) {
  useHold();
  const change = useEditRequest(path, request.iid, [...request.assignees, ...request.reviewers]);
  const before = getValues(request);
  const at = (name: string) => fieldProblem(change.error, name);
  return (
    <Section title="Edit merge request">
      <Card>
        <Form
          focusFirst
          submit="Save"
          busy={change.isPending}
          problem={change.error}
          fields={FIELDS}
          beside={<Button onClick={() => onDone('No changes.')}>Cancel</Button>}
          onSubmit={(values) => {
            const changes = changedIn(values, request);
            if (Object.keys(changes).length === 0) return onDone('No changes.');
            change.mutate(changes, {
              onSuccess: ({ assignees, reviewers }) =>
                onDone(
                  `Saved.${passedOver('Not assigned', changes.assignees, assignees)}${passedOver('Not added as reviewers', changes.reviewers, reviewers)}`,
                ),
            });
          }}
        >
          <Field
            label="Title"
            name="title"
            hint="Start with Draft: to mark as a draft."
            defaultValue={before.title}
            autoComplete="off"
            problem={at('title')}
          />
          <TextArea
            label="Description"
            name="description"
            hint="Supports Markdown. Use - [ ] for tasks."
            defaultValue={before.description}
            rows={10}
            problem={at('description')}
          />
          {request.state === 'opened' && (
            <Field
              label="Target branch"
              name="target_branch"
              defaultValue={before.target_branch}
              autoComplete="off"
              problem={at('target_branch')}
            />
          )}
          {request.extras.userPermissions.setMergeRequestMetadata && <Planning values={before} at={at} />}
        </Form>
      </Card>
    </Section>
  );
}

interface PlanningProps {
  values: ReturnType<typeof getValues>;
  at: (name: string) => string | null;
}

/** Who works on it, who looks at it, and its labels: for Reporters and above. */
function Planning({ values, at }: PlanningProps) {
  const people = [
    { label: 'Assignees', name: 'assignees' },
    { label: 'Reviewers', name: 'reviewers' },
  ] as const;
  return (
    <>
      {people.map(({ label, name }) => (
        <Field
          key={name}
          label={label}
          name={name}
          hint="Usernames, separated by commas."
          defaultValue={values[name]}
          autoComplete="off"
          problem={at(name)}
        />
      ))}
      <LabelsField titles={values.labels} problem={at('labels')} />
    </>
  );
}
