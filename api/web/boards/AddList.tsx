import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Container } from '../containers/address.js';
import { Form } from '../look/Form.js';
import { Card, Section } from '../look/Page.js';
import { Problem } from '../look/Problem.js';
import { Select } from '../look/Select.js';
import { useAddList } from './changes.js';
import type { Board } from './lanes.js';
import { labelsQuery } from './queries.js';

interface AddListProps {
  of: Container;
  board: Board;
  onDone: (said: string) => void;
}

/** The form that adds a list of what has a label. */
export function AddList({ of, board, onDone }: AddListProps) {
  const labels = useQuery(labelsQuery(of));
  const addition = useAddList(of, board.id);
  const [chosen, setChosen] = useState('');
  const taken = new Set(board.lists.map(({ label }) => label?.id));
  const choices = (labels.data ?? [])
    .filter(({ id }) => !taken.has(id))
    .map(({ id, name }) => ({ value: String(id), words: name }));
  const label = choices.find(({ value }) => value === chosen) ?? choices[0];
  return (
    <Section title="Add a list">
      {labels.error && <Problem error={labels.error} retry={() => void labels.refetch()} />}
      {labels.data && !label && (
        <p>There is no label that has no list yet. A list shows the issues that have a label: make one first.</p>
      )}
      {label && (
        <Card>
          <Form
            submit="Add the list"
            busy={addition.isPending}
            problem={addition.error}
            fields={[]}
            onSubmit={() =>
              addition.mutate(Number(label.value), { onSuccess: () => onDone(`The list “${label.words}” is added.`) })
            }
          >
            <Select label="Label" name="label" choices={choices} value={label.value} onChoose={setChosen} />
          </Form>
        </Card>
      )}
    </Section>
  );
}
