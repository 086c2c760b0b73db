import type { BulkAction } from './bulk-queries.js';
import { formatJobCount } from './labels.js';

interface BulkLabels {
  ask: string;
  /** What the button that does it says: no "Cancel", which would leave things as they are. */
  does: string;
  doing: string;
  done: string;
  means: string;
}

/** Actions on several jobs in words. */
export const BULK_LABELS: Record<BulkAction, BulkLabels> = {
  retry: {
    ask: 'Retry',
    does: 'Retry',
    doing: 'Retrying',
    done: 'retried',
    means: 'Each is tried again at once.',
  },
  cancel: {
    ask: 'Cancel',
    does: 'Cancel the jobs',
    doing: 'Cancelling',
    done: 'cancelled',
    means: 'They are not tried any more. What runs is told to stop.',
  },
  delete: {
    ask: 'Delete',
    does: 'Delete',
    doing: 'Deleting',
    done: 'deleted',
    means: 'They go with their arguments and attempts. This cannot be undone.',
  },
};

/** What became of it, with those whose state had changed by then. */
export function formatBulkOutcome(action: BulkAction, { affected = 0, skipped = 0 }): string {
  const rest = skipped === 0 ? '' : `; ${formatJobCount(skipped)} left alone, in another state by then`;
  return `${formatJobCount(affected)} ${BULK_LABELS[action].done}${rest}.`;
}
