import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AskFirst } from '../../../app/dialogs/AskFirst.js';
import { matchingQuery, useBulk } from './bulk-queries.js';
import type { BulkAction } from './bulk-queries.js';
import { BulkBar } from './BulkBar.js';
import type { JobFilters } from './job-queries.js';
import { BULK_LABELS, formatBulkOutcome } from './bulk-labels.js';
import { formatJobCount } from './labels.js';
import type { JobState } from './labels.js';

/** Selected jobs: by id, or all that match the filters, with their count. */
export interface Chosen {
  ids: ReadonlySet<string>;
  all: number | null;
}

const POSSIBLE: Record<JobState, readonly BulkAction[]> = {
  created: ['cancel', 'delete'],
  retry: ['cancel', 'delete'],
  active: ['cancel'],
  failed: ['retry', 'delete'],
  cancelled: ['delete'],
  completed: ['delete'],
};

interface BulkProps {
  filters: JobFilters;
  /** Ids of the displayed jobs. */
  ids: readonly string[];
  /** Whether others than those match, too. */
  more: boolean;
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
  onDone: (message: string) => void;
  /** Called with the id of a bulk action that continues in the background. */
  onBegun: (id: number) => void;
}

/** Selection of several jobs, and actions on them: on the selected ones, or on all that match the filters. */
export function Bulk({ filters, ids, more, chosen, onChoose, onDone, onBegun }: BulkProps) {
  const bulk = useBulk();
  const [action, setAction] = useState<BulkAction | null>(null);
  const some = chosen.all !== null || chosen.ids.size > 0;
  // The number on one page is known; the rest is counted once a job is selected.
  const matching = useQuery({ ...matchingQuery(filters), enabled: some && more });
  const count = more ? (matching.data?.count ?? null) : ids.length;
  const none = () => onChoose({ ids: new Set(), all: null });
  const act = (what: BulkAction) =>
    bulk.mutate(
      {
        action: what,
        target: chosen.all === null ? { ids: [...chosen.ids] } : { filters, expected: chosen.all },
      },
      {
        onSuccess: (answer) => {
          setAction(null);
          none();
          if (answer.bulk_id === undefined) onDone(formatBulkOutcome(what, answer));
          else onBegun(answer.bulk_id);
        },
      },
    );
  if (ids.length === 0) return null;
  const number = chosen.all ?? chosen.ids.size;
  return (
    <>
      <BulkBar
        count={ids.length}
        chosen={chosen.ids.size}
        matching={count}
        all={chosen.all !== null}
        actions={POSSIBLE[filters.state]}
        onToggleAll={(on) => (on ? onChoose({ ids: new Set(ids), all: null }) : none())}
        onAll={() => onChoose({ ids: new Set(), all: count })}
        onClear={none}
        onAct={setAction}
      />
      {action && (
        <AskFirst
          title={`${BULK_LABELS[action].ask} ${formatJobCount(number)}?`}
          does={BULK_LABELS[action].does}
          danger={action !== 'retry'}
          busy={bulk.isPending}
          problem={bulk.error}
          onConfirm={() => act(action)}
          onClose={() => {
            setAction(null);
            // The selected jobs have changed: the refetched list has to be reviewed again.
            if (bulk.error) none();
            bulk.reset();
          }}
        >
          <p>
            {chosen.all !== null && 'All jobs that match the filter, including jobs not shown. '}
            {BULK_LABELS[action].means}
          </p>
        </AskFirst>
      )}
    </>
  );
}
