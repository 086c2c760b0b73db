import { pipelinesPath, schedulesPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { POLL_MS, useLive } from '../../../data/live.js';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Fresh } from '../../../app/lists/Fresh.js';
import { later } from '../../../ui/later.js';
import { Page, Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { inputText } from './form-values.js';
import { Ledger } from './Ledger.js';
import { NextRuns } from './NextRuns.js';
import { LIVE_QUERIES, nextRunsQuery, pipelinesQuery, scheduleQuery } from './queries.js';
import type { NextRun as ComingRun, ScheduleDetails } from './queries.js';
import { RefOf, StatusOf } from '../pipelines/index.js';
import { ScheduleActions } from './ScheduleActions.js';
import styles from './Schedule.module.css';
import { NextRun, Owner, Times } from './schedule-columns.js';
import { isTag, formatRef, MISSED_POLICIES } from './labels.js';

const Changes = later(() => import('./Changes.js'));
const LastFailure = later(() => import('./LastFailure.js'));

/** `/<project>/-/pipeline_schedules/<id>`: one schedule, its next runs, and the outcome of each due time. */
export default function SchedulePage({ path, id }: { path: string; id: number }) {
  const found = useQuery(scheduleQuery(path, id));
  const { data, error } = found;
  useLive(data ? { project: path } : null, LIVE_QUERIES);
  if (error && !data)
    return (
      <Page title="Schedule" lead={<UnbrokenText>{path}</UnbrokenText>}>
        <LoadError error={error} what="Pipelines" retry={() => void found.refetch()} />
        <div className={styles.actions}>
          <ButtonLink to={schedulesPath({ kind: 'project', path })}>View project schedules</ButtonLink>
        </div>
      </Page>
    );
  if (!data)
    return (
      <Page title="Schedule" lead={<UnbrokenText>{path}</UnbrokenText>}>
        <LoadingRows label="Loading schedule" rows={6} />
      </Page>
    );
  const { schedule, may } = data;
  return (
    <Page
      title={schedule.description}
      lead={
        <>
          A <Link to={schedulesPath({ kind: 'project', path })}>schedule</Link> of{' '}
          <UnbrokenText>{may.project}</UnbrokenText>
        </>
      }
    >
      <ScheduleActions path={path} schedule={schedule} may={may} />
      <LastFailure path={path} schedule={schedule} may={may} />
      <Section title="Details" aside={<Fresh at={found.dataUpdatedAt} everyMs={POLL_MS} failed={error !== null} />}>
        <ScheduleSummary schedule={schedule} />
      </Section>
      <div className={styles.two}>
        <Section title="Next runs">
          {!schedule.active && <p className={styles.quiet}>Paused. If activated, it will run at these times.</p>}
          <Upcoming path={path} id={id} zone={schedule.cron_timezone} />
        </Section>
        <Section title="Variables and inputs">
          <Values schedule={schedule} />
        </Section>
      </div>
      <Ledger path={path} id={id} zone={schedule.cron_timezone} />
      <Section title="Pipelines">
        <Pipelines path={path} id={id} />
      </Section>
      {may.changes !== null && <Changes path={path} id={id} everybody={may.changes === 'everybody'} />}
    </Page>
  );
}

function ScheduleSummary({ schedule }: { schedule: ScheduleDetails }) {
  const { ref, owner, missed_policy: policy, created_at: created, updated_at: updated } = schedule;
  return (
    <DetailList
      details={[
        ['Next run', <NextRun key="next" schedule={schedule} />],
        ['Times', <Times key="times" schedule={schedule} />],
        [
          isTag(ref) ? 'Tag' : 'Branch',
          <code key="ref">
            <UnbrokenText>{formatRef(ref)}</UnbrokenText>
          </code>,
        ],
        ['Owner', <Owner key="owner" owner={owner} />],
        ['Missed runs', MISSED_POLICIES[policy]],
        ['Created', <Time key="created" at={created} />],
        ['Updated', <Time key="updated" at={updated} />],
      ]}
    />
  );
}

/** The pause is displayed once, above the runs. */
const withoutPause = (run: ComingRun): ComingRun => ({
  ...run,
  note: run.note?.replace(/^The schedule is inactive: it does not run until it is activated(\. )?/, '') ?? null,
});

function Upcoming({ path, id, zone }: { path: string; id: number; zone: string }) {
  const { data, error, isPending, refetch } = useQuery(nextRunsQuery(path, id));
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />;
  if (isPending) return <LoadingRows label="Loading next runs" rows={5} />;
  return <NextRuns runs={(data ?? []).map(withoutPause)} zone={zone} />;
}

/**
 * A value verbatim, with its line breaks. Values of variables are hidden until the user reveals them, because screens
 * are shared.
 */
function Value({ text, isVisible = true }: { text: string; isVisible?: boolean }) {
  return <pre className={styles.value}>{isVisible ? text : '••••••••'}</pre>;
}

function Values({ schedule: { variables, inputs } }: { schedule: ScheduleDetails }) {
  const [isVisible, show] = useState(false);
  return (
    <>
      {variables && variables.length > 0 && (
        <div>
          <Button aria-pressed={isVisible} onClick={() => show(!isVisible)}>
            {isVisible ? 'Hide values' : 'Show values'}
          </Button>
        </div>
      )}
      {variables === undefined && <p className={styles.quiet}>Only the owner and Maintainers can see variables.</p>}
      {variables?.length === 0 && inputs.length === 0 && <p className={styles.quiet}>None.</p>}
      {variables && variables.length > 0 && (
        <Table
          caption="Variables"
          rows={variables}
          keyOf={({ key }) => key}
          columns={[
            { title: 'Variable', cell: ({ key }) => <code>{key}</code> },
            { title: 'Value', cell: ({ value }) => <Value text={value} isVisible={isVisible} /> },
            { title: 'Type', cell: ({ variable_type: type }) => (type === 'file' ? 'file' : 'variable') },
          ]}
        />
      )}
      {inputs.length > 0 && (
        <Table
          caption="Inputs"
          rows={inputs}
          keyOf={({ name }) => name}
          columns={[
            { title: 'Input', cell: ({ name }) => <code>{name}</code> },
            { title: 'Value', cell: ({ value }) => <Value text={inputText(value)} /> },
          ]}
        />
      )}
    </>
  );
}

function Pipelines({ path, id }: { path: string; id: number }) {
  const { data, error, isPending, refetch } = useQuery(pipelinesQuery(path, id));
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />;
  if (isPending) return <LoadingRows label="Loading pipelines" />;
  if (!data || data.length === 0) return <p className={styles.quiet}>No pipelines yet.</p>;
  return (
    <Table
      caption="Pipelines, newest first"
      rows={data}
      keyOf={(pipeline) => pipeline.id}
      columns={[
        {
          title: 'Pipeline',
          cell: ({ id: number }) => <Link to={pipelinesPath(path, number)}>#{number}</Link>,
        },
        { title: 'State', cell: ({ status }) => <StatusOf status={status} /> },
        { title: 'Branch or tag', cell: ({ ref }) => <RefOf path={path} name={ref} /> },
        { title: 'Commit', cell: ({ sha }) => <code>{sha.slice(0, 8)}</code> },
        { title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
      ]}
    />
  );
}
