import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Button } from '../../../ui/Button.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Progress } from '../../../ui/Progress.js';
import { Said } from '../../../ui/Said.js';
import { bulkQuery, useBulkCancel } from './bulk-queries.js';
import type { BulkAction } from './bulk-queries.js';
import { BULK_LABELS, formatBulkOutcome } from './bulk-labels.js';
import { JOBS } from './queue-queries.js';

/** The progress of an action on many jobs, which continues in the background. */
export function BulkProgress({ id, onClose }: { id: number; onClose: () => void }) {
  const bulk = useQuery(bulkQuery(id));
  const stop = useBulkCancel(id);
  const queries = useQueryClient();
  const completed = bulk.data?.completed === true;
  useEffect(() => {
    if (completed) void queries.invalidateQueries({ queryKey: [JOBS, 'list'] });
  }, [completed, queries]);
  if (bulk.error) return <Problem error={bulk.error} retry={() => void bulk.refetch()} />;
  if (!bulk.data) return null;
  const action = bulk.data.action as BulkAction;
  if (!completed)
    return (
      <>
        <Progress label={BULK_LABELS[action].doing} done={bulk.data.matched} of={bulk.data.expected_count} />
        {stop.error && <Problem error={stop.error} />}
        <div>
          <Button kind="quiet" busy={stop.isPending} onClick={() => stop.mutate(undefined)}>
            Stop
          </Button>
        </div>
      </>
    );
  return (
    <>
      <Said>{`${bulk.data.cancelled ? 'Stopped: ' : ''}${formatBulkOutcome(action, bulk.data)}`}</Said>
      <div>
        <Button kind="quiet" onClick={onClose}>
          Dismiss
        </Button>
      </div>
    </>
  );
}
