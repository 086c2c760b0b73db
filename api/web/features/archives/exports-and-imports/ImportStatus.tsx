import { liveParams } from '../../../data/containers.js';
import { generalSettingsPath, issuesPath, newContainerPath } from '../../../app/routing/paths.js';
import type { Container } from '../../../data/containers.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { POLL_MS, useLive } from '../../../data/live.js';
import { ApiProblem } from '../../../data/problem.js';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { Empty } from '../../../ui/Empty.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Fresh } from '../../../app/lists/Fresh.js';
import { Page, Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Progress } from '../../../ui/Progress.js';
import { Said } from '../../../ui/Said.js';
import { State } from '../../../ui/State.js';
import type { Tone } from '../../../ui/State.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import styles from './Archives.module.css';
import { FailureTable, RelationTable } from './Counted.js';
import { importLiveQueries, importQuery, isUnderWay, useCancelImport } from './queries.js';
import type { ImportProgress } from './queries.js';
import { archiveProblem } from './messages.js';

/** `/<project>/-/import` and `/groups/<group>/-/import`: how far an import is, and what became of it. */
export default function ImportStatus({ of }: { of: Container }) {
  const found = useQuery(importQuery(of));
  const arrived = (useLocation().state as { said?: string } | null)?.said ?? '';
  const [said, setSaid] = useState(arrived);
  const progress = found.data;
  useLive(progress ? liveParams(of) : null, importLiveQueries(of));
  const none = progress?.state === 'none' || (found.error instanceof ApiProblem && noImport.test(found.error.message));
  return (
    <Page title="Import" lead={<UnbrokenText>{of.path}</UnbrokenText>}>
      <Said>{said}</Said>
      {none && (
        <Empty action={<ButtonLink to={newContainerPath(of.kind, { from: 'archive' })}>Import an archive</ButtonLink>}>
          This {of.kind} wasn't imported from an archive.
        </Empty>
      )}
      {found.error && !none && (
        <Problem error={archiveProblem(found.error, of.kind)} retry={() => void found.refetch()} />
      )}
      {found.isPending && <LoadingRows label="Loading the import" rows={6} />}
      {progress && !none && (
        <>
          <DetailList details={importDetails(progress)} />
          {isUnderWay(progress.state) && (
            <>
              <UnderWay progress={progress} />
              <p>
                <Fresh at={found.dataUpdatedAt} everyMs={POLL_MS} failed={found.isRefetchError} />. You can leave this
                page.
              </p>
            </>
          )}
          <Actions of={of} progress={progress} onSaid={setSaid} />
          <Outcome progress={progress} />
        </>
      )}
    </Page>
  );
}

/** The API's message for a missing import, as opposed to a missing group. */
const noImport = /Import Not Found/i;

const STATES: Record<ImportProgress['state'], readonly [Tone, string]> = {
  none: ['quiet', 'not imported'],
  waiting: ['quiet', 'queued'],
  running: ['quiet', 'in progress'],
  finished: ['good', 'finished'],
  failed: ['bad', 'failed'],
};

function importDetails({ state, phase, reason, groups, startedAt, finishedAt, ...progress }: ImportProgress) {
  const [tone, label] = STATES[state];
  const left = progress.failuresCount;
  return [
    [
      'State',
      <State key="state" tone={state === 'finished' && left > 0 ? 'warn' : tone}>
        <UnbrokenText>{reason === null ? label : `${label}: ${reason}`}</UnbrokenText>
      </State>,
    ] as const,
    ...(phase !== null && state === 'running' ? [['Phase', phase] as const] : []),
    ...(groups && groups.total > 0
      ? [['Groups', `${groups.imported} of ${groups.total} created, ${groups.skipped} skipped`] as const]
      : []),
    ['Skipped', left === 0 ? 'nothing' : left.toLocaleString('en')] as const,
    ...(startedAt === null ? [] : [['Started', <Time key="began" at={startedAt} />] as const]),
    ...(finishedAt === null ? [] : [['Finished', <Time key="ended" at={finishedAt} />] as const]),
  ];
}

function UnderWay({ progress: { relations } }: { progress: ImportProgress }) {
  const total = relations.reduce((all, one) => all + one.total, 0);
  const done = relations.reduce((all, one) => all + one.imported + one.skipped, 0);
  return total === 0 ? null : <Progress label="Objects imported" done={done} of={total} />;
}

function Outcome({ progress: { relations, failures, failuresCount } }: { progress: ImportProgress }) {
  return (
    <>
      {relations.length > 0 && (
        <Section title="Imported relations">
          <RelationTable caption="Relations of the archive" relations={relations} />
        </Section>
      )}
      {failures.length > 0 && (
        <Section title="Skipped items">
          <FailureTable failures={failures} count={failuresCount} />
        </Section>
      )}
    </>
  );
}

interface ActionsProps {
  of: Container;
  progress: ImportProgress;
  onSaid: (said: string) => void;
}

function Actions({ of, progress, onSaid }: ActionsProps) {
  const [asking, setAsking] = useState(false);
  const cancel = useCancelImport(of);
  const running = isUnderWay(progress.state);
  return (
    <div className={styles.buttons}>
      {progress.state === 'finished' && of.kind === 'project' && (
        <ButtonLink kind="primary" to={issuesPath(of.path)}>
          Project issues
        </ButtonLink>
      )}
      {!running && <ButtonLink to={generalSettingsPath(of)}>General settings</ButtonLink>}
      {!running && <ButtonLink to={newContainerPath(of.kind, { from: 'archive' })}>Import another archive</ButtonLink>}
      {running && <Button onClick={() => setAsking(true)}>Cancel import</Button>}
      {asking && (
        <Confirm
          title="Cancel import?"
          does="Cancel import"
          danger
          busy={cancel.isPending}
          problem={cancel.error}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            cancel.mutate(undefined, {
              onSuccess: () => {
                setAsking(false);
                onSaid('Import cancelled.');
              },
            })
          }
        >
          <p>Everything imported so far is kept. You can delete the {of.kind}.</p>
        </Confirm>
      )}
    </div>
  );
}
