import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../look/Button.js';
import { Facts } from '../look/Facts.js';
import { Section } from '../look/Page.js';
import { Whole } from '../look/Whole.js';
import { FailureTable, RelationTable } from './Counted.js';
import type { CountedPlan } from './uploading.js';
import { peopleWords } from './words.js';

interface PlanViewProps {
  plan: CountedPlan;
  /** What is told before the people and what is left out. */
  facts: readonly (readonly [string, ReactNode])[];
  busy: boolean;
  onImport: () => void;
  /** Between the facts and the relations. */
  children?: ReactNode;
}

/** What an import would make and leave out, and the button that has it done. */
export function PlanView({ plan, facts, busy, onImport, children }: PlanViewProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), []);
  const { relations, failures, failures_count: failed } = plan;
  return (
    <div ref={ref} tabIndex={-1}>
      <Section title="What the import would make">
        <Facts
          facts={[
            ...facts,
            ['People', <Whole key="people">{peopleWords(plan)}</Whole>],
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
