import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, taken } from '../client/api.js';
import { Button } from '../look/Button.js';
import { Section } from '../look/Page.js';
import { Problem } from '../look/Problem.js';
import { Said } from '../look/Said.js';
import { State } from '../look/State.js';
import { LoadingRows, Table } from '../look/Table.js';
import type { SchedulesOf } from './address.js';
import { firingQuery } from './forecast-queries.js';
import type { Forecast, ForecastSchedule } from './forecast-queries.js';
import styles from './Forecast.module.css';
import { SCHEDULES } from './queries.js';
import { spreadOver } from './spread.js';
import type { Proposal } from './spread.js';
import { cronWords, schedulesWords } from './words.js';

const MINUTE_MS = 60_000;
/** Over so many minutes a stampede is spread. */
const MINUTES = 10;

type Stampede = Forecast['stampedes'][number];

const clockOf = (at: string) => new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Minutes at which very many schedules fire, and other times for them. */
export function Stampedes({ of, stampedes }: { of: SchedulesOf; stampedes: readonly Stampede[] }) {
  const [chosen, choose] = useState<string | null>(null);
  if (stampedes.length === 0 && chosen === null) return null;
  return (
    <Section title="Stampedes" aside="Many schedules that fire in the same minute">
      <ul className={styles.stampedes}>
        {stampedes.map(({ at, count, days }) => (
          <li key={at}>
            <State tone="warn">
              {count.toLocaleString('en')} at {clockOf(at)}, on {days === 1 ? 'one day' : `${days} days`}
            </State>
            <Button aria-expanded={chosen === at} onClick={() => choose(chosen === at ? null : at)}>
              Spread over {MINUTES} minutes?
            </Button>
          </li>
        ))}
      </ul>
      {chosen !== null && <Spread key={chosen} of={of} at={chosen} />}
    </Section>
  );
}

interface Applied {
  done: number;
  refused: readonly { description: string; reason: string }[];
}

async function apply(proposals: readonly Proposal<ForecastSchedule>[]): Promise<Applied> {
  const refused: { description: string; reason: string }[] = [];
  for (const { schedule, cron } of proposals)
    try {
      await taken(
        api.PUT('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}', {
          params: { path: { id: String(schedule.project.id), pipeline_schedule_id: schedule.id } },
          body: { cron, unchanged_since: schedule.updated_at },
        }),
      );
    } catch (error) {
      refused.push({ description: schedule.description, reason: (error as Error).message });
    }
  return { done: proposals.length - refused.length, refused };
}

/** Other times for the schedules of one minute: those that are chosen get them. */
function Spread({ of, at }: { of: SchedulesOf; at: string }) {
  const queries = useQueryClient();
  const to = new Date(Date.parse(at) + MINUTE_MS).toISOString();
  const found = useInfiniteQuery({ ...firingQuery(of, { from: at, to }), staleTime: Number.POSITIVE_INFINITY });
  const [left, leave] = useState<ReadonlySet<number>>(new Set());
  const [busy, setBusy] = useState(false);
  const [applied, setApplied] = useState<Applied | null>(null);
  const rows = found.data?.pages.flatMap((page) => page.rows) ?? [];
  const proposals = spreadOver(rows, MINUTES);
  const wanted = proposals.filter(({ schedule }) => !left.has(schedule.id));
  const move = async () => {
    setBusy(true);
    setApplied(await apply(wanted));
    setBusy(false);
    await queries.invalidateQueries({ queryKey: [SCHEDULES] });
  };
  if (found.error) return <Problem error={found.error} retry={() => void found.refetch()} />;
  if (found.isPending) return <LoadingRows label="Loading the schedules" />;
  if (applied) return <AppliedWords applied={applied} />;
  return (
    <>
      {proposals.length === 0 ? (
        <p className={styles.quiet}>None of them names one minute alone, so none can be moved so simply.</p>
      ) : (
        <Table
          caption="Proposed times"
          rows={proposals}
          keyOf={({ schedule }) => schedule.id}
          selection={{
            chosen: new Set(wanted.map(({ schedule }) => schedule.id)),
            nameOf: ({ schedule }) => schedule.description,
            choose: ({ schedule }, on) => {
              const next = new Set(left);
              if (on) next.delete(schedule.id);
              else next.add(schedule.id);
              leave(next);
            },
          }}
          columns={[
            { title: 'Schedule', cell: ({ schedule }) => schedule.description },
            { title: 'Now', cell: ({ schedule }) => <code>{schedule.cron}</code> },
            { title: 'Proposed', cell: ({ cron }) => <code>{cron}</code> },
            { title: 'In words', cell: ({ cron }) => cronWords(cron) },
            { title: 'Owner', cell: ({ schedule }) => schedule.owner?.name ?? 'nobody' },
          ]}
        />
      )}
      <div className={styles.form}>
        {wanted.length > 0 && (
          <Button kind="primary" busy={busy} onClick={() => void move()}>
            Apply to {schedulesWords(wanted.length)}
          </Button>
        )}
        {found.hasNextPage && (
          <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            Load more of them
          </Button>
        )}
      </div>
    </>
  );
}

function AppliedWords({ applied: { done, refused } }: { applied: Applied }) {
  const words = `${schedulesWords(done)} moved.`;
  return (
    <>
      <Said>{refused.length === 0 ? words : `${words} ${schedulesWords(refused.length)} refused:`}</Said>
      {refused.length > 0 && (
        <ul aria-label="Refused">
          {refused.map(({ description, reason }, index) => (
            <li key={index}>
              {description}: {reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
