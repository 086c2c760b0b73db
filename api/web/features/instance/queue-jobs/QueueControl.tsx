import { useState } from 'react';
import type { QueueDetail } from '../../../data/api.js';
import { Button } from '../../../ui/Button.js';
import { usePageActions } from '../../../app/palette/page-actions.js';
import { Problem } from '../../../app/problems/Problem.js';
import { AskReason } from '../../../app/dialogs/AskFirst.js';
import { useQueueControl } from './queue-queries.js';

/** Stops that jobs of a queue are begun, with a reason for those who wonder, and lets it go on. */
export function QueueControl({ queue, onDone }: { queue: QueueDetail; onDone: (message: string) => void }) {
  const control = useQueueControl(queue.name);
  const [confirming, setConfirming] = useState(false);
  const resume = () =>
    control.mutate({ pause: false, reason: '' }, { onSuccess: () => onDone(`${queue.name} was resumed.`) });
  const pause = (reason: string) =>
    control.mutate(
      { pause: true, reason },
      {
        onSuccess: () => {
          setConfirming(false);
          onDone(`${queue.name} was paused.`);
        },
      },
    );
  const begin = queue.paused ? resume : () => setConfirming(true);
  const label = queue.paused ? 'Resume queue' : 'Pause queue';
  usePageActions([{ label, run: begin }]);
  return (
    <div>
      <Button kind={queue.paused ? 'primary' : 'plain'} busy={control.isPending && !confirming} onClick={begin}>
        {label}
      </Button>
      {control.error && !confirming && <Problem error={control.error} />}
      {confirming && (
        <AskReason
          title={`Pause ${queue.name}?`}
          does="Pause"
          hint="Optional. Shown on this page and in the log."
          maxLength={255}
          busy={control.isPending}
          problem={control.error}
          onDo={pause}
          onClose={() => setConfirming(false)}
        >
          <p>No further jobs start within two seconds. Running jobs continue, and new jobs wait in the queue.</p>
        </AskReason>
      )}
    </div>
  );
}
