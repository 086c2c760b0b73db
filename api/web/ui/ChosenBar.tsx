import type { ReactNode } from 'react';
import styles from './ChosenBar.module.css';

interface ChosenBarProps {
  /** Rows that are shown. */
  count: number;
  /** How many of them are chosen. */
  chosen: number;
  /** Chooses all that are shown, or none. */
  onToggleAll: (on: boolean) => void;
  /** What can be done with what is chosen. */
  children: ReactNode;
}

/** What is chosen of a list, and what can be done with that. It keeps its place while nothing is chosen. */
export function ChosenBar({ count, chosen, onToggleAll, children }: ChosenBarProps) {
  return (
    <fieldset className={styles.bar} aria-label="What is chosen">
      <label className={styles.all}>
        <input
          type="checkbox"
          checked={count > 0 && chosen === count}
          ref={(checkbox) => {
            if (checkbox) checkbox.indeterminate = chosen > 0 && chosen < count;
          }}
          onChange={(event) => onToggleAll(event.currentTarget.checked)}
        />
        {count === 1 ? 'Choose the one shown' : `Choose the ${count} shown`}
      </label>
      {children}
    </fieldset>
  );
}
