import { useEffect, useRef } from 'react';
import { Button } from '../look/Button.js';
import { Facts } from '../look/Facts.js';
import { Section } from '../look/Page.js';
import { State } from '../look/State.js';
import { Table } from '../look/Table.js';
import type { Column } from '../look/Table.js';
import { Whole } from '../look/Whole.js';
import { FailureTable, RelationTable } from './Counted.js';
import { peopleWords } from './words.js';
import type { GroupPlan } from './uploading.js';

type PlannedGroup = GroupPlan['groups'][number];

const GROUPS: Column<PlannedGroup>[] = [
  { title: 'Group', cell: ({ name, source_id: id }) => name ?? `number ${id} of the archive` },
  { title: 'Path', cell: ({ full_path: path }) => (path === null ? 'none' : <code>{<Whole>{path}</Whole>}</code>) },
  {
    title: 'Outcome',
    cell: ({ skipped }) =>
      skipped === null ? (
        <State tone="good">made</State>
      ) : (
        <State tone="warn">
          <Whole>{`left out: ${skipped}`}</Whole>
        </State>
      ),
  },
];

interface GroupPlanViewProps {
  plan: GroupPlan;
  busy: boolean;
  onImport: () => void;
}

/** What an import would make and leave out, and the button that has it done. */
export function GroupPlanView({ plan, busy, onImport }: GroupPlanViewProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1}>
      <Section title="What the import would make">
        <Facts
          facts={[
            ['Groups', plan.groups_count.toLocaleString('en')],
            ['People', <Whole key="people">{peopleWords(plan)}</Whole>],
            ['Left out', plan.failures_count === 0 ? 'nothing' : plan.failures_count.toLocaleString('en')],
          ]}
        />
        <Table caption="Groups" rows={plan.groups} keyOf={({ source_id: id }) => id} columns={GROUPS} />
        {plan.relations.length > 0 && <RelationTable caption="Relations of the archive" relations={plan.relations} />}
        <FailureTable failures={plan.failures} count={plan.failures_count} />
        <p>Nothing is made yet.</p>
        <div>
          <Button kind="primary" busy={busy} onClick={onImport}>
            Import it
          </Button>
        </div>
      </Section>
    </div>
  );
}
