import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Button } from '../../../ui/Button.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Table } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import styles from './Form.module.css';
import { getDifferences, getValues } from './form-values.js';
import type { ScheduleValues } from './form-values.js';
import { scheduleQuery } from './queries.js';

interface ChangedMeanwhileProps {
  path: string;
  id: number;
  /** The initial and the current values of the form. */
  before: ScheduleValues;
  mine: ScheduleValues;
  busy: boolean;
  /** Saves the form's changes, unless the schedule has changed again since the displayed version. */
  onSave: (unchangedSince: string) => void;
  onDiscard: () => void;
}

/**
 * Another user saved while a form was open: displays the stored values next to the form's, with the options to save or
 * discard.
 */
export function ChangedMeanwhile({ path, id, before, mine, busy, onSave, onDiscard }: ChangedMeanwhileProps) {
  const ref = useRef<HTMLDivElement>(null);
  const { data, error, refetch } = useQuery(scheduleQuery(path, id));
  useEffect(() => ref.current?.focus(), []);
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />;
  if (!data) return null;
  const different = getDifferences(before, getValues(data.schedule), mine);
  return (
    <div ref={ref} className={styles.meanwhile} role="alert" tabIndex={-1}>
      <p>
        <strong>This schedule was changed while you were editing it.</strong> Your changes aren't saved yet. Fields you
        didn't change keep their saved values.
      </p>
      {different.length > 0 && (
        <Table
          caption="Conflicting changes"
          rows={different}
          keyOf={({ title }) => title}
          columns={[
            { title: 'Field', cell: ({ title }) => title },
            { title: 'Saved value', cell: ({ theirs }) => <FieldText text={theirs} /> },
            { title: 'Your value', cell: (row) => <FieldText text={row.mine} /> },
            { title: 'After saving', cell: ({ changed }) => (changed ? 'your value' : 'saved value') },
          ]}
        />
      )}
      <div className={styles.patterns}>
        <Button kind="primary" busy={busy} onClick={() => onSave(data.schedule.updated_at)}>
          Save my changes
        </Button>
        <Button onClick={onDiscard}>Discard my changes</Button>
      </div>
    </div>
  );
}

function FieldText({ text }: { text: string | null }) {
  if (text === null) return <span className={styles.text}>not set</span>;
  return text === '' ? <span className={styles.text}>empty</span> : <UnbrokenText>{text}</UnbrokenText>;
}
