import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/Button.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Section } from '../../../ui/Page.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { FailureTable, RelationTable } from './Counted.js';
import type { CountedPlan } from './uploading.js';
import { formatPeople } from './messages.js';

interface PlanViewProps {
  plan: CountedPlan;
  /** Details displayed before the members and the skipped records. */
  details: readonly (readonly [string, ReactNode])[];
  busy: boolean;
  onImport: () => void;
  /** Between the details and the relations. */
  children?: ReactNode;
}

/** The records that an import would create and skip, and the button that starts it. */
export function PlanView({ plan, details, busy, onImport, children }: PlanViewProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), []);
  const { relations, failures, failures_count: failed } = plan;
  return (
    <div ref={ref} tabIndex={-1}>
      <Section title="Import preview">
        <DetailList
          details={[
            ...details,
            ['People', <UnbrokenText key="people">{formatPeople(plan)}</UnbrokenText>],
            ['Skipped', failed === 0 ? 'nothing' : failed.toLocaleString('en')],
          ]}
        />
        {children}
        {relations.length > 0 && <RelationTable caption="Relations of the archive" relations={relations} />}
        <FailureTable failures={failures} count={failed} />
        <p>Nothing has been created yet.</p>
        <div>
          <Button kind="primary" busy={busy} onClick={onImport}>
            Import
          </Button>
        </div>
      </Section>
    </div>
  );
}
