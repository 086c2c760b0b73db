import type { ReactNode } from 'react';
import styles from './ChosenBar.module.css';

interface ChosenBarProps {
  /** Rows that are shown. */
  shown: number;
  /** How many of them are chosen. */
  chosen: number;
  /** Chooses all that are shown, or none. */
  onShown: (on: boolean) => void;
  /** What can be done with what is chosen. */
  children: ReactNode;
}

/** What is chosen of a list, and what can be done with that. It keeps its place while nothing is chosen. */
export function ChosenBar({ shown, chosen, onShown, children }: ChosenBarProps) {
  return (
    <fieldset className={styles.bar} aria-label="What is chosen">
      <label className={styles.all}>
        <input
          type="checkbox"
          checked={shown > 0 && chosen === shown}
          ref={(box) => {
            if (box) box.indeterminate = chosen > 0 && chosen < shown;
          }}
          onChange={(event) => onShown(event.currentTarget.checked)}
        />
        {shown === 1 ? 'Choose the one shown' : `Choose the ${shown} shown`}
      </label>
      {children}
    </fieldset>
  );
}
