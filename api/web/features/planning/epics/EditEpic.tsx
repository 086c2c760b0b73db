import { epicsPath } from '../../../app/routing/paths.js';
import { ButtonLink } from '../../../ui/Button.js';
import { changedTexts } from '../../../app/forms/changed-texts.js';
import { Form } from '../../../app/forms/Form.js';
import { Card, Section } from '../../../ui/Page.js';
import { useEditEpic } from './changes.js';
import { EPIC_FIELDS, EpicFields, getSaid, getValues } from './EpicFields.js';
import type { EpicDetails } from './queries.js';

interface EditEpicProps {
  path: string;
  epic: EpicDetails;
  onDone: (said: string) => void;
}

/** The form that changes an epic's content, confidentiality, dates and parent. */
export function EditEpic({ path, epic, onDone }: EditEpicProps) {
  const change = useEditEpic(path, epic.iid);
  const before = getValues(epic);
  return (
    <Section title="Edit epic">
      <Card>
        <Form
          focusFirst
          submit="Save"
          busy={change.isPending}
          problem={change.error}
          fields={EPIC_FIELDS}
          beside={<ButtonLink to={epicsPath(path, epic.iid)}>Cancel</ButtonLink>}
          onSubmit={(values) => {
            const changes = getSaid(changedTexts(values, before));
            if (Object.keys(changes).length === 0) return onDone('No changes.');
            change.mutate(changes, { onSuccess: () => onDone('Saved.') });
          }}
        >
          <EpicFields path={path} epic={epic} values={before} problem={change.error} />
        </Form>
      </Card>
    </Section>
  );
}
