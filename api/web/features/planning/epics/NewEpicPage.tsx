import { epicsPath } from '../../../app/routing/paths.js';
import { Link, useNavigate } from 'react-router';
import { ButtonLink } from '../../../ui/Button.js';
import { changedTexts } from '../../../app/forms/changed-texts.js';
import { Form } from '../../../app/forms/Form.js';
import { Card, Page } from '../../../ui/Page.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import { useCreateEpic } from './changes.js';
import { EPIC_FIELDS, EpicFields, NO_VALUES, getSaid } from './EpicFields.js';

/** `/groups/<group>/-/epics/new`: the form of another epic. */
export default function NewEpicPage({ path }: { path: string }) {
  return <SignedIn>{() => <NewEpicForm path={path} />}</SignedIn>;
}

function NewEpicForm({ path }: { path: string }) {
  const navigate = useNavigate();
  const creation = useCreateEpic(path);
  return (
    <Page
      title="New epic"
      lead={
        <Link to={epicsPath(path)}>
          <UnbrokenText>{`Epics in ${path}`}</UnbrokenText>
        </Link>
      }
    >
      <Card>
        <Form
          focusFirst
          submit="Create epic"
          busy={creation.isPending}
          problem={creation.error}
          fields={EPIC_FIELDS}
          beside={<ButtonLink to={epicsPath(path)}>Cancel</ButtonLink>}
          onSubmit={(values) =>
            creation.mutate(
              { title: '', ...getSaid(changedTexts(values, NO_VALUES)) },
              {
                onSuccess: ({ iid }) =>
                  void navigate(epicsPath(path, iid), { state: { said: `Epic &${iid} created.` } }),
              },
            )
          }
        >
          <EpicFields path={path} epic={null} values={NO_VALUES} problem={creation.error} />
        </Form>
      </Card>
    </Page>
  );
}
