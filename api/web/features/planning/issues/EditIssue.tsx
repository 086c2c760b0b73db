import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../ui/Button.js';
import { Form } from '../../../app/forms/Form.js';
import { Card, Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { passedOver } from '../../../data/people-by-name.js';
import { useEditIssue } from './changes.js';
import { changedIn, ISSUE_FIELDS, IssueFields } from './IssueFields.js';
import type { IssueValues } from './IssueFields.js';
import { projectQuery } from './queries.js';
import type { IssueDetails } from './queries.js';

const getValues = (issue: IssueDetails): IssueValues => ({
  title: issue.title,
  description: issue.description ?? '',
  labels: issue.labels.join(', '),
  assignees: issue.assignees.map(({ username }) => username).join(', '),
  milestone_id: issue.milestone ? String(issue.milestone.id) : '',
  due_date: issue.due_date ?? '',
  weight: issue.weight === null ? '' : String(issue.weight),
  issue_type: issue.issue_type,
  severity: issue.severity.toLowerCase(),
  confidential: issue.confidential,
});

interface EditIssueProps {
  path: string;
  issue: IssueDetails;
  onDone: (said: string) => void;
}

/** The form that changes an issue; labels, assignees, dates and similar fields only for users who may set them. */
export function EditIssue({ path, issue, onDone }: EditIssueProps) {
  const project = useQuery(projectQuery(path));
  const change = useEditIssue(path, issue.iid, issue.assignees);
  const before = getValues(issue);
  const mayPlan = issue.extras.userPermissions.setIssueMetadata;
  return (
    <Section title="Edit issue">
      {project.error && <Problem error={project.error} retry={() => void project.refetch()} />}
      {project.isPending && <LoadingRows label="Loading form" rows={6} />}
      {project.data && (
        <Card>
          <Form
            focusFirst
            submit="Save"
            busy={change.isPending}
            problem={change.error}
            fields={ISSUE_FIELDS}
            beside={<Button onClick={() => onDone('No changes.')}>Cancel</Button>}
            onSubmit={(values) => {
              const changes = changedIn(values, before, mayPlan);
              if (Object.keys(changes).length === 0) return onDone('No changes.');
              change.mutate(changes, {
                onSuccess: ({ assignees }) =>
                  onDone(`Saved.${passedOver('Not assigned', changes.assignees, assignees)}`),
              });
            }}
          >
            <IssueFields
              values={before}
              problem={change.error}
              hides={mayPlan}
              project={mayPlan ? project.data : null}
              milestone={issue.milestone}
            />
          </Form>
        </Card>
      )}
    </Section>
  );
}
