import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Button } from '../look/Button.js';
import { Problem } from '../look/Problem.js';
import { Table } from '../look/Table.js';
import { Whole } from '../look/Whole.js';
import styles from './Form.module.css';
import { valuesOf } from './form-values.js';
import type { ScheduleValues } from './form-values.js';
import { scheduleQuery } from './queries.js';

const COMPARED = {
  description: 'Description',
  ref: 'Branch or tag',
  cron: 'Cron',
  zone: 'Time zone',
  policy: 'Missed runs',
  active: 'Active',
} as const;
type Compared = keyof typeof COMPARED;

interface ChangedMeanwhileProps {
  path: string;
  id: number;
  mine: ScheduleValues;
  busy: boolean;
  /** Saves over what is stored now, as it was last changed then. */
  onOverwrite: (unchangedSince: string) => void;
  onDiscard: () => void;
}

/** Somebody else saved while a form was open: what is stored now, beside what was typed, and both ways on. */
export function ChangedMeanwhile({ path, id, mine, busy, onOverwrite, onDiscard }: ChangedMeanwhileProps) {
  const place = useRef<HTMLDivElement>(null);
  const { data, error, refetch } = useQuery(scheduleQuery(path, id));
  useEffect(() => place.current?.focus(), []);
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />;
  if (!data) return null;
  const theirs = valuesOf(data.schedule);
  const different = (Object.keys(COMPARED) as Compared[]).filter((name) => theirs[name] !== mine[name]);
  return (
    <div ref={place} className={styles.meanwhile} role="alert" tabIndex={-1}>
      <p>
        <strong>Somebody changed this schedule while you edited it.</strong> Nothing of yours is saved yet, and nothing
        of theirs is overwritten.
      </p>
      {different.length > 0 && (
        <Table
          caption="What is different"
          rows={different}
          keyOf={(name) => name}
          columns={[
            { title: 'Field', cell: (name) => COMPARED[name] },
            { title: 'Stored now', cell: (name) => <Whole>{String(theirs[name])}</Whole> },
            { title: 'Yours', cell: (name) => <Whole>{String(mine[name] ?? '')}</Whole> },
          ]}
        />
      )}
      <div className={styles.patterns}>
        <Button kind="primary" busy={busy} onClick={() => onOverwrite(data.schedule.updated_at)}>
          Save mine over it
        </Button>
        <Button onClick={onDiscard}>Discard mine</Button>
      </div>
    </div>
  );
}
