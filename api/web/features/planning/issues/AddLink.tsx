import { useRef, useState } from 'react';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { Card } from '../../../ui/Page.js';
import { Select } from '../../../ui/Select.js';
import { useAddLink } from './changes.js';

/** Labels of link types, as seen from the first issue. */
export const LINK_LABELS = {
  relates_to: 'relates to',
  blocks: 'blocks',
  is_blocked_by: 'is blocked by',
} as const;

type LinkType = keyof typeof LINK_LABELS;

const CHOICES = Object.entries(LINK_LABELS).map(([value, label]) => ({ value, label: `This issue ${label} it` }));

interface AddLinkProps {
  path: string;
  iid: number;
  onDone: (said: string) => void;
}

/** Links the issue with another one, of this project or another. */
export function AddLink({ path, iid, onDone }: AddLinkProps) {
  const addition = useAddLink(path, iid);
  const [type, setType] = useState<LinkType>('relates_to');
  const [round, setRound] = useState(0);
  const typed = useRef('');
  return (
    <Card>
      <Form
        // A new key clears the form after the link is created.
        key={round}
        submit="Add link"
        busy={addition.isPending}
        problem={addition.error}
        fields={['reference']}
        onSubmit={(values) => {
          typed.current = String(values.get('reference') ?? '').trim();
          addition.mutate(
            { reference: typed.current, type },
            {
              onSuccess: () => {
                setRound(round + 1);
                onDone(`Linked to ${typed.current}.`);
              },
            },
          );
        }}
      >
        <Field
          label="Issue to link"
          name="reference"
          hint="#12, group/project#12, or its URL."
          autoComplete="off"
          maxLength={500}
          problem={fieldProblem(addition.error, 'reference')}
        />
        <Select
          label="Relation"
          name="link_type"
          choices={CHOICES}
          value={type}
          onChoose={(value) => setType(value as LinkType)}
        />
      </Form>
    </Card>
  );
}
