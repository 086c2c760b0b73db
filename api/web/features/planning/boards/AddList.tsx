import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Container } from '../../../data/containers.js';
import { Form } from '../../../app/forms/Form.js';
import { Card, Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Select } from '../../../ui/Select.js';
import { useAddList } from './changes.js';
import type { Board } from './columns.js';
import { LIST_KINDS, listablesQuery } from './queries.js';
import type { ListKind } from './queries.js';

interface AddListProps {
  of: Container;
  board: Board;
  onDone: (said: string) => void;
}

const LABELS: Record<ListKind, { name: string; none: string }> = {
  label: {
    name: 'Label',
    none: 'Every label already has a list. To add another list, create a label first.',
  },
  milestone: { name: 'Milestone', none: 'Every open milestone already has a list.' },
  assignee: { name: 'Assignee', none: 'Every member already has a list.' },
};

const KINDS = LIST_KINDS.map((value) => ({ value, label: LABELS[value].name }));

/** The form that adds a list: for a label, a milestone or an assignee. */
export function AddList({ of, board, onDone }: AddListProps) {
  const [kind, setKind] = useState<ListKind>('label');
  const found = useQuery(listablesQuery(of, kind));
  const addition = useAddList(of, board.id);
  const [chosen, setChosen] = useState('');
  const usedIds = new Set(board.lists.map((list) => list[kind]?.id));
  const choices = (found.data ?? [])
    .filter(({ id }) => !usedIds.has(id))
    .map(({ id, label }) => ({ value: String(id), label }));
  const one = choices.find(({ value }) => value === chosen) ?? choices[0];
  const { name, none } = LABELS[kind];
  const add = () => {
    if (one)
      addition.mutate({ of: kind, id: Number(one.value) }, { onSuccess: () => onDone(`List “${one.label}” added.`) });
  };
  return (
    <Section title="Add list">
      {found.error && <Problem error={found.error} retry={() => void found.refetch()} />}
      <Card>
        <Form submit="Add list" busy={addition.isPending || !one} problem={addition.error} fields={[]} onSubmit={add}>
          <Select
            label="List type"
            name="kind"
            choices={KINDS}
            value={kind}
            onChoose={(value) => setKind(LIST_KINDS.find((other) => other === value) ?? 'label')}
          />
          {one && <Select label={name} name="one" choices={choices} value={one.value} onChoose={setChosen} />}
          {found.data && !one && <p>{none}</p>}
        </Form>
      </Card>
    </Section>
  );
}
