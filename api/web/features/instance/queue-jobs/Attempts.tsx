import type { QueueJobAttempt } from '../../../data/api.js';
import { Code } from '../../../ui/Code.js';
import { Empty } from '../../../ui/Empty.js';
import { Section } from '../../../ui/Page.js';
import { State } from '../../../ui/State.js';
import { Table } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { formatDuration } from '../../../ui/format-time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import styles from './Job.module.css';
import { getTone } from './labels.js';

/** Every try of a job, the newest first, with what went wrong and where in the code. */
export function Attempts({ attempts }: { attempts: readonly QueueJobAttempt[] }) {
  const newest = attempts.toReversed();
  return (
    <Section title="Attempts">
      {attempts.length === 0 ? (
        <Empty>No attempts yet.</Empty>
      ) : (
        <Table
          caption="Attempts"
          rows={newest}
          keyOf={({ attempt }) => attempt}
          columns={[
            { title: 'Attempt', cell: ({ attempt }) => String(attempt) },
            { title: 'Outcome', cell: ({ outcome }) => <State tone={getTone(outcome)}>{outcome}</State> },
            { title: 'Started', cell: ({ started_at }) => <Time at={started_at} /> },
            { title: 'Duration', cell: (attempt) => formatElapsed(attempt), end: true },
            { title: 'Worker', cell: ({ worker }) => worker },
            { title: 'Error', cell: (attempt) => <Fault attempt={attempt} /> },
          ]}
        />
      )}
      {/* Wider than any column. */}
      {newest.map(
        ({ attempt, stack }) =>
          stack && (
            <details key={attempt} className={styles.stack} open={attempt === attempts.length}>
              <summary>Stack of attempt {attempt}</summary>
              <Code label={`Stack of attempt ${attempt}`}>{stack}</Code>
            </details>
          ),
      )}
    </Section>
  );
}

function formatElapsed({ started_at, ended_at }: QueueJobAttempt): string {
  return ended_at === null ? 'running' : formatDuration(Date.parse(ended_at) - Date.parse(started_at));
}

function Fault({ attempt: { error_class: name, message } }: { attempt: QueueJobAttempt }) {
  if (name === null && message === null) return 'none';
  return (
    <>
      <span className={styles.class}>{name}</span> <UnbrokenText>{message ?? ''}</UnbrokenText>
    </>
  );
}
