import { schedulePath } from '../../../app/routing/paths.js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ApiProblem } from '../../../data/problem.js';
import { AskFirst } from '../../../app/dialogs/AskFirst.js';
import { Button } from '../../../ui/Button.js';
import { Said } from '../../../ui/Said.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useSession } from '../../../data/session.js';
import { ACTIONS } from './changes.js';
import type { Action } from './changes.js';
import { SCHEDULES } from './queries.js';
import type { ListedSchedule } from './queries.js';
import { explainError, formatScheduleCount } from './labels.js';
import styles from './Schedules.module.css';

/** Requests that are under way at a time. */
const AT_A_TIME = 4;

const LABELS: Readonly<Record<Action, { does: string; done: string; means: string }>> = {
  play: {
    does: 'Play',
    done: 'played',
    means: "Each schedule runs once now, as you. Their regular times don't change.",
  },
  pause: { does: 'Pause', done: 'paused', means: 'They stop running until activated.' },
  activate: { does: 'Activate', done: 'activated', means: 'They run again from their next scheduled time.' },
  take: {
    does: 'Take ownership',
    done: 'taken over',
    means: 'You become the owner, and they run with your permissions.',
  },
};

interface Failure {
  schedule: ListedSchedule;
  error: Error;
}

interface Outcome {
  action: Action;
  done: number;
  failures: readonly Failure[];
}

/** Does one thing to many, a few at a time; each is refused by itself. */
async function doToAll(
  action: Action,
  chosen: readonly ListedSchedule[],
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const waiting = [...chosen];
  const failures: Failure[] = [];
  let done = 0;
  const work = async () => {
    for (let schedule = waiting.shift(); schedule; schedule = waiting.shift()) {
      try {
        await ACTIONS[action](schedule.project.id, schedule.id);
      } catch (error) {
        failures.push({ schedule, error: error as Error });
      }
      done += 1;
      onProgress(done);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return { action, done: done - failures.length, failures };
}

interface BulkDoneProps {
  /** The selected schedules. */
  rows: readonly ListedSchedule[];
  onDone: () => void;
}

/** The bulk actions for the selected schedules, with their results, and the reasons of refusals. */
export default function BulkDone({ rows, onDone }: BulkDoneProps) {
  const queries = useQueryClient();
  const [asking, ask] = useState<Action | null>(null);
  const [busy, setBusy] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const act = async (action: Action) => {
    setBusy(0);
    setOutcome(await doToAll(action, rows, setBusy));
    setBusy(null);
    ask(null);
    onDone();
    await queries.invalidateQueries({ queryKey: [SCHEDULES] });
  };
  return (
    <>
      {rows.length > 0 && (
        <>
          <output className={styles.name}>{formatScheduleCount(rows.length)} chosen</output>
          {(Object.keys(LABELS) as Action[]).map((action) => (
            <Button key={action} onClick={() => ask(action)}>
              {LABELS[action].does}
            </Button>
          ))}
        </>
      )}
      {asking && (
        <AskFirst
          title={`${LABELS[asking].does} ${formatScheduleCount(rows.length)}?`}
          does={busy === null ? LABELS[asking].does : `${busy} of ${rows.length}`}
          busy={busy !== null}
          problem={null}
          onConfirm={() => void act(asking)}
          onClose={() => busy === null && ask(null)}
        >
          <p>{LABELS[asking].means} Schedules you can't change are skipped and listed.</p>
        </AskFirst>
      )}
      <Said>{outcome ? formatOutcome(outcome) : ''}</Said>
      {outcome && outcome.failures.length > 0 && <FailureList {...outcome} />}
    </>
  );
}

function formatOutcome({ action, done, failures }: Outcome): string {
  const message = `${formatScheduleCount(done)} ${LABELS[action].done}.`;
  return failures.length === 0 ? message : `${message} ${formatScheduleCount(failures.length)} not changed:`;
}

function FailureList({ action, failures }: Outcome) {
  const me = useSession().data?.user?.id ?? null;
  return (
    <ul className={styles.failures} aria-label="Not changed">
      {failures.map(({ schedule, error }) => {
        const { id, description, owner, project } = schedule;
        const requestId = error instanceof ApiProblem && error.status === 403 ? error.requestId : null;
        return (
          <li key={id}>
            <Link to={schedulePath(project.path_with_namespace, id)}>
              <UnbrokenText>{description}</UnbrokenText>
            </Link>
            : {explainError(action, error, owner !== null && owner.id === me)}{' '}
            {requestId && <Link to={`/-/refused_requests/${requestId}`}>Which permission is missing?</Link>}
          </li>
        );
      })}
    </ul>
  );
}
