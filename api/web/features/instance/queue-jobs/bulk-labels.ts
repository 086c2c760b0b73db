import type { BulkAction } from './bulk-queries.js';
import { formatJobCount } from './labels.js';

interface BulkLabels {
  ask: string;
  /** The label of the button that performs it: not "Cancel", which would suggest leaving things unchanged. */
  does: string;
  doing: string;
  done: string;
  means: string;
}

/** Labels of the actions on several jobs. */
export const BULK_LABELS: Record<BulkAction, BulkLabels> = {
  retry: {
    ask: 'Retry',
    does: 'Retry',
    doing: 'Retrying',
    done: 'retried',
    means: 'The jobs are retried immediately.',
  },
  cancel: {
    ask: 'Cancel',
    does: 'Cancel jobs',
    doing: 'Cancelling',
    done: 'cancelled',
    means: "The jobs won't be retried. Running jobs are asked to stop.",
  },
  delete: {
    ask: 'Delete',
    does: 'Delete',
    doing: 'Deleting',
    done: 'deleted',
    means: "The jobs are deleted with their arguments and attempts. This can't be undone.",
  },
};

/** The result of an action, including the jobs that were skipped because their state had changed. */
export function formatBulkOutcome(action: BulkAction, { affected = 0, skipped = 0 }): string {
  const rest = skipped === 0 ? '' : `; ${formatJobCount(skipped)} skipped because their state changed`;
  return `${formatJobCount(affected)} ${BULK_LABELS[action].done}${rest}.`;
}
