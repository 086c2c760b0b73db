import { commitPath, issuesPath, mergeRequestsPath } from '../../../app/routing/paths.js';
import type { Container } from '../../../data/containers.js';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Empty } from '../../../ui/Empty.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Card } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { formatDuration } from '../../../ui/format-time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import styles from './Dora.module.css';
import { METRIC_DISPLAY } from './metrics.js';
import type { Metric } from './metrics.js';
import { explanationQuery } from './queries.js';
import type { Explanation } from './queries.js';

interface ExplainedProps {
  container: Container;
  point: { metric: Metric; date: string };
  tiers: readonly string[];
}

/** The explanation of a point: the calculation, and the deployments, merge requests or incidents behind it. */
export function Explained({ container, point, tiers }: ExplainedProps) {
  const found = useQuery(explanationQuery(container, point, tiers));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={styles.explained} aria-label="Explanation">
      <h2 ref={heading} tabIndex={-1}>
        {`${METRIC_DISPLAY[point.metric].title} on ${point.date}`}
      </h2>
      {found.error && <Problem error={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <LoadingRows label="Loading explanation" />}
      {found.data && <ExplainedValue container={container} metric={point.metric} explanation={found.data} />}
    </section>
  );
}

interface ExplainedValueProps {
  container: Container;
  metric: Metric;
  explanation: Explanation;
}

function ExplainedValue({ container, metric, explanation }: ExplainedValueProps) {
  const { value, arithmetic, refresh_pending: pending, environment_tiers: tiers } = explanation;
  return (
    <>
      <DetailList
        details={[
          ['Value', value === null ? 'none' : METRIC_DISPLAY[metric].format(value)],
          [
            'Calculation',
            <code key="arithmetic">
              <UnbrokenText>{arithmetic ?? 'no data for this day'}</UnbrokenText>
            </code>,
          ],
          ['Tiers', tiers.join(', ')],
          ['Up to date', pending ? 'no: an update is in progress' : 'yes'],
        ]}
      />
      <Found container={container} title="Deployments" evidence={explanation.deployments} cell={deploymentCell} />
      <Found container={container} title="Merge requests" evidence={explanation.merge_requests} cell={requestCell} />
      <Found container={container} title="Incidents" evidence={explanation.incidents} cell={incidentCell} />
    </>
  );
}

type Evidence = NonNullable<Explanation['deployments']>;
type Item = Evidence['items'][number];
type Cell = (item: Item, container: Container) => { name: ReactNode; took: ReactNode; at: string | null };

const text = (item: Item, key: string) => String(item[key] ?? '');
const instant = (item: Item, key: string) => (typeof item[key] === 'string' ? item[key] : null);
const took = (item: Item, key: string) => (typeof item[key] === 'number' ? formatDuration(item[key] * 1000) : '');

/** A link if the path of the item's project is known: a group's evidence contains only the id of each project. */
function itemLink(container: Container, item: Item, label: string, to: (path: string) => string): ReactNode {
  if (container.kind === 'project')
    return (
      <Link to={to(container.path)}>
        <UnbrokenText>{label}</UnbrokenText>
      </Link>
    );
  return <UnbrokenText>{`${label} (project ${text(item, 'project_id')})`}</UnbrokenText>;
}

const deploymentCell: Cell = (item, container) => ({
  name: itemLink(container, item, `#${text(item, 'iid')} from ${text(item, 'ref')}`, (path) =>
    commitPath(path, text(item, 'sha')),
  ),
  took: '',
  at: instant(item, 'finished_at'),
});

const requestCell: Cell = (item, container) => ({
  name: itemLink(container, item, `!${text(item, 'iid')} ${text(item, 'title')}`, (path) =>
    mergeRequestsPath(path, Number(item.iid)),
  ),
  took: took(item, 'lead_time'),
  at: instant(item, 'merged_at'),
});

const incidentCell: Cell = (item, container) => ({
  name: itemLink(container, item, `#${text(item, 'iid')} ${text(item, 'title')}`, (path) =>
    issuesPath(path, Number(item.iid)),
  ),
  took: took(item, 'time_to_restore'),
  at: instant(item, 'created_at'),
});

interface FoundProps {
  container: Container;
  title: string;
  evidence: Evidence | undefined;
  cell: Cell;
}

function Found({ container, title, evidence, cell }: FoundProps) {
  if (!evidence) return null;
  const rows = evidence.items.map((item) => ({
    id: `${text(item, 'id')} ${text(item, 'deployment_id')}`,
    ...cell(item, container),
  }));
  return (
    <Card>
      <h3>{`${title}: ${evidence.count.toLocaleString('en')}`}</h3>
      {evidence.hidden > 0 && <p>{`${evidence.hidden.toLocaleString('en')} hidden: you don't have access.`}</p>}
      {rows.length === 0 ? (
        <Empty>Nothing to show.</Empty>
      ) : (
        <Table
          caption={title}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Name', cell: ({ name }) => name },
            { title: 'Date', cell: ({ at }) => at && <Time at={at} /> },
            { title: 'Duration', end: true, cell: (row) => row.took },
          ]}
        />
      )}
    </Card>
  );
}
