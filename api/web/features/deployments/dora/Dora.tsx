import { HelpLink } from '../../../app/shell/HelpLink.js';
import { later } from '../../../ui/later.js';
import type { Container } from '../../../data/containers.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { ApiProblem } from '../../../data/problem.js';
import { Empty } from '../../../ui/Empty.js';
import { Figures } from '../../../ui/DetailList.js';
import { Card, Page, Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import { readFilters, pointAddress, getRange } from './filters.js';
import type { DoraFilters } from './filters.js';
import { Chart } from './Chart.js';
import styles from './Dora.module.css';
import { METRICS, METRIC_DISPLAY } from './metrics.js';
import type { Metric } from './metrics.js';
import { csvAddress, metricsQuery } from './queries.js';
import type { DoraPoint } from './queries.js';
import { RangeForm } from './RangeForm.js';

// Loaded once a point is chosen: it is not part of the first view.
const Explained = later(async () => ({ default: (await import('./Explained.js')).Explained }));

/**
 * `/<project>/-/dora` and `/groups/<group>/-/dora`: the four metrics over a range, and the explanation of each point.
 */
export default function Dora({ of: container }: { of: Container }) {
  return <SignedIn>{() => <Metrics of={container} />}</SignedIn>;
}

const NOT_ALLOWED = 'You need at least the Reporter role and the Ultimate plan to see DORA metrics.';

/** For a role that is too low, the API responds as for anonymous callers (dora.md section 2). */
const explainError = (error: Error): Error =>
  error instanceof ApiProblem && error.status === 401 ? new ApiProblem(NOT_ALLOWED, 403, error.requestId) : error;

function Metrics({ of: container }: { of: Container }) {
  const [search] = useSearchParams();
  const filters = readFilters(search);
  const total = useQuery(metricsQuery(container, filters, 'all'));
  const points = useQuery({
    ...metricsQuery(container, filters, filters.interval),
    enabled: filters.interval !== 'all',
  });
  const error = total.error ?? points.error;
  const retry = () => void Promise.all([total.refetch(), points.refetch()]);
  const loading = total.isPending || (filters.interval !== 'all' && points.isPending);
  return (
    <Page
      title="DORA metrics"
      lead={<UnbrokenText>{container.path}</UnbrokenText>}
      action={<HelpLink page="deployments-and-dora" section="dora-metrics" />}
    >
      <RangeForm filters={filters} />
      {error && <Problem error={explainError(error)} retry={retry} />}
      {!error && loading && <LoadingRows label="Loading metrics" rows={6} />}
      {!error && total.data && <Total filters={filters} point={total.data[0]} />}
      {!error && points.data && <Points container={container} filters={filters} points={points.data} />}
    </Page>
  );
}

const getValue = (point: DoraPoint | undefined, metric: Metric) => point?.[metric] ?? null;

function Total({ filters, point }: { filters: DoraFilters; point: DoraPoint | undefined }) {
  const { from, to } = getRange(filters);
  return (
    <Section title="Whole range" aside={`${from} to ${to}`}>
      <Figures
        figures={METRICS.map((metric) => {
          const value = getValue(point, metric);
          return [
            METRIC_DISPLAY[metric].title,
            value === null ? 'none' : METRIC_DISPLAY[metric].format(value),
          ] as const;
        })}
      />
    </Section>
  );
}

interface PointsProps {
  container: Container;
  filters: DoraFilters;
  points: readonly DoraPoint[];
}

function Points({ container, filters, points }: PointsProps) {
  if (points.length === 0)
    return (
      <Empty>
        No data in this range. These metrics are based on successful deployments, their merge requests and incidents.
      </Empty>
    );
  return (
    <>
      <div className={styles.charts}>
        {METRICS.map((metric) => (
          <OneMetric key={metric} filters={filters} metric={metric} points={points} />
        ))}
      </div>
      {filters.point && (
        // Selecting another point moves the focus again.
        <Explained
          key={`${filters.point.metric} ${filters.point.date}`}
          container={container}
          point={filters.point}
          tiers={filters.tiers}
        />
      )}
      <Numbers container={container} filters={filters} points={points} />
    </>
  );
}

function OneMetric({ filters, metric, points }: Omit<PointsProps, 'container'> & { metric: Metric }) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { title, lead, format, short, drawn, steps = null } = METRIC_DISPLAY[metric];
  // Stable as long as the points are: a new list would cause a redraw.
  const drawnPoints = useMemo(
    () =>
      points.flatMap((point) => {
        const value = getValue(point, metric);
        return value === null || point.date === null ? [] : [{ date: point.date, value }];
      }),
    [points, metric],
  );
  const { from, to } = getRange(filters);
  return (
    <Card>
      <div className={styles.metric}>
        <h2>{title}</h2>
        <p className={styles.quiet}>{lead}</p>
        {drawnPoints.length === 0 ? (
          <p>No value in this range.</p>
        ) : (
          <Chart
            label={`${title}: use arrow keys to move between points and Enter to explain one`}
            points={drawnPoints}
            from={from}
            to={to}
            steps={steps}
            drawn={drawn}
            format={format}
            short={short}
            onChoose={({ date }) => void navigate(pointAddress(search, filters.interval, metric, date))}
          />
        )}
      </div>
    </Card>
  );
}

function Numbers({ container, filters, points }: PointsProps) {
  const [search] = useSearchParams();
  const cell = (metric: Metric) => (point: DoraPoint) => {
    const value = getValue(point, metric);
    if (value === null || point.date === null) return 'none';
    return (
      <Link
        to={pointAddress(search, filters.interval, metric, point.date)}
        aria-label={`${METRIC_DISPLAY[metric].title} on ${point.date}: ${METRIC_DISPLAY[metric].format(value)}`}
      >
        {METRIC_DISPLAY[metric].format(value)}
      </Link>
    );
  };
  return (
    <Section
      title="Data"
      aside={
        <a href={csvAddress(container, filters)} download="dora.csv">
          Download as CSV
        </a>
      }
    >
      <Table
        caption="DORA metrics, newest first"
        rows={points.toReversed()}
        keyOf={({ date }) => date ?? ''}
        columns={[
          { title: filters.interval === 'monthly' ? 'Month' : 'Day', cell: ({ date }) => date ?? '' },
          ...METRICS.map((metric) => ({ title: METRIC_DISPLAY[metric].title, end: true, cell: cell(metric) })),
        ]}
      />
    </Section>
  );
}
