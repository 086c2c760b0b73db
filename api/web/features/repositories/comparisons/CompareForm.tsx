import { comparePath } from '../../../app/routing/paths.js';
import type { Comparison } from '../../../app/routing/paths.js';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiProblem } from '../../../data/problem.js';
import { Button } from '../../../ui/Button.js';
import { fieldProblem, Form } from '../../../app/forms/Form.js';
import { Card } from '../../../ui/Page.js';
import { Select } from '../../../ui/Select.js';
import { RefField, useRefs } from '../branches-and-tags/index.js';

const WAYS = [
  { value: '...', label: 'Changes since the common ancestor' },
  { value: '..', label: 'Direct comparison' },
];

/** Two refs, with suggestions while the user types. The selection is stored in the address. */
export function CompareForm({ path, before }: { path: string; before: Comparison }) {
  const navigate = useNavigate();
  const [from, setFrom] = useState(before.from);
  const [to, setTo] = useState(before.to);
  const [way, setWay] = useState(before.straight ? '..' : '...');
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  // The refs in the address are already chosen, so all refs are suggested.
  const forFrom = useRefs(path, from === before.from ? '' : from).offered;
  const forTo = useRefs(path, to === before.to ? '' : to).offered;
  const compare = () => {
    const refs = { from: from.trim(), to: to.trim() };
    const absent = Object.entries(refs).filter(([, ref]) => ref === '');
    if (absent.length === 0) return void navigate(comparePath(path, { ...refs, straight: way === '..' }));
    const fields = Object.fromEntries(absent.map(([name]) => [name, ["can't be blank"]]));
    return setProblem(new ApiProblem('Enter two branches, tags or commits.', 400, null, fields));
  };
  return (
    <Card>
      <Form
        submit="Compare"
        busy={false}
        problem={problem}
        fields={['from', 'to']}
        beside={
          <Button
            onClick={() => {
              setFrom(to);
              setTo(from);
            }}
          >
            Swap
          </Button>
        }
        onSubmit={compare}
      >
        <RefField
          label="Target"
          name="from"
          hint="Branch, tag or commit SHA."
          refs={forFrom}
          value={from}
          problem={fieldProblem(problem, 'from')}
          onChange={setFrom}
        />
        <RefField
          label="Source"
          name="to"
          refs={forTo}
          value={to}
          problem={fieldProblem(problem, 'to')}
          onChange={setTo}
        />
        <Select label="Comparison method" name="way" choices={WAYS} value={way} onChoose={setWay} />
      </Form>
    </Card>
  );
}
