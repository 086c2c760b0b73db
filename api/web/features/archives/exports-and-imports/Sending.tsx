import { Button } from '../../../ui/Button.js';
import { Progress } from '../../../ui/Progress.js';
import { formatBytes } from '../../../ui/format-bytes.js';

interface SendingProps {
  sent: { done: number; of: number } | null;
  onStop: () => void;
}

/** How much of an archive is sent, and how to stop that. */
export function Sending({ sent, onStop }: SendingProps) {
  const all = sent !== null && sent.done >= sent.of;
  return (
    <>
      {sent && (
        <Progress
          label={all ? 'Upload complete, processing. Bytes' : `Uploading ${formatBytes(sent.of)}. Bytes`}
          done={sent.done}
          of={sent.of}
        />
      )}
      <p>Keep this page open until the upload completes.</p>
      <div>
        <Button onClick={onStop}>Cancel upload</Button>
      </div>
    </>
  );
}
