import { ALL_SCHEDULES, forecastPath, namespacePath, schedulePath, schedulesPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { EndingToken } from '../../../data/session.js';
import type { Schedule } from '../../../data/api.js';
import { POLL_MS } from '../../../data/live.js';
import { Empty } from '../../../ui/Empty.js';
import { Fresh } from '../../../app/lists/Fresh.js';
import { Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { State } from '../../../ui/State.js';
import { Table } from '../../../ui/Table.js';
import type { Column } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { formatRef } from '../pipeline-schedules/index.js';
import { NextHour } from './NextHour.js';
import styles from './Overview.module.css';
import { failuresQuery, SCHEDULES, upcomingQuery } from './queries.js';
import { formatAttention, getOutcome } from './format-run.js';

/** Items that need the user's attention: schedules that did not run or will fail, and expiring tokens. */
export function NeedsYou({ tokens }: { tokens: readonly EndingToken[] }) {
  const { data = [], error, refetch, dataUpdatedAt } = useQuery(failuresQuery);
  if (error && dataUpdatedAt === 0) return <Problem error={error} retry={() => void refetch()} />;
  if (data.length === 0 && tokens.length === 0) return null;
  return (
    <Section title="Needs attention" aside={<Fresh at={dataUpdatedAt} everyMs={POLL_MS} failed={error !== null} />}>
      {data.length > 0 && (
        <ScheduleTable
          caption="Schedules that need attention"
          schedules={data}
          last={{ title: 'Reason', cell: whyIn }}
        />
      )}
      {tokens.length > 0 && <EndingTokens tokens={tokens} />}
    </Section>
  );
}

function EndingTokens({ tokens }: { tokens: readonly EndingToken[] }) {
  return (
    <Table
      caption="Expiring access tokens"
      rows={tokens}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Access token',
          cell: ({ name }) => (
            <Link className={styles.name} to="/-/user_settings/personal_access_tokens">
              <UnbrokenText>{name}</UnbrokenText>
            </Link>
          ),
        },
        { title: 'Expires', cell: ({ expires_at: day }) => <Time at={`${day}T00:00:00Z`} /> },
        { title: 'Reason', cell: () => <State tone="warn">expires soon: rotate it if you still need it</State> },
      ]}
    />
  );
}

/** The next schedules of the user's projects. */
export function Upcoming() {
  const { data, error, refetch, dataUpdatedAt } = useQuery(upcomingQuery);
  return (
    <Section title="Schedules" aside={data && <Fresh at={dataUpdatedAt} everyMs={POLL_MS} failed={error !== null} />}>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data?.length === 0 && (
        <Empty>
          No active schedules. A schedule runs a pipeline at the times set by a cron expression. Create one on a
          project's schedules page.
        </Empty>
      )}
      {data && data.length > 0 && (
        <>
          <NextHour schedules={data} />
          <ScheduleTable
            caption="Schedules"
            schedules={data}
            last={{ title: 'Last run', cell: (schedule) => <LastRun schedule={schedule} /> }}
          />
          <p className={styles.more}>
            <Link to={schedulesPath(ALL_SCHEDULES)}>All schedules</Link>{' '}
            <Link to={forecastPath(ALL_SCHEDULES)}>Seven-day forecast</Link>
          </p>
        </>
      )}
    </Section>
  );
}

interface ScheduleTableProps {
  caption: string;
  schedules: readonly Schedule[];
  last: Column<Schedule>;
}

function ScheduleTable({ caption, schedules, last }: ScheduleTableProps) {
  return (
    <>
      <Table
        caption={caption}
        rows={schedules.slice(0, SCHEDULES)}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Schedule', cell: (schedule) => <Description schedule={schedule} /> },
          { title: 'Project', cell: ({ project }) => <InProject path={project.path_with_namespace} /> },
          { title: 'Branch or tag', cell: ({ ref }) => <Ref name={formatRef(ref)} /> },
          { title: 'Times', cell: (schedule) => <Times schedule={schedule} /> },
          { title: 'Next run', cell: (schedule) => <NextRun schedule={schedule} /> },
          last,
        ]}
      />
      {schedules.length > SCHEDULES && <p className={styles.description}>Only the first schedules are shown.</p>}
    </>
  );
}

function Description({ schedule: { id, description, project } }: { schedule: Schedule }) {
  return (
    <Link className={styles.name} to={schedulePath(project.path_with_namespace, id)}>
      <UnbrokenText>{description}</UnbrokenText>
    </Link>
  );
}

function InProject({ path }: { path: string }) {
  return (
    <Link to={namespacePath(path)}>
      <UnbrokenText>{path}</UnbrokenText>
    </Link>
  );
}

function Ref({ name }: { name: string }) {
  return (
    <code>
      <UnbrokenText>{name}</UnbrokenText>
    </code>
  );
}

function Times({ schedule: { cron, cron_timezone } }: { schedule: Schedule }) {
  return (
    <>
      <code>
        <UnbrokenText>{cron}</UnbrokenText>
      </code>{' '}
      <span className={styles.description}>
        <UnbrokenText>{cron_timezone}</UnbrokenText>
      </span>
    </>
  );
}

function NextRun({ schedule: { active, next_run_at } }: { schedule: Schedule }) {
  if (!active) return <State tone="quiet">inactive</State>;
  return next_run_at ? <Time at={next_run_at} /> : <State tone="warn">never: no matching times</State>;
}

const IN_TROUBLE: ReadonlySet<string> = new Set(['failed', 'missed']);

/**
 * The reason why a schedule needs attention: the result of the newest run, or a problem that will make the next run
 * fail.
 */
function whyIn(schedule: Schedule) {
  const problem = formatAttention(schedule);
  const showsRun = problem === null || (schedule.last_run !== null && IN_TROUBLE.has(schedule.last_run.state));
  return showsRun ? <LastRun schedule={schedule} /> : <State tone="bad">{problem}</State>;
}

function LastRun({ schedule: { last_run: run } }: { schedule: Schedule }) {
  if (run === null) return <State tone="quiet">not run yet</State>;
  const { tone, label } = getOutcome(run);
  return (
    <>
      <State tone={tone}>
        <UnbrokenText>{label}</UnbrokenText>
      </State>{' '}
      <span className={styles.description}>
        <Time at={run.due_at} />
      </span>
    </>
  );
}
