import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Schedule } from '../client/api.js';
import { LOOK_MS } from '../client/live.js';
import { Empty } from '../look/Empty.js';
import { Fresh } from '../look/Fresh.js';
import { Section } from '../look/Page.js';
import { Problem } from '../look/Problem.js';
import { State } from '../look/State.js';
import { Table } from '../look/Table.js';
import { Time } from '../look/Time.js';
import { Whole } from '../look/Whole.js';
import { scheduleOf, schedulesOf, ALL, forecastOf } from '../pipeline-schedules/address.js';
import { refWords } from '../pipeline-schedules/ref-words.js';
import { NextHour } from './NextHour.js';
import styles from './Overview.module.css';
import { failuresQuery, SCHEDULES, upcomingQuery } from './queries.js';
import { outcomeOf } from './run-words.js';

/** Schedules whose newest run failed or was missed, and why; nothing where there are none. */
export function Failures() {
  const { data, error, refetch, dataUpdatedAt } = useQuery(failuresQuery);
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />;
  if (!data || data.length === 0) return null;
  return (
    <Section title="Needs you" aside={<Fresh at={dataUpdatedAt} everyMs={LOOK_MS} failed={error !== null} />}>
      <ScheduleTable caption="Schedules whose last run failed" schedules={data} />
    </Section>
  );
}

/** The schedules of somebody's projects that run next. */
export function Upcoming() {
  const { data, error, refetch, dataUpdatedAt } = useQuery(upcomingQuery);
  return (
    <Section title="Schedules" aside={data && <Fresh at={dataUpdatedAt} everyMs={LOOK_MS} failed={error !== null} />}>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data?.length === 0 && (
        <Empty>
          No active schedules. A schedule starts a pipeline at the times that a cron expression names, to the second.
          They are made on the page of a project's schedules.
        </Empty>
      )}
      {data && data.length > 0 && (
        <>
          <NextHour schedules={data} />
          <ScheduleTable caption="Schedules" schedules={data} />
          <p className={styles.more}>
            <Link to={schedulesOf(ALL)}>All schedules</Link> <Link to={forecastOf(ALL)}>Forecast of seven days</Link>
          </p>
        </>
      )}
    </Section>
  );
}

function ScheduleTable({ caption, schedules }: { caption: string; schedules: readonly Schedule[] }) {
  return (
    <>
      <Table
        caption={caption}
        rows={schedules.slice(0, SCHEDULES)}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Schedule', cell: (schedule) => <Description schedule={schedule} /> },
          { title: 'Project', cell: ({ project }) => project.path_with_namespace },
          { title: 'Branch or tag', cell: ({ ref }) => <Ref name={refWords(ref)} /> },
          { title: 'Times', cell: (schedule) => <Times schedule={schedule} /> },
          { title: 'Next run', cell: (schedule) => <NextRun schedule={schedule} /> },
          { title: 'Last run', cell: (schedule) => <LastRun schedule={schedule} /> },
        ]}
      />
      {schedules.length > SCHEDULES && <p className={styles.description}>And more; these come first.</p>}
    </>
  );
}

function Description({ schedule: { id, description, project } }: { schedule: Schedule }) {
  return (
    <Link className={styles.name} to={scheduleOf(project.path_with_namespace, id)}>
      <Whole>{description}</Whole>
    </Link>
  );
}

function Ref({ name }: { name: string }) {
  return (
    <code>
      <Whole>{name}</Whole>
    </code>
  );
}

function Times({ schedule: { cron, cron_timezone } }: { schedule: Schedule }) {
  return (
    <>
      <code>
        <Whole>{cron}</Whole>
      </code>{' '}
      <span className={styles.description}>
        <Whole>{cron_timezone}</Whole>
      </span>
    </>
  );
}

function NextRun({ schedule: { active, next_run_at } }: { schedule: Schedule }) {
  if (!active) return <State tone="quiet">inactive</State>;
  return next_run_at ? <Time at={next_run_at} /> : <State tone="warn">never: its times do not come</State>;
}

function LastRun({ schedule: { last_run: run } }: { schedule: Schedule }) {
  if (run === null) return <State tone="quiet">has not run yet</State>;
  const { tone, words } = outcomeOf(run);
  return (
    <>
      <State tone={tone}>
        <Whole>{words}</Whole>
      </State>{' '}
      <span className={styles.description}>
        <Time at={run.due_at} />
      </span>
    </>
  );
}
