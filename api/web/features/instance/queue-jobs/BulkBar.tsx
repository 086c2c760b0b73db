import { Button } from '../../../ui/Button.js';
import { ChosenBar } from '../../../ui/ChosenBar.js';
import rows from '../../../ui/Rows.module.css';
import type { BulkAction } from './bulk-queries.js';
import { formatJobCount } from './labels.js';

interface BulkBarProps {
  /** Number of displayed jobs. */
  count: number;
  chosen: number;
  /** How many match the filter, those on other pages included; null while that is not known. */
  matching: number | null;
  /** Whether all matching jobs are selected, including those that are not displayed. */
  all: boolean;
  actions: readonly BulkAction[];
  onToggleAll: (on: boolean) => void;
  onAll: () => void;
  onClear: () => void;
  onAct: (action: BulkAction) => void;
}

const LABELS: Record<BulkAction, string> = { retry: 'Retry', cancel: 'Cancel', delete: 'Delete' };

/** The selection in a list of jobs, and the actions available for it. */
export function BulkBar({ count, chosen, matching, all, actions, onToggleAll, onAll, onClear, onAct }: BulkBarProps) {
  const some = all || chosen > 0;
  return (
    <ChosenBar count={count} chosen={all ? count : chosen} onToggleAll={onToggleAll}>
      {some && (
        <>
          <output className={rows.name}>
            {all
              ? `All ${formatJobCount(matching ?? 0)} that match are selected`
              : `${formatJobCount(chosen)} selected`}
          </output>
          {!all && matching !== null && matching > count && (
            <Button kind="quiet" onClick={onAll}>
              Select all {matching.toLocaleString('en')} that match
            </Button>
          )}
          {actions.map((action) => (
            <Button key={action} onClick={() => onAct(action)}>
              {LABELS[action]} {all ? 'all' : ''}
            </Button>
          ))}
          <Button kind="quiet" onClick={onClear}>
            Clear selection
          </Button>
        </>
      )}
    </ChosenBar>
  );
}
