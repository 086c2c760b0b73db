import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/Button.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Section } from '../../../ui/Page.js';
import { Whole } from '../../../ui/Whole.js';
import { FailureTable, RelationTable } from './Counted.js';
import type { CountedPlan } from './uploading.js';
import { formatPeople } from './messages.js';

interface PlanViewProps {
  plan: CountedPlan;
  /** What is told before the people and what is left out. */
  details: readonly (readonly [string, ReactNode])[];
  busy: boolean;
  onImport: () => void;
  /** Between the details and the relations. */
  children?: ReactNode;
}

/** What an import would make and leave out, and the button that has it done. */
export function PlanView({ plan, details, busy, onImport, children }: PlanViewProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), []);
  const { relations, failures, failures_count: failed } = plan;
  return (
    <div ref={ref} tabIndex={-1}>
      <Section title="What the import would make">
        <DetailList
          details={[
            ...details,
            ['People', <Whole key="people">{formatPeople(plan)}</Whole>],
            ['Left out', failed === 0 ? 'nothing' : failed.toLocaleString('en')],
          ]}
        />
        {children}
        {relations.length > 0 && <RelationTable caption="Relations of the archive" relations={relations} />}
        <FailureTable failures={failures} count={failed} />
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
