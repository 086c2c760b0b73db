import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, unwrap } from '../../../data/api.js';
import { ApiProblem, unreachable } from '../../../data/problem.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Fresh } from '../../../app/lists/Fresh.js';
import { Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import rows from '../../../ui/Rows.module.css';
import { State } from '../../../ui/State.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { AdminPage } from './AdminPage.js';
import { metadataQuery } from './queries.js';

const EVERY_MS = 10_000;

const NOT_FOUND = 404;

interface Finding {
  status: 'ok' | 'failed';
  message?: string;
  labels?: Readonly<Record<string, string>>;
}

/** The response of a probe: the findings of each check by its name, next to the overall status. */
type Readiness = Readonly<Record<string, readonly Finding[] | string>>;

/** Where a probe may not be read, or nothing answers in its form. */
type ReadinessResult = Readiness | 'not allowed for this IP address';

/** A probe that finds something wrong answers 503 with the same body. */
async function readiness(): Promise<ReadinessResult> {
  const response = await fetch('/-/readiness?all=1', { credentials: 'same-origin' }).catch(() => {
    throw unreachable();
  });
  if (response.status === NOT_FOUND) return 'not allowed for this IP address';
  const answer = (await response.json().catch(() => ({}))) as Readiness;
  if (typeof answer.status !== 'string')
    throw new ApiProblem("The probe didn't respond.", response.status, response.headers.get('x-request-id'));
  return answer;
}

const probesQuery = queryOptions({ queryKey: ['admin', 'probes'], queryFn: readiness, refetchInterval: EVERY_MS });

const queueQuery = queryOptions({
  queryKey: ['admin', 'queue-state'],
  queryFn: async () => {
    const [stats, processes] = await Promise.all([
      unwrap(api.GET('/admin/jobs/stats')),
      unwrap(api.GET('/admin/jobs/processes')),
    ]);
    return { stats, processes };
  },
  refetchInterval: EVERY_MS,
});

/** `/admin/health`: the state of the instance's dependencies, the running versions, and the state of the queue. */
export default function Health() {
  const { data: runs, error, refetch } = useQuery(metadataQuery);
  return (
    <AdminPage title="Health" lead="Status of the service, its dependencies and the job queue.">
      <Probes />
      <Section title="Versions">
        {error && <Problem error={error} retry={() => void refetch()} />}
        {runs && (
          <DetailList
            details={[
              ['Service', `${runs.service.name} ${runs.service.version}`],
              ['API version', `version ${runs.version} of the public API`],
              ['Revision', runs.revision],
            ]}
          />
        )}
      </Section>
      <QueueState />
    </AdminPage>
  );
}

const CHECKS: Readonly<Record<string, string>> = {
  master_check: 'Accepting requests',
  db_check: 'Database',
  queues_check: 'Queue and workers',
  migrations_check: 'Migrations',
  storage_check: 'Storage',
};

interface Row {
  name: string;
  finding: Finding;
}

const getRows = (result: Readiness): Row[] =>
  Object.entries(result).flatMap(([name, findings]) =>
    typeof findings === 'string' ? [] : findings.map((finding) => ({ name, finding })),
  );

const getDetail = ({ labels, message }: Finding): string =>
  [...Object.values(labels ?? {}), message].filter(Boolean).join(': ') || '–';

function Probes() {
  const probes = useQuery(probesQuery);
  const result = probes.data;
  return (
    <Section
      title="Probes"
      aside={result && <Fresh at={probes.dataUpdatedAt} everyMs={EVERY_MS} failed={probes.isRefetchError} />}
    >
      {probes.error && !result && <Problem error={probes.error} retry={() => void probes.refetch()} />}
      {probes.isPending && <LoadingRows label="Loading probes" />}
      {result === 'not allowed for this IP address' && (
        <p>
          Your IP address can't read probes. Administrators can add it to <code>monitoring_allowlist</code> in{' '}
          <Link to="/admin/application_settings">the settings</Link>.
        </p>
      )}
      {result && typeof result !== 'string' && (
        <Table
          caption="Probes"
          rows={getRows(result)}
          keyOf={({ name, finding }) => `${name} ${getDetail(finding)}`}
          columns={[
            { title: 'Check', cell: ({ name }) => <UnbrokenText>{CHECKS[name] ?? name}</UnbrokenText> },
            {
              title: 'State',
              cell: ({ finding: { status } }) => <State tone={status === 'ok' ? 'good' : 'bad'}>{status}</State>,
            },
            { title: 'Detail', cell: ({ finding }) => <UnbrokenText>{getDetail(finding)}</UnbrokenText> },
          ]}
        />
      )}
    </Section>
  );
}

const count = (number: number): string => number.toLocaleString('en');

function QueueState() {
  const { data, error, isPending, refetch } = useQuery(queueQuery);
  return (
    <Section title="Queue" aside={<Link to="/admin/jobs">Background jobs</Link>}>
      {error && !data && <Problem error={error} retry={() => void refetch()} />}
      {isPending && <LoadingRows label="Loading the queue" />}
      {data && (
        <DetailList
          details={[
            ['Ready', count(data.stats.enqueued)],
            ['Running', count(data.stats.active)],
            ['Failed permanently', count(data.stats.dead)],
            ['Failed in the last hour', count(data.stats.failed_last_hour)],
            ['Oldest waiting', `${count(Math.round(data.stats.oldest_waiting_seconds))} s`],
            ['Processes', <Processes key="processes" all={data.processes} />],
          ]}
        />
      )}
    </Section>
  );
}

interface Process {
  hostname: string;
  pid: number;
  version: string;
  stale: boolean;
  last_seen: string;
}

function Processes({ all }: { all: readonly Process[] }) {
  if (all.length === 0) return 'none: jobs are not processed';
  return (
    <ul className={rows.plain}>
      {all.map(({ hostname, pid, version, stale, last_seen: heartbeatAt }) => (
        <li key={`${hostname}:${pid}`}>
          <UnbrokenText>{`${hostname}:${pid}, version ${version}, `}</UnbrokenText>
          {stale ? <State tone="bad">stale</State> : <State tone="good">alive</State>}, last seen{' '}
          <Time at={heartbeatAt} />
        </li>
      ))}
    </ul>
  );
}
