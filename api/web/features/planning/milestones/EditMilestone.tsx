import { useHold } from '../../../ui/hold.js';
import type { Container } from '../../../data/containers.js';
import { Button } from '../../../ui/Button.js';
import { changedTexts } from '../../../app/forms/changed-texts.js';
import { Form } from '../../../app/forms/Form.js';
import { Card, Section } from '../../../ui/Page.js';
import { useEditMilestone } from './changes.js';
import type { MilestoneEdit } from './changes.js';
import { MILESTONE_FIELDS, MilestoneFields, getSaid } from './MilestoneFields.js';
import type { Milestone } from './queries.js';

interface EditMilestoneProps {
  of: Container;
  milestone: Milestone;
  onDone: (said: string) => void;
}

/** The form that changes a milestone's content and dates. */
export function EditMilestone({ of, milestone, onDone }: EditMilestoneProps) {
  useHold();
  const change = useEditMilestone(of, milestone.id);
  const before = {
    title: milestone.title,
    description: milestone.description ?? '',
    start_date: milestone.start_date ?? '',
    due_date: milestone.due_date ?? '',
  };
  return (
    <Section title="Edit milestone">
      <Card>
        <Form
          focusFirst
          submit="Save"
          busy={change.isPending}
          problem={change.error}
          fields={MILESTONE_FIELDS}
          beside={<Button onClick={() => onDone('No changes.')}>Cancel</Button>}
          onSubmit={(values) => {
            const changes = getSaid(changedTexts(values, before)) as MilestoneEdit;
            if (Object.keys(changes).length === 0) return onDone('No changes.');
            change.mutate(changes, { onSuccess: () => onDone('Saved.') });
          }}
        >
          <MilestoneFields values={before} problem={change.error} />
        </Form>
      </Card>
    </Section>
  );
}
