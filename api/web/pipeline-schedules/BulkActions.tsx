import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../look/Button.js';
import { AskFirst } from '../look/AskFirst.js';
import { Said } from '../look/Said.js';
import { ACTIONS } from './changes.js';
import type { Action } from './changes.js';
import { SCHEDULES } from './queries.js';
import type { ListedSchedule } from './queries.js';
import styles from './Schedules.module.css';
import { schedulesWords } from './words.js';

/** Requests that are under way at a time. */
const AT_A_TIME = 4;

const WORDS: Readonly<Record<Action, { does: string; done: string; means: string }>> = {
  play: { does: 'Play', done: 'played', means: 'Each runs once, now, in your name. Their times stay as they are.' },
  pause: { does: 'Pause', done: 'paused', means: 'They fire no more until they are activated again.' },
  activate: { does: 'Activate', done: 'activated', means: 'They fire again from their next time on.' },
  take: { does: 'Take over', done: 'taken over', means: 'You become their owner: they run with your rights.' },
};

interface Refusal {
  schedule: ListedSchedule;
  reason: string;
}

interface Outcome {
  action: Action;
  done: number;
  refused: readonly Refusal[];
}

/** Does one thing to many, a few at a time; each is refused by itself. */
async function doToAll(
  action: Action,
  chosen: readonly ListedSchedule[],
  tell: (done: number) => void,
): Promise<Outcome> {
  const waiting = [...chosen];
  const refused: Refusal[] = [];
  let done = 0;
  const work = async () => {
    for (let schedule = waiting.shift(); schedule; schedule = waiting.shift()) {
      try {
        await ACTIONS[action](schedule.project.id, schedule.id);
      } catch (error) {
        refused.push({ schedule, reason: (error as Error).message });
      }
      done += 1;
      tell(done);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return { action, done: done - refused.length, refused };
}

interface BulkActionsProps {
  shown: readonly ListedSchedule[];
  chosen: ReadonlySet<number>;
  onChoose: (chosen: ReadonlySet<number>) => void;
}

/** Choosing several schedules, and what can be done to them at once; what is refused, with its reason. */
export function BulkActions({ shown, chosen, onChoose }: BulkActionsProps) {
  const queries = useQueryClient();
  const [asking, ask] = useState<Action | null>(null);
  const [busy, setBusy] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const rows = shown.filter(({ id }) => chosen.has(id));
  const act = async (action: Action) => {
    setBusy(0);
    setOutcome(await doToAll(action, rows, setBusy));
    setBusy(null);
    ask(null);
    onChoose(new Set());
    await queries.invalidateQueries({ queryKey: [SCHEDULES] });
  };
  return (
    <>
      <fieldset className={styles.bar} aria-label="What is chosen">
        <label className={styles.all}>
          <input
            type="checkbox"
            checked={rows.length > 0 && rows.length === shown.length}
            ref={(box) => {
              if (box) box.indeterminate = rows.length > 0 && rows.length < shown.length;
            }}
            onChange={(event) => onChoose(new Set(event.currentTarget.checked ? shown.map(({ id }) => id) : []))}
          />
          {shown.length === 1 ? 'Choose the one shown' : `Choose the ${shown.length} shown`}
        </label>
        {rows.length > 0 && (
          <>
            <output className={styles.name}>{schedulesWords(rows.length)} chosen</output>
            {(Object.keys(WORDS) as Action[]).map((action) => (
              <Button key={action} onClick={() => ask(action)}>
                {WORDS[action].does}
              </Button>
            ))}
          </>
        )}
      </fieldset>
      {asking && (
        <AskFirst
          title={`${WORDS[asking].does} ${schedulesWords(rows.length)}?`}
          does={busy === null ? WORDS[asking].does : `${busy} of ${rows.length}`}
          busy={busy !== null}
          problem={null}
          onConfirm={() => void act(asking)}
          onClose={() => busy === null && ask(null)}
        >
          <p>{WORDS[asking].means} What you may not change is left as it is, and told.</p>
        </AskFirst>
      )}
      <Said>{outcome ? saidOf(outcome) : ''}</Said>
      {outcome && outcome.refused.length > 0 && (
        <ul className={styles.refused} aria-label="Refused">
          {outcome.refused.map(({ schedule, reason }) => (
            <li key={schedule.id}>
              {schedule.description}: {reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function saidOf({ action, done, refused }: Outcome): string {
  const words = `${schedulesWords(done)} ${WORDS[action].done}.`;
  return refused.length === 0 ? words : `${words} ${schedulesWords(refused.length)} refused:`;
}
