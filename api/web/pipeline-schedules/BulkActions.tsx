import { useState } from 'react';
import { later } from '../look/later.js';
import type { ListedSchedule } from './queries.js';
import styles from './Schedules.module.css';

// With what asks first and tells what was refused: once somebody chose a schedule.
const BulkDone = later(() => import('./BulkDone.js'));

interface BulkActionsProps {
  shown: readonly ListedSchedule[];
  chosen: ReadonlySet<number>;
  onChoose: (chosen: ReadonlySet<number>) => void;
}

/** Choosing several schedules, and what can be done to them at once. */
export function BulkActions({ shown, chosen, onChoose }: BulkActionsProps) {
  const rows = shown.filter(({ id }) => chosen.has(id));
  const [begun, begin] = useState(false);
  if (rows.length > 0 && !begun) begin(true);
  return (
    <fieldset className={styles.bar} aria-label="What is chosen">
      <label className={styles.all}>
        <input
          type="checkbox"
          checked={rows.length > 0 && rows.length === shown.length}
          ref={(box) => {
            if (box) box.indeterminate = rows.length > 0 && rows.length < shown.length;
          }}
          onChange={(event) => onChoose(new Set(event.currentTarget.checked ? shown.map(({ id }) => id) : []))}
        />
        {shown.length === 1 ? 'Choose the one shown' : `Choose the ${shown.length} shown`}
      </label>
      {rows.length === 0 && (
        <span className={styles.legend}>
          Bars: the newest at the right, the taller the later, hollow where missed, red where failed
        </span>
      )}
      {begun && <BulkDone rows={rows} onDone={() => onChoose(new Set())} />}
    </fieldset>
  );
}
