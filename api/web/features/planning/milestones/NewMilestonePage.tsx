import { milestonesPath, recordPath } from '../../../app/routing/paths.js';
import { Link, useNavigate } from 'react-router';
import type { Container } from '../../../data/containers.js';
import { ButtonLink } from '../../../ui/Button.js';
import { changedTexts } from '../../../app/forms/changed-texts.js';
import { Form } from '../../../app/forms/Form.js';
import { Card, Page } from '../../../ui/Page.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import { useCreateMilestone } from './changes.js';
import type { NewMilestone } from './changes.js';
import { MILESTONE_FIELDS, MilestoneFields, NO_VALUES, getSaid } from './MilestoneFields.js';

/** `…/-/milestones/new`: the form of another milestone. */
export default function NewMilestonePage({ of }: { of: Container }) {
  return <SignedIn>{() => <NewMilestoneForm of={of} />}</SignedIn>;
}

function NewMilestoneForm({ of }: { of: Container }) {
  const navigate = useNavigate();
  const creation = useCreateMilestone(of);
  return (
    <Page
      title="New milestone"
      lead={
        <Link to={milestonesPath(of)}>
          <UnbrokenText>{`Milestones in ${of.path}`}</UnbrokenText>
        </Link>
      }
    >
      <Card>
        <Form
          focusFirst
          submit="Create milestone"
          busy={creation.isPending}
          problem={creation.error}
          fields={MILESTONE_FIELDS}
          beside={<ButtonLink to={milestonesPath(of)}>Cancel</ButtonLink>}
          onSubmit={(values) =>
            creation.mutate({ title: '', ...getSaid(changedTexts(values, NO_VALUES)) } as NewMilestone, {
              onSuccess: ({ title, web_url: url }) =>
                void navigate(recordPath(url), { state: { said: `Milestone “${title}” created.` } }),
            })
          }
        >
          <MilestoneFields values={NO_VALUES} problem={creation.error} />
        </Form>
      </Card>
    </Page>
  );
}
