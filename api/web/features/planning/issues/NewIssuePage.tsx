import { issuesPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { ButtonLink } from '../../../ui/Button.js';
import { Form } from '../../../app/forms/Form.js';
import { Card, Page } from '../../../ui/Page.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { LoadingRows } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import type { Person } from '../../../data/session.js';
import { useCreateIssue } from './changes.js';
import type { IssueAttributes } from './changes.js';
import { changedIn, ISSUE_FIELDS, IssueFields, NO_VALUES } from './IssueFields.js';
import { memberQuery, projectQuery } from './queries.js';

/** `/<project>/-/issues/new`: the form of another issue. */
export default function NewIssuePage({ path }: { path: string }) {
  return <SignedIn>{(person) => <NewIssueForm path={path} person={person} />}</SignedIn>;
}

function NewIssueForm({ path, person }: { path: string; person: Person }) {
  const navigate = useNavigate();
  const project = useQuery(projectQuery(path));
  const member = useQuery(memberQuery(path));
  const creation = useCreateIssue(path);
  const error = project.error ?? member.error;
  const retry = () => void Promise.all([project.refetch(), member.refetch()]);
  return (
    <Page
      title="New issue"
      lead={
        <Link to={issuesPath(path)}>
          <UnbrokenText>{`Issues in ${project.data?.nameWithNamespace ?? path}`}</UnbrokenText>
        </Link>
      }
    >
      {error && <LoadError what="Issues" error={error} retry={retry} />}
      {!error && (project.isPending || member.isPending) && <LoadingRows label="Loading form" rows={6} />}
      {project.data && member.isSuccess && (
        <Card>
          <Form
            focusFirst
            submit="Create issue"
            busy={creation.isPending}
            problem={creation.error}
            fields={ISSUE_FIELDS}
            beside={<ButtonLink to={issuesPath(path)}>Cancel</ButtonLink>}
            onSubmit={(values) =>
              creation.mutate({ title: '', ...changedIn(values, NO_VALUES, true) } as IssueAttributes, {
                onSuccess: ({ iid }) =>
                  void navigate(issuesPath(path, iid), { state: { said: `Issue #${iid} created.` } }),
              })
            }
          >
            <IssueFields
              values={NO_VALUES}
              problem={creation.error}
              hides
              project={member.data || person.is_admin ? project.data : null}
              milestone={null}
            />
          </Form>
        </Card>
      )}
    </Page>
  );
}
