import { schedulePath } from '../../../app/routing/paths.js';
import type { ScheduleScope } from '../../../app/routing/paths.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, unwrap } from '../../../data/api.js';
import { Button } from '../../../ui/Button.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Said } from '../../../ui/Said.js';
import { Select } from '../../../ui/Select.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useSession } from '../../../data/session.js';
import { allFiringQuery, FIRING_AT_MOST } from './forecast-queries.js';
import type { ForecastSchedule } from './forecast-queries.js';
import styles from './Forecast.module.css';
import { SCHEDULES } from './queries.js';
import { explainError, formatCron, formatScheduleCount } from './labels.js';
import rows from './Schedules.module.css';
import { spreadOver } from './spread.js';
import type { Proposal } from './spread.js';

const MINUTE_MS = 60_000;
/** Minutes over which simultaneous runs may be spread; the first is the default. */
const MINUTES = [10, 5, 15, 30, 60];
/** Number of rows from which on the list scrolls separately, so that the content below stays close. */
const LONG = 12;
/** Requests that are under way at a time. */
const AT_A_TIME = 4;

interface Applied {
  done: number;
  failures: readonly { schedule: ForecastSchedule; error: Error }[];
}

async function apply(
  proposals: readonly Proposal<ForecastSchedule>[],
  onProgress: (done: number) => void,
): Promise<Applied> {
  const waiting = [...proposals];
  const failures: { schedule: ForecastSchedule; error: Error }[] = [];
  let done = 0;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { schedule, cron } = next;
      try {
        await unwrap(
          api.PUT('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}', {
            params: { path: { id: String(schedule.project.id), pipeline_schedule_id: schedule.id } },
            body: { cron, unchanged_since: schedule.updated_at },
          }),
        );
      } catch (error) {
        failures.push({ schedule, error: error as Error });
      }
      done += 1;
      onProgress(done);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return { done: done - failures.length, failures };
}

interface SpreadProps {
  of: ScheduleScope;
  /** The minute, and how many fire then. */
  at: string;
  count: number;
}

/** Other times for the schedules of one minute: those that are chosen get them. */
export default function Spread({ of, at, count }: SpreadProps) {
  const queries = useQueryClient();
  const to = new Date(Date.parse(at) + MINUTE_MS).toISOString();
  const found = useQuery(allFiringQuery(of, { from: at, to }));
  const [minutes, setMinutes] = useState(MINUTES[0] as number);
  const [left, leave] = useState<ReadonlySet<number>>(new Set());
  const [busy, setBusy] = useState<number | null>(null);
  const [applied, setApplied] = useState<Applied | null>(null);
  const proposals = spreadOver(found.data ?? [], minutes);
  const selection = proposals.filter(({ schedule }) => !left.has(schedule.id));
  const move = async () => {
    setBusy(0);
    setApplied(await apply(selection, setBusy));
    setBusy(null);
    await queries.invalidateQueries({ queryKey: [SCHEDULES] });
  };
  if (found.error) return <Problem error={found.error} retry={() => void found.refetch()} />;
  if (found.isPending) return <LoadingRows label="Loading schedules" />;
  if (applied) return <AppliedMessage applied={applied} />;
  if (proposals.length === 0)
    return <p className={styles.quiet}>These schedules run at several minutes of the hour. Edit them one by one.</p>;
  return (
    <>
      <div className={styles.form}>
        <Select
          label="Over"
          name="minutes"
          choices={MINUTES.toSorted((one, other) => one - other).map((each) => ({
            value: String(each),
            label: `${each} minutes`,
          }))}
          value={String(minutes)}
          onChoose={(value) => setMinutes(Number(value))}
        />
        {selection.length > 0 && (
          <Button kind="primary" busy={busy !== null} onClick={() => void move()}>
            {busy === null ? `Apply to ${formatScheduleCount(selection.length)}` : `${busy} of ${selection.length}`}
          </Button>
        )}
        {selection.length > 0 ? (
          <Button kind="quiet" onClick={() => leave(new Set(proposals.map(({ schedule }) => schedule.id)))}>
            Deselect all
          </Button>
        ) : (
          <Button kind="quiet" onClick={() => leave(new Set())}>
            Select all
          </Button>
        )}
      </div>
      <p className={styles.quiet}>
        {proposals.length.toLocaleString('en')} of {count.toLocaleString('en')} will be rescheduled
        {count > FIRING_AT_MOST && ` (up to ${FIRING_AT_MOST.toLocaleString('en')} at a time)`}. The others keep their
        time or run at several minutes of the hour.
      </p>
      <div className={proposals.length > LONG ? styles.tall : undefined}>
        <Table
          caption="Proposed times"
          rows={proposals}
          keyOf={({ schedule }) => schedule.id}
          selection={{
            chosen: new Set(selection.map(({ schedule }) => schedule.id)),
            nameOf: ({ schedule }) => schedule.description,
            choose: ({ schedule }, on) => {
              const next = new Set(left);
              if (on) next.delete(schedule.id);
              else next.add(schedule.id);
              leave(next);
            },
          }}
          columns={[
            { title: 'Schedule', cell: ({ schedule }) => <ScheduleLink schedule={schedule} /> },
            { title: 'Current', cell: ({ schedule }) => <code>{schedule.cron}</code> },
            { title: 'Proposed', cell: ({ cron }) => <code>{cron}</code> },
            { title: 'Description', cell: ({ cron }) => formatCron(cron) },
            { title: 'Owner', cell: ({ schedule }) => schedule.owner?.name ?? 'none' },
          ]}
        />
      </div>
    </>
  );
}

function ScheduleLink({ schedule: { id, description, project } }: { schedule: ForecastSchedule }) {
  return (
    <>
      <Link className={rows.name} to={schedulePath(project.path_with_namespace, id)}>
        <UnbrokenText>{description}</UnbrokenText>
      </Link>
      <span className={rows.quiet}>
        <UnbrokenText>{project.path_with_namespace}</UnbrokenText>
      </span>
    </>
  );
}

function AppliedMessage({ applied: { done, failures } }: { applied: Applied }) {
  const me = useSession().data?.user?.id ?? null;
  const message = `${formatScheduleCount(done)} rescheduled.`;
  return (
    <>
      <Said>{failures.length === 0 ? message : `${message} ${formatScheduleCount(failures.length)} not changed:`}</Said>
      {failures.length > 0 && (
        <ul className={rows.failures} aria-label="Not changed">
          {failures.map(({ schedule, error }) => (
            <li key={schedule.id}>
              <Link to={schedulePath(schedule.project.path_with_namespace, schedule.id)}>
                <UnbrokenText>{schedule.description}</UnbrokenText>
              </Link>
              : {explainError('move', error, schedule.owner !== null && schedule.owner.id === me)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
