import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Problem } from '../../../app/problems/Problem.js';
import { Button } from '../../../ui/Button.js';
import { Code } from '../../../ui/Code.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import styles from './PipelineEditor.module.css';
import { ciFileQuery } from './queries.js';
import type { CiFile } from './queries.js';

interface FileConflictProps {
  path: string;
  branch: string;
  file: string;
  busy: boolean;
  /** Commits the text over the current version. */
  onOverwrite: (current: CiFile | null) => void;
  onDiscard: () => void;
}

/** Another user changed the file while the editor was open: their version, and the options to overwrite or use it. */
export function FileConflict({ path, branch, file, busy, onOverwrite, onDiscard }: FileConflictProps) {
  const ref = useRef<HTMLDivElement>(null);
  const { data, error, isFetching, refetch } = useQuery({
    ...ciFileQuery(path, branch, file),
    refetchOnMount: 'always',
  });
  useEffect(() => ref.current?.focus(), []);
  return (
    <div ref={ref} className={styles.conflict} role="alert" tabIndex={-1}>
      <p>
        <strong>
          <UnbrokenText>{`${file} was changed on ${branch} while you were editing it.`}</UnbrokenText>
        </strong>{' '}
        Your changes aren't committed yet. Compare them with the current version, then overwrite it or discard yours. To
        keep both, commit to a new branch.
      </p>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!isFetching && data !== undefined && (
        <>
          {data === null ? (
            <p>The file was deleted.</p>
          ) : (
            <Code label="Current version">{data.text ?? 'This file is binary or too large to display.'}</Code>
          )}
          <div className={styles.actions}>
            <Button busy={busy} onClick={() => onOverwrite(data)}>
              Overwrite with my changes
            </Button>
            <Button onClick={onDiscard}>Discard my changes</Button>
          </div>
        </>
      )}
    </div>
  );
}
