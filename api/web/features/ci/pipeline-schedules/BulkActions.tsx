import { useState } from 'react';
import { ChosenBar } from '../../../ui/ChosenBar.js';
import { later } from '../../../ui/later.js';
import type { ListedSchedule } from './queries.js';
import styles from './Schedules.module.css';

// Loaded, with its confirmations and error messages, once a schedule is selected.
const BulkDone = later(() => import('./BulkDone.js'));

interface BulkActionsProps {
  schedules: readonly ListedSchedule[];
  chosen: ReadonlySet<number>;
  onChoose: (chosen: ReadonlySet<number>) => void;
}

/** Choosing several schedules, and what can be done to them at once. */
export function BulkActions({ schedules, chosen, onChoose }: BulkActionsProps) {
  const rows = schedules.filter(({ id }) => chosen.has(id));
  const [begun, begin] = useState(false);
  if (rows.length > 0 && !begun) begin(true);
  return (
    <ChosenBar
      count={schedules.length}
      chosen={rows.length}
      onToggleAll={(on) => onChoose(new Set(on ? schedules.map(({ id }) => id) : []))}
    >
      {rows.length === 0 && (
        <span className={styles.legend}>
          Newest runs on the right. Taller bars ran later; hollow bars were missed; red bars failed.
        </span>
      )}
      {begun && <BulkDone rows={rows} onDone={() => onChoose(new Set())} />}
    </ChosenBar>
  );
}
