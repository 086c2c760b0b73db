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
    'Includes subgroups, labels, milestones, epics with comments, boards, badges, members and settings. Excludes projects, tokens, variables and webhooks.',
  project:
    'Includes the repository, issues and merge requests with comments, labels, milestones, boards, badges, environments, protected branches and tags, schedules, and settings. Excludes tokens, webhooks and values of variables.',
};

const STATES: Record<ExportProgress['state'], readonly [Tone, string]> = {
  none: ['quiet', 'not exported, or archive expired'],
  queued: ['quiet', 'queued'],
  started: ['quiet', 'in progress'],
  finished: ['good', 'finished'],
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
        Export the {of.kind} to an archive that you can import here or on another instance. {CONTENTS[of.kind]}{' '}
        <HelpLink page="archives" />
      </p>
      <Said>{said}</Said>
      <DetailList details={exportDetails(progress)} />
      {running && (
        <>
          <RelationProgress relations={progress.relations} />
          <p>
            <Fresh at={at} everyMs={POLL_MS} failed={failed} />. You can leave this page.
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
    ...(progress.archived && progress.state !== 'finished' ? [['Archive', 'from an earlier export'] as const] : []),
    ...(progress.size === null ? [] : [['Size', formatBytes(progress.size)] as const]),
    ...(progress.finishedAt === null ? [] : [['Finished', <Time key="ended" at={progress.finishedAt} />] as const]),
    ...(progress.expiresAt === null ? [] : [['Expires', <Time key="until" at={progress.expiresAt} />] as const]),
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
        caption="Exported relations"
        rows={relations}
        keyOf={({ relation }) => relation}
        columns={[
          { title: 'Relation', cell: ({ relation }) => formatRelation(relation) },
          { title: 'Exported', end: true, cell: ({ done }) => done.toLocaleString('en') },
          { title: 'Total', end: true, cell: ({ total }) => total.toLocaleString('en') },
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
            onClick={() => start.mutate(undefined, { onSuccess: () => onSaid('Export started.') })}
          >
            {progress.state === 'none' ? `Export ${of.kind}` : 'Export again'}
          </Button>
        )}
        {progress.archived && (
          <Button
            kind="primary"
            busy={download.isPending}
            onClick={() => download.mutate(undefined, { onSuccess: (name) => onSaid(`Downloaded ${name}.`) })}
          >
            {download.isPending ? 'Downloading …' : 'Download'}
          </Button>
        )}
        {(running || progress.archived) && (
          <Button onClick={() => setAsking(true)}>{running ? 'Cancel export' : 'Delete archive'}</Button>
        )}
      </div>
      {progress.archived && <p>The archive expires after a day. Only you can download it, also through the API.</p>}
      {asking && <RemoveDialog of={of} progress={progress} onClose={() => setAsking(false)} onSaid={onSaid} />}
    </>
  );
}

function RemoveDialog({ of, progress, onSaid, onClose }: ActionsProps & { onClose: () => void }) {
  const drop = useDropExport(of);
  const running = isRunning(progress.state);
  return (
    <Confirm
      title={running ? 'Cancel export?' : 'Delete archive?'}
      does={running ? 'Cancel export' : 'Delete'}
      danger
      busy={drop.isPending}
      problem={drop.error && archiveProblem(drop.error, of.kind)}
      onClose={onClose}
      onConfirm={() =>
        drop.mutate(undefined, {
          onSuccess: () => {
            onClose();
            onSaid(running ? 'Export cancelled.' : 'Archive deleted.');
          },
        })
      }
    >
      <p>
        {running && progress.archived ? 'The archive of the earlier export is deleted as well. ' : ''}
        The {of.kind} itself isn't affected. You can export it again.
      </p>
    </Confirm>
  );
}
