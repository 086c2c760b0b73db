import { PageLinks } from '../../../app/lists/PageLinks.js';
import { jobsPath, pipelinesPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Run } from '../../../data/api.js';
import { ButtonLink } from '../../../ui/Button.js';
import { CopyButton } from '../../../ui/CopyButton.js';
import { DetailList, Figures } from '../../../ui/DetailList.js';
import { Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { State } from '../../../ui/State.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { formatDuration, formatInstant } from '../../../ui/format-time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { readLedgerFilters, ledgerCsv, ledgerQuery, summaryQuery } from './ledger-queries.js';
import type { LedgerFilters } from './ledger-queries.js';
import { StatusOf } from '../pipelines/index.js';
import { LedgerFilter } from './LedgerFilter.js';
import styles from './Schedule.module.css';
import { formatOutcome, OUTCOMES } from './labels.js';
import type { Outcome } from './labels.js';

interface LedgerProps {
  path: string;
  id: number;
  /** The schedule's own. */
  zone: string;
}

/** Every due time of a schedule and its outcome, including times at which no run started. */
export function Ledger({ path, id, zone }: LedgerProps) {
  const [search] = useSearchParams();
  const filters = readLedgerFilters(search);
  const found = useQuery(ledgerQuery(path, id, filters));
  const { data, error } = found;
  return (
    <Section
      title="Ledger"
      aside={
        <a href={ledgerCsv(path, id, filters)} download={`schedule-${id}-runs.csv`}>
          Download as CSV
        </a>
      }
    >
      {filters.dueAt === null && <Summary path={path} id={id} filters={filters} />}
      {filters.dueAt === null && <LedgerFilter filters={filters} />}
      {error && !data && <Problem error={error} retry={() => void found.refetch()} />}
      {found.isPending && <LoadingRows label="Loading ledger" rows={8} />}
      {data?.rows.length === 0 && <Nothing filters={filters} />}
      {data && data.rows.length > 0 && filters.dueAt === null && (
        <>
          <Marks runs={data.rows} />
          <OccurrenceTable path={path} runs={data.rows} />
        </>
      )}
      {filters.dueAt !== null && (
        <>
          {data?.rows.map((run) => (
            <OccurrenceDetails key={run.id ?? run.due_at} path={path} run={run} zone={zone} />
          ))}
          <div className={styles.actions}>
            <ButtonLink to="?">All runs</ButtonLink>
            {data && data.rows.length > 0 && (
              <span className={styles.share}>
                Link to this run: <CopyButton text={location.href} label="Copy link to this run" />
              </span>
            )}
          </div>
        </>
      )}
      <PageLinks name="cursor" page={filters.cursor ?? ''} next={data?.next ?? null} label="Pages of the ledger" />
    </Section>
  );
}

function Nothing({ filters: { outcome, last, from, to, dueAt } }: { filters: LedgerFilters }) {
  if (dueAt !== null)
    return (
      <p className={styles.quiet}>
        No run was scheduled for {formatInstant(new Date(dueAt))}. Runs are kept for 90 days.
      </p>
    );
  const filtered = outcome !== '' || last !== '' || from !== '' || to !== '';
  return (
    <p className={styles.quiet}>
      {filtered
        ? 'No runs match the filter. Runs are kept for 90 days.'
        : "No scheduled runs yet. Every scheduled run appears here, even if it didn't start."}
    </p>
  );
}

const formatLateness = (ms: number | null) => formatDuration(ms ?? 0);

function Summary({ path, id, filters }: Omit<LedgerProps, 'zone'> & { filters: LedgerFilters }) {
  const { data } = useQuery(summaryQuery(path, id, filters));
  if (!data || data.total === 0) return null;
  const { outcomes, lateness_ms: late } = data;
  const counts = (Object.keys(OUTCOMES) as Outcome[])
    .filter((name) => outcomes[name] > 0)
    .map((name) => [OUTCOMES[name].label, outcomes[name].toLocaleString('en')] as const);
  return (
    <>
      <Figures figures={counts} />
      {late.max !== null && (
        <Figures
          figures={[
            ['lateness, median', formatLateness(late.p50)],
            ['90th percentile', formatLateness(late.p90)],
            ['99th percentile', formatLateness(late.p99)],
            ['maximum', formatLateness(late.max)],
          ]}
        />
      )}
    </>
  );
}

/** The address of one due time, which can be shared. */
const occurrenceAddress = (at: string) => `?${new URLSearchParams({ moment: at })}`;

/** The style of a mark, by the outcome of its due time. */
const markClass = (outcome: Outcome): string =>
  `${styles.mark} ${outcome === 'missed' ? styles.missed : styles[OUTCOMES[outcome].tone]}`;

/** A mark for each due time, the oldest on the left. One is reachable by Tab, the others from there by arrow keys. */
function Marks({ runs }: { runs: readonly Run[] }) {
  const [at, setAt] = useState(runs.length - 1);
  const ref = useRef<HTMLOListElement>(null);
  const current = Math.min(at, runs.length - 1);
  const go = (event: KeyboardEvent) => {
    const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: runs.length - 1 }[event.key];
    if (to === undefined || to < 0 || to >= runs.length) return;
    event.preventDefault();
    setAt(to);
    ref.current?.querySelectorAll('a')[to]?.focus();
  };
  const kinds = (Object.keys(OUTCOMES) as Outcome[]).filter((kind) => runs.some(({ outcome }) => outcome === kind));
  return (
    <div className={styles.drawn}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the links in it take the keys */}
      <ol ref={ref} className={styles.marks} aria-label="Scheduled runs, oldest first" onKeyDown={go}>
        {runs.toReversed().map((run, index) => {
          const label = `${formatInstant(new Date(run.due_at))}: ${formatOutcome(run)}`;
          return (
            <li key={run.id ?? run.due_at}>
              <Link
                className={markClass(run.outcome)}
                to={occurrenceAddress(run.due_at)}
                tabIndex={index === current ? 0 : -1}
                aria-label={label}
                title={label}
              />
            </li>
          );
        })}
      </ol>
      <ul className={styles.legend} aria-label="Legend">
        {kinds.map((kind) => (
          <li key={kind}>
            <span className={markClass(kind)} /> {OUTCOMES[kind].label}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The page of the pipeline that a run made. */
function PipelineOf({ path, id }: { path: string; id: number | null }) {
  return id !== null && <Link to={pipelinesPath(path, id)}>#{id}</Link>;
}

/** The job of a run that began before all others, and how long it took from the due time to its log. */
function FirstJob({ path, run: { first_job: job, first_log_at: log, due_at: due } }: { path: string; run: Run }) {
  if (!job) return null;
  return (
    <>
      <Link to={jobsPath(path, job.id)}>
        <UnbrokenText>{job.name}</UnbrokenText>
      </Link>
      <span className={styles.quiet}>{log ? `log after ${formatSpan(due, log)}` : 'no log yet'}</span>
    </>
  );
}

const formatSpan = (from: string, to: string): string => formatDuration(Date.parse(to) - Date.parse(from));

function OccurrenceTable({ path, runs }: { path: string; runs: readonly Run[] }) {
  return (
    <Table
      caption="Scheduled runs, newest first"
      rows={runs}
      keyOf={(run) => run.id ?? run.due_at}
      columns={[
        {
          title: 'Due',
          cell: ({ due_at: at }) => (
            <Link className={styles.whole} to={occurrenceAddress(at)}>
              {formatInstant(new Date(at))}
            </Link>
          ),
        },
        {
          title: 'Outcome',
          cell: (run) => (
            <>
              <State tone={OUTCOMES[run.outcome].tone}>{formatOutcome(run)}</State>
              <Reason run={run} />
            </>
          ),
        },
        { title: 'Pipeline', cell: ({ pipeline_id: id }) => <PipelineOf path={path} id={id} /> },
        { title: 'First job', cell: (run) => run.first_job && <FirstJob path={path} run={run} /> },
        { title: 'Date', cell: ({ due_at: at }) => <Time at={at} /> },
      ]}
    />
  );
}

/** Why it did not fire, if the reason is more specific than the outcome. */
function Reason({ run }: { run: Run }) {
  const { reason } = run;
  if (!reason || formatOutcome(run).endsWith(reason.replace(/\.$/, '').toLowerCase())) return null;
  return (
    <span className={styles.quiet}>
      <UnbrokenText>{reason}</UnbrokenText>
    </span>
  );
}

/** The details of one due time, and its address for sharing. */
function OccurrenceDetails({ path, run, zone }: { path: string; run: Run; zone: string }) {
  const { due_at: due, started_at: started, lateness_ms: late, outcome, reason, pipeline_id: id } = run;
  const { first_job: job, first_log_at: log } = run;
  const there = new Date(due).toLocaleString('sv-SE', {
    timeZone: resolveZone(zone),
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return (
    <>
      <DetailList
        details={[
          [
            'Outcome',
            <State key="outcome" tone={OUTCOMES[outcome].tone}>
              {formatOutcome(run)}
            </State>,
          ],
          ['Due', <span key="due">{formatInstant(new Date(due))}</span>],
          ['Local time', `${there} ${zone}`],
          ['When', <Time key="when" at={due} />],
          ...(reason ? [['Reason', <UnbrokenText key="why">{reason}</UnbrokenText>] as const] : []),
          ...(started
            ? [
                [
                  'Started',
                  `${formatInstant(new Date(started))}${late === null ? '' : `, ${formatDuration(late)} after`}`,
                ] as const,
              ]
            : []),
          ...(id === null ? [] : [['Pipeline', <PipelineOf key="pipeline" path={path} id={id} />] as const]),
          ...(job
            ? [
                [
                  'First job',
                  <Fragment key="job">
                    <Link to={jobsPath(path, job.id)}>
                      <UnbrokenText>{job.name}</UnbrokenText>
                    </Link>{' '}
                    <StatusOf status={job.status} />
                  </Fragment>,
                ] as const,
                [
                  'First log line',
                  log ? `${formatInstant(new Date(log))}, ${formatSpan(due, log)} after the due time` : 'none yet',
                ] as const,
              ]
            : []),
        ]}
      />
    </>
  );
}

/** The zone by a name that the browser knows; else its own. */
function resolveZone(zone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
