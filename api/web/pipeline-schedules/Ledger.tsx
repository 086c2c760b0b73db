import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { Run } from '../client/api.js';
import { ButtonLink } from '../look/Button.js';
import { Figures } from '../look/Facts.js';
import { Section } from '../look/Page.js';
import { Problem } from '../look/Problem.js';
import { State } from '../look/State.js';
import { LoadingRows, Table } from '../look/Table.js';
import { Time } from '../look/Time.js';
import { durationWords, instantWords } from '../look/time-words.js';
import { Whole } from '../look/Whole.js';
import { askedLedger, ledgerCsv, ledgerQuery, summaryQuery } from './ledger-queries.js';
import type { AskedLedger } from './ledger-queries.js';
import { LedgerFilter } from './LedgerFilter.js';
import styles from './Schedule.module.css';
import { fateWords, OUTCOMES } from './words.js';
import type { Outcome } from './words.js';

interface LedgerProps {
  path: string;
  id: number;
}

/** Every due moment of a schedule and what became of it, also where that was nothing. */
export function Ledger({ path, id }: LedgerProps) {
  const [search] = useSearchParams();
  const asked = askedLedger(search);
  const found = useQuery(ledgerQuery(path, id, asked));
  const { data, error } = found;
  return (
    <Section
      title="Ledger"
      aside={
        <a href={ledgerCsv(path, id, asked)} download={`schedule-${id}-runs.csv`}>
          Download as CSV
        </a>
      }
    >
      <Summary path={path} id={id} asked={asked} />
      {asked.moment === null ? (
        <LedgerFilter asked={asked} />
      ) : (
        <div className={styles.actions}>
          <ButtonLink to="?" preventScrollReset>
            All moments
          </ButtonLink>
        </div>
      )}
      {error && !data && <Problem error={error} retry={() => void found.refetch()} />}
      {found.isPending && <LoadingRows label="Loading the ledger" rows={8} />}
      {data?.rows.length === 0 && <Nothing asked={asked} />}
      {data && data.rows.length > 0 && (
        <>
          <Marks runs={data.rows} />
          <Moments runs={data.rows} />
        </>
      )}
      <Pages asked={asked} next={data?.next ?? null} />
    </Section>
  );
}

function Nothing({ asked: { outcome, from, to, moment } }: { asked: AskedLedger }) {
  const filtered = outcome !== '' || from !== '' || to !== '' || moment !== null;
  return (
    <p className={styles.quiet}>
      {filtered
        ? 'No due moment is like that. Moments are kept for 90 days.'
        : 'It was not due yet. Each due moment appears here, also where nothing came of it.'}
    </p>
  );
}

const lateWords = (ms: number | null) => (ms === null ? 'none' : durationWords(ms));

function Summary({ path, id, asked }: LedgerProps & { asked: AskedLedger }) {
  const { data } = useQuery(summaryQuery(path, id, asked));
  if (!data || data.total === 0) return null;
  const { outcomes, lateness_ms: late } = data;
  const counts = (Object.keys(OUTCOMES) as Outcome[])
    .filter((name) => outcomes[name] > 0)
    .map((name) => [OUTCOMES[name].words, outcomes[name].toLocaleString('en')] as const);
  return (
    <Figures
      figures={[
        ...counts,
        ['half within', lateWords(late.p50)],
        ['99 of 100 within', lateWords(late.p99)],
        ['latest', lateWords(late.max)],
      ]}
    />
  );
}

/** The address of one moment, which can be shared. */
const momentAddress = (at: string) => `?${new URLSearchParams({ moment: at })}`;

/** A mark for each moment, the oldest at the left. */
function Marks({ runs }: { runs: readonly Run[] }) {
  return (
    <ol className={styles.marks} aria-label="Due moments, the oldest first">
      {runs.toReversed().map((run) => {
        const words = `${instantWords(new Date(run.due_at))}: ${fateWords(run)}`;
        const look = run.outcome === 'missed' ? styles.missed : styles[OUTCOMES[run.outcome].tone];
        return (
          <li key={run.id ?? run.due_at}>
            <Link
              className={`${styles.mark} ${look}`}
              to={momentAddress(run.due_at)}
              preventScrollReset
              aria-label={words}
              title={words}
            />
          </li>
        );
      })}
    </ol>
  );
}

function Moments({ runs }: { runs: readonly Run[] }) {
  return (
    <Table
      caption="Due moments, the newest first"
      rows={runs}
      keyOf={(run) => run.id ?? run.due_at}
      columns={[
        {
          title: 'Due',
          cell: ({ due_at: at }) => (
            <Link to={momentAddress(at)} preventScrollReset>
              {instantWords(new Date(at))}
            </Link>
          ),
        },
        {
          title: 'Outcome',
          cell: (run) => <State tone={OUTCOMES[run.outcome].tone}>{fateWords(run)}</State>,
        },
        { title: 'Why', cell: ({ reason }) => reason && <Whole>{reason}</Whole> },
        { title: 'Pipeline', cell: ({ pipeline_id: id }) => id !== null && `#${id}` },
        { title: 'When', cell: ({ due_at: at }) => <Time at={at} /> },
      ]}
    />
  );
}

function Pages({ asked, next }: { asked: AskedLedger; next: string | null }) {
  const [search] = useSearchParams();
  if (asked.cursor === null && next === null) return null;
  const to = (cursor: string | null) => {
    const params = new URLSearchParams(search);
    params.delete('cursor');
    if (cursor !== null) params.set('cursor', cursor);
    return `?${params}`;
  };
  return (
    <nav className={styles.pages} aria-label="Pages of the ledger">
      {asked.cursor !== null && (
        <ButtonLink to={to(null)} preventScrollReset>
          Newest
        </ButtonLink>
      )}
      {next !== null && (
        <ButtonLink to={to(next)} preventScrollReset>
          Older
        </ButtonLink>
      )}
    </nav>
  );
}
