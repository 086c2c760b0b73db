import type { ReactNode } from 'react';
import styles from './ChosenBar.module.css';

interface ChosenBarProps {
  /** Number of displayed rows. */
  count: number;
  /** How many of them are chosen. */
  chosen: number;
  /** Selects all displayed rows, or none. */
  onToggleAll: (on: boolean) => void;
  /** The actions for the selected rows. */
  children: ReactNode;
}

/** The selection in a list, and the actions for it. It occupies its space even while no row is selected. */
export function ChosenBar({ count, chosen, onToggleAll, children }: ChosenBarProps) {
  return (
    <fieldset className={styles.bar} aria-label="Selection">
      <label className={styles.all}>
        <input
          type="checkbox"
          checked={count > 0 && chosen === count}
          ref={(checkbox) => {
            if (checkbox) checkbox.indeterminate = chosen > 0 && chosen < count;
          }}
          onChange={(event) => onToggleAll(event.currentTarget.checked)}
        />
        {count === 1 ? 'Select the one shown' : `Select all ${count} shown`}
      </label>
      {children}
    </fieldset>
  );
}
