import { Button } from '../look/Button.js';
import styles from './BulkBar.module.css';
import type { BulkAction } from './bulk-queries.js';
import { jobsWords } from './words.js';

interface BulkBarProps {
  /** Jobs that are shown. */
  shown: number;
  chosen: number;
  /** How many match the filter, those on other pages included; null while that is not known. */
  matching: number | null;
  /** Whether all that match are chosen, also those that are not shown. */
  all: boolean;
  actions: readonly BulkAction[];
  onShown: (on: boolean) => void;
  onAll: () => void;
  onClear: () => void;
  onAct: (action: BulkAction) => void;
}

const WORDS: Record<BulkAction, string> = { retry: 'Retry', cancel: 'Cancel', delete: 'Delete' };

/** What is chosen of a list of jobs, and what can be done with that. It keeps its place while nothing is chosen. */
export function BulkBar({ shown, chosen, matching, all, actions, onShown, onAll, onClear, onAct }: BulkBarProps) {
  const some = all || chosen > 0;
  return (
    <fieldset className={styles.bar} aria-label="What is chosen">
      <label className={styles.all}>
        <input
          type="checkbox"
          checked={all || (shown > 0 && chosen === shown)}
          ref={(box) => {
            if (box) box.indeterminate = !all && chosen > 0 && chosen < shown;
          }}
          onChange={(event) => onShown(event.currentTarget.checked)}
        />
        {shown === 1 ? 'Choose the one shown' : `Choose the ${shown} shown`}
      </label>
      {some && (
        <>
          <output className={styles.count}>
            {all ? `All ${jobsWords(matching ?? 0)} that match are chosen` : `${jobsWords(chosen)} chosen`}
          </output>
          {!all && matching !== null && matching > shown && (
            <Button kind="quiet" onClick={onAll}>
              Choose all {matching.toLocaleString('en')} that match
            </Button>
          )}
          {actions.map((action) => (
            <Button key={action} onClick={() => onAct(action)}>
              {WORDS[action]} {all ? 'all' : ''}
            </Button>
          ))}
          <Button kind="quiet" onClick={onClear}>
            Choose none
          </Button>
        </>
      )}
    </fieldset>
  );
}
