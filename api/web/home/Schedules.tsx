import { useQuery } from '@tanstack/react-query';
import type { Project } from '../client/api.js';
import { Empty } from '../look/Empty.js';
import { Section } from '../look/Page.js';
import { Problem } from '../look/Problem.js';
import { State } from '../look/State.js';
import { LoadingRows, Table } from '../look/Table.js';
import { Time } from '../look/Time.js';
import styles from './Overview.module.css';
import { lastRunQuery, schedulesQuery } from './queries.js';
import type { ScheduleOfProject } from './queries.js';
import { outcomeOf, refWords } from './run-words.js';

/** The schedules of some projects: when each runs next, and what became of its last run, and why. */
export function Schedules({ projects }: { projects: readonly Project[] }) {
  const schedules = useQuery(schedulesQuery(projects));
  const { data, error, dataUpdatedAt } = schedules;
  return (
    <Section
      title="Schedules"
      aside={data && <>Looked at {<Time at={new Date(dataUpdatedAt).toISOString()} />}, and again by itself</>}
    >
      {error && <Problem error={error} retry={() => void schedules.refetch()} />}
      {schedules.isPending && <LoadingRows label="Loading schedules" />}
      {data?.shown.length === 0 && (
        <Empty action={<a href="/-/api-docs#/Pipeline%20schedules">Create a schedule through the API</a>}>
          No schedules yet. A schedule starts a pipeline at the times that a cron expression names, to the second.
        </Empty>
      )}
      {data && data.shown.length > 0 && (
        <Table
          caption="Schedules"
          rows={data.shown}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Schedule', cell: (schedule) => <span className={styles.name}>{schedule.description}</span> },
            { title: 'Project', cell: ({ project }) => project.path_with_namespace },
            { title: 'Branch or tag', cell: ({ ref }) => <code>{refWords(ref)}</code> },
            { title: 'Times', cell: (schedule) => <Times schedule={schedule} /> },
            { title: 'Next run', cell: (schedule) => <NextRun schedule={schedule} /> },
            { title: 'Last run', cell: (schedule) => <LastRun schedule={schedule} /> },
          ]}
        />
      )}
      {data && data.more > 0 && <p className={styles.description}>And {data.more} more that run later.</p>}
    </Section>
  );
}

function Times({ schedule: { cron, cron_timezone } }: { schedule: ScheduleOfProject }) {
  return (
    <>
      <code>{cron}</code> <span className={styles.description}>{cron_timezone}</span>
    </>
  );
}

function NextRun({ schedule: { active, next_run_at } }: { schedule: ScheduleOfProject }) {
  if (!active) return <State tone="quiet">inactive</State>;
  return next_run_at ? <Time at={next_run_at} /> : <State tone="warn">never: its times do not come</State>;
}

function LastRun({ schedule }: { schedule: ScheduleOfProject }) {
  const { data: run, error } = useQuery(lastRunQuery(schedule));
  if (error) return <State tone="warn">not known: {error.message}</State>;
  if (run === undefined) return null;
  if (run === null) return <State tone="quiet">has not run yet</State>;
  const { tone, words } = outcomeOf(run);
  return (
    <>
      <State tone={tone}>{words}</State>{' '}
      <span className={styles.description}>
        <Time at={run.due_at} />
      </span>
    </>
  );
}
