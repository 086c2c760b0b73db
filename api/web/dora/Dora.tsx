import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { ApiProblem } from '../client/problem.js';
import { HelpLink } from '../help/HelpLink.js';
import { Empty } from '../ui/Empty.js';
import { Figures } from '../ui/DetailList.js';
import { Card, Page, Section } from '../ui/Page.js';
import { Problem } from '../ui/Problem.js';
import { LoadingRows, Table } from '../ui/Table.js';
import { Whole } from '../ui/Whole.js';
import { SignedIn } from '../session/SignedIn.js';
import type { DoraContainer } from './address.js';
import { readFilters, pointAddress, rangeOf } from './filters.js';
import type { DoraFilters } from './filters.js';
import { Chart } from './Chart.js';
import styles from './Dora.module.css';
import { Explained } from './Explained.js';
import { METRICS, METRIC_DISPLAY } from './metrics.js';
import type { Metric } from './metrics.js';
import { csvAddress, metricsQuery } from './queries.js';
import type { DoraPoint } from './queries.js';
import { RangeForm } from './RangeForm.js';

/** `/<project>/-/dora` and `/groups/<group>/-/dora`: the four metrics over a range, and what each point is made of. */
export default function Dora({ container }: { container: DoraContainer }) {
  return <SignedIn>{() => <Metrics container={container} />}</SignedIn>;
}

const NOT_ALLOWED = 'The DORA metrics are for Reporters and above, and come with the Ultimate plan.';

/** The API tells a role that is too low as it tells that nobody is signed in (dora.md section 2). */
const explainError = (error: Error): Error =>
  error instanceof ApiProblem && error.status === 401 ? new ApiProblem(NOT_ALLOWED, 403, error.requestId) : error;

function Metrics({ container }: { container: DoraContainer }) {
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
      lead={<Whole>{container.path}</Whole>}
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

const valueOf = (point: DoraPoint | undefined, metric: Metric) => point?.[metric] ?? null;

function Total({ filters, point }: { filters: DoraFilters; point: DoraPoint | undefined }) {
  const { from, to } = rangeOf(filters);
  return (
    <Section title="Over the whole range" aside={`${from} to ${to}`}>
      <Figures
        figures={METRICS.map((metric) => {
          const value = valueOf(point, metric);
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
  container: DoraContainer;
  filters: DoraFilters;
  points: readonly DoraPoint[];
}

function Points({ container, filters, points }: PointsProps) {
  if (points.length === 0)
    return (
      <Empty>
        Nothing was recorded in this range. Deployments that succeed, merge requests that they bring along and incidents
        are what these metrics are made of.
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
        // Another point takes the focus anew.
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
  // The same as long as the points are: another list would be drawn anew.
  const drawnPoints = useMemo(
    () =>
      points.flatMap((point) => {
        const value = valueOf(point, metric);
        return value === null || point.date === null ? [] : [{ date: point.date, value }];
      }),
    [points, metric],
  );
  const { from, to } = rangeOf(filters);
  return (
    <Card>
      <div className={styles.metric}>
        <h2>{title}</h2>
        <p className={styles.quiet}>{lead}</p>
        {drawnPoints.length === 0 ? (
          <p>No value in this range.</p>
        ) : (
          <Chart
            label={`${title}: arrows lead from point to point, Enter explains one`}
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
    const value = valueOf(point, metric);
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
      title="The numbers"
      aside={
        <a href={csvAddress(container, filters)} download="dora.csv">
          Download as CSV
        </a>
      }
    >
      <Table
        caption="DORA metrics, the newest first"
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
