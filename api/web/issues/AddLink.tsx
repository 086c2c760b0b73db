import { useRef, useState } from 'react';
import { Field, fieldProblem, Form } from '../look/Form.js';
import { Card } from '../look/Page.js';
import { Select } from '../look/Select.js';
import { useAddLink } from './changes.js';
import { LINK_WORDS } from './link-words.js';
import type { LinkType } from './link-words.js';

const CHOICES = Object.entries(LINK_WORDS).map(([value, words]) => ({ value, words: `This issue ${words} it` }));

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
        // Emptied once it was taken.
        key={round}
        submit="Add the link"
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
                onDone(`Linked with ${typed.current}.`);
              },
            },
          );
        }}
      >
        <Field
          label="Issue to link with"
          name="reference"
          hint="#12, group/project#12, or the address of its page."
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
