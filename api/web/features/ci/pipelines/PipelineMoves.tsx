import { useState } from 'react';
import { useNavigate } from 'react-router';
import { pipelinesPath } from '../../../app/routing/paths.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { Problem } from '../../../app/problems/Problem.js';
import { useMayPush } from '../../../data/branch-rights.js';
import { useMayWrite } from '../../../data/member-rights.js';
import { Button } from '../../../ui/Button.js';
import styles from './PipelinePage.module.css';
import { UNDER_WAY, useMovePipeline } from './queries.js';
import type { Pipeline } from './queries.js';

const OWNER = 50;

/** Pipelines from a file have jobs that wait for people or times: these can be canceled too. */
const WAITING: ReadonlySet<string> = new Set(['manual', 'scheduled']);

interface PipelineMovesProps {
  path: string;
  pipeline: Pipeline;
  /** Called when the deletion of the pipeline starts, and if it fails. */
  onLeave: (leaving: boolean) => void;
}

/** What can be done with a pipeline as a whole. */
export function PipelineMoves({ path, pipeline: { id, status, kind }, onLeave }: PipelineMovesProps) {
  const move = useMovePipeline(path, id);
  const mayMove = useMayPush(path);
  const mayDelete = useMayWrite({ kind: 'project', path }, OWNER);
  const [confirming, setConfirming] = useState(false);
  const navigate = useNavigate();
  if (!mayMove) return null;
  return (
    <div className={styles.moves}>
      {move.error && !confirming && <Problem error={move.error} />}
      {(UNDER_WAY.has(status) || (kind === 'config' && WAITING.has(status))) && (
        <Button busy={move.isPending} onClick={() => move.mutate('cancel')}>
          Cancel
        </Button>
      )}
      {(status === 'failed' || status === 'canceled') && (
        <Button busy={move.isPending} onClick={() => move.mutate('retry')}>
          Retry
        </Button>
      )}
      {mayDelete && (
        <Button kind="quiet" onClick={() => setConfirming(true)}>
          Delete
        </Button>
      )}
      {confirming && (
        <Confirm
          title={`Delete pipeline #${id}?`}
          does="Delete"
          danger
          busy={move.isPending}
          problem={move.error}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            onLeave(true);
            move.mutate('delete', {
              onSuccess: () => void navigate(pipelinesPath(path)),
              onError: () => onLeave(false),
            });
          }}
        >
          <p>The pipeline and its jobs will be deleted. This can't be undone.</p>
        </Confirm>
      )}
    </div>
  );
}
