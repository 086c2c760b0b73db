import { useEffect, useRef } from 'react';
import { Button } from '../look/Button.js';
import { Facts } from '../look/Facts.js';
import { Section } from '../look/Page.js';
import { Whole } from '../look/Whole.js';
import { FailureTable, RelationTable } from './Counted.js';
import type { ProjectPlan } from './uploading.js';
import { peopleWords } from './words.js';

interface ProjectPlanViewProps {
  plan: ProjectPlan;
  busy: boolean;
  onImport: () => void;
}

/** What an import of a project would make and leave out, and the button that has it done. */
export function ProjectPlanView({ plan, busy, onImport }: ProjectPlanViewProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1}>
      <Section title="What the import would make">
        <Facts
          facts={[
            ['Path', <Whole key="path">{plan.full_path}</Whole>],
            ['Visibility', plan.visibility],
            ['Repository', plan.repository ? 'yes' : 'none'],
            ['Marked for deletion', plan.replaces === null ? 'nothing' : <Whole key="old">{plan.replaces}</Whole>],
            ['People', <Whole key="people">{peopleWords(plan)}</Whole>],
            ['Left out', plan.failures_count === 0 ? 'nothing' : plan.failures_count.toLocaleString('en')],
          ]}
        />
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
