import { HelpLink } from '../../../app/shell/HelpLink.js';
import type { Container } from '../../../data/containers.js';
import { useState } from 'react';
import { POLL_MS } from '../../../data/live.js';
import { Button } from '../../../ui/Button.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Fresh } from '../../../app/lists/Fresh.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Progress } from '../../../ui/Progress.js';
import { Said } from '../../../ui/Said.js';
import { State } from '../../../ui/State.js';
import type { Tone } from '../../../ui/State.js';
import { Table } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import styles from './Archives.module.css';
import { isRunning, useDownload, useDropExport, useStartExport } from './queries.js';
import type { RelationDone, ExportProgress } from './queries.js';
import { archiveProblem, formatRelation } from './messages.js';
import { formatBytes } from '../../../ui/format-bytes.js';

const CONTENTS: Record<Container['kind'], string> = {
  group:
    'Its subgroups, labels, milestones, epics with their comments, boards, badges, members and settings. Projects, tokens, variables and webhooks are not in it.',
  project:
    'Its repository, issues and merge requests with their comments, labels, milestones, boards, badges, environments, protected branches and tags, schedules, and settings. Tokens, webhooks and the values of variables are not in it.',
};

const STATES: Record<ExportProgress['state'], readonly [Tone, string]> = {
  none: ['quiet', 'not exported, or the archive has expired'],
  queued: ['quiet', 'waiting for a worker'],
  started: ['quiet', 'being written'],
  finished: ['good', 'written'],
  failed: ['bad', 'failed'],
  cancelled: ['quiet', 'cancelled'],
};

interface ExportProps {
  of: Container;
  progress: ExportProgress;
  /** Time of the last check, in milliseconds since 1970. */
  at: number;
  /** Whether the newest poll failed. */
  failed: boolean;
}

/** The archive of a project or group: to have it written, follow that, download it, or remove it. */
export function Export({ of, progress, at, failed }: ExportProps) {
  const [said, setSaid] = useState('');
  const running = isRunning(progress.state);
  return (
    <>
      <p>
        An archive from which the {of.kind} can be made anew, here or elsewhere. {CONTENTS[of.kind]}{' '}
        <HelpLink page="archives" />
      </p>
      <Said>{said}</Said>
      <DetailList details={exportDetails(progress)} />
      {running && (
        <>
          <RelationProgress relations={progress.relations} />
          <p>
            <Fresh at={at} everyMs={POLL_MS} failed={failed} />. It goes on when you leave this page.
          </p>
        </>
      )}
      <ExportActions of={of} progress={progress} onSaid={setSaid} />
    </>
  );
}

function exportDetails(progress: ExportProgress) {
  const [tone, label] = STATES[progress.state];
  return [
    [
      'State',
      <State key="state" tone={tone}>
        {progress.reason === null ? label : `${label}: ${progress.reason}`}
      </State>,
    ] as const,
    ...(progress.archived && progress.state !== 'finished' ? [['Archive', 'of an earlier export'] as const] : []),
    ...(progress.size === null ? [] : [['Size', formatBytes(progress.size)] as const]),
    ...(progress.finishedAt === null ? [] : [['Ended', <Time key="ended" at={progress.finishedAt} />] as const]),
    ...(progress.expiresAt === null ? [] : [['Kept until', <Time key="until" at={progress.expiresAt} />] as const]),
  ];
}

/** Objects of all relations that were begun, and each of them. */
function RelationProgress({ relations }: { relations: readonly RelationDone[] }) {
  if (relations.length === 0) return null;
  const sum = (key: 'total' | 'done') => relations.reduce((all, one) => all + one[key], 0);
  return (
    <>
      <Progress label="Objects written" done={sum('done')} of={sum('total')} />
      <Table
        caption="What is written"
        rows={relations}
        keyOf={({ relation }) => relation}
        columns={[
          { title: 'Relation', cell: ({ relation }) => formatRelation(relation) },
          { title: 'Written', end: true, cell: ({ done }) => done.toLocaleString('en') },
          { title: 'Of', end: true, cell: ({ total }) => total.toLocaleString('en') },
        ]}
      />
    </>
  );
}

interface ActionsProps {
  of: Container;
  progress: ExportProgress;
  onSaid: (said: string) => void;
}

function ExportActions({ of, progress, onSaid }: ActionsProps) {
  const [asking, setAsking] = useState(false);
  const start = useStartExport(of);
  const download = useDownload(of);
  const running = isRunning(progress.state);
  const error = start.error ?? download.error;
  return (
    <>
      {error && <Problem error={archiveProblem(error, of.kind)} />}
      <div className={styles.buttons}>
        {!running && (
          <Button
            kind={progress.archived ? 'plain' : 'primary'}
            busy={start.isPending}
            onClick={() => start.mutate(undefined, { onSuccess: () => onSaid('The export is asked for.') })}
          >
            {progress.state === 'none' ? `Export ${of.kind}` : 'Export again'}
          </Button>
        )}
        {progress.archived && (
          <Button
            kind="primary"
            busy={download.isPending}
            onClick={() => download.mutate(undefined, { onSuccess: (name) => onSaid(`${name} is with your browser.`) })}
          >
            {download.isPending ? 'Downloading …' : 'Download'}
          </Button>
        )}
        {(running || progress.archived) && (
          <Button onClick={() => setAsking(true)}>{running ? 'Cancel the export' : 'Remove the archive'}</Button>
        )}
      </div>
      {progress.archived && (
        <p>An archive is kept for a day, and is for whoever exported it. Scripts can take it as well.</p>
      )}
      {asking && <RemoveDialog of={of} progress={progress} onClose={() => setAsking(false)} onSaid={onSaid} />}
    </>
  );
}

function RemoveDialog({ of, progress, onSaid, onClose }: ActionsProps & { onClose: () => void }) {
  const drop = useDropExport(of);
  const running = isRunning(progress.state);
  return (
    <Confirm
      title={running ? 'Cancel the export?' : 'Remove the archive?'}
      does={running ? 'Cancel the export' : 'Remove'}
      danger
      busy={drop.isPending}
      problem={drop.error && archiveProblem(drop.error, of.kind)}
      onClose={onClose}
      onConfirm={() =>
        drop.mutate(undefined, {
          onSuccess: () => {
            onClose();
            onSaid(running ? 'The export is cancelled.' : 'The archive is removed.');
          },
        })
      }
    >
      <p>
        {running && progress.archived ? 'The archive of the earlier export goes as well. ' : ''}
        The {of.kind} itself is not touched. It can be exported again.
      </p>
    </Confirm>
  );
}
