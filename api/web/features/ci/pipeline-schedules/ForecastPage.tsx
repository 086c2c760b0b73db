import { schedulesPath } from '../../../app/routing/paths.js';
import type { ScheduleScope } from '../../../app/routing/paths.js';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { useLive } from '../../../data/live.js';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { Empty } from '../../../ui/Empty.js';
import { Page, Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { LoadingRows } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { Link } from 'react-router';
import { FiringTable } from './FiringTable.js';
import { firingQuery, forecastQuery } from './forecast-queries.js';
import type { Down } from './forecast-queries.js';
import { LIVE_QUERIES, followedParams } from './queries.js';
import styles from './Forecast.module.css';
import { HeatMap } from './HeatMap.js';
import { Outage } from './Outage.js';
import { Stampedes } from './Stampedes.js';
import { formatScheduleCount } from './labels.js';

const HOUR_MS = 3_600_000;
/** Less of a part than this is not enough to see that it is there. */
const NEAR_PX = 160;

const instantIn = (search: URLSearchParams, name: string): string | null => {
  const at = Date.parse(search.get(name) ?? '');
  return Number.isNaN(at) ? null : new Date(at).toISOString();
};

/** The outage in an address. */
function downIn(search: URLSearchParams): Down | null {
  const [from, to] = [instantIn(search, 'down_from'), instantIn(search, 'down_to')];
  return from && to ? { from, to } : null;
}

/**
 * A forecast of the schedules for the next seven days: runs per hour, times at which too many fire simultaneously, and
 * the effect of an outage.
 */
export default function ForecastPage({ of }: { of: ScheduleScope }) {
  const [search] = useSearchParams();
  const down = downIn(search);
  const found = useQuery(forecastQuery(of, null));
  useLive(found.data ? followedParams(of) : null, LIVE_QUERIES);
  const hour = instantIn(search, 'hour');
  const { data, error } = found;
  return (
    <Page
      title="Forecast"
      lead={
        <>
          Next seven days for{' '}
          <Link to={schedulesPath(of)}>{of.kind === 'all' ? 'all schedules' : 'the schedules'}</Link>
          {of.kind === 'all' ? (
            ' you can access'
          ) : (
            <>
              {' '}
              in <UnbrokenText>{of.path}</UnbrokenText>
            </>
          )}
          .
        </>
      }
    >
      {error && !data && <LoadError error={error} what="Pipelines" retry={() => void found.refetch()} />}
      {found.isPending && <LoadingRows label="Loading forecast" rows={7} />}
      {data?.schedules === 0 && <Nothing of={of} />}
      {data && data.schedules > 0 && (
        <>
          <Section
            title="Runs by hour"
            aside={`${formatScheduleCount(data.schedules)}, ${runsIn(data.hours)} in seven days, in your time zone`}
          >
            <HeatMap forecast={data} />
            {data.left_out > 0 && (
              <p className={styles.quiet}>{formatScheduleCount(data.left_out)} that run rarely are not counted.</p>
            )}
          </Section>
          {hour !== null && <Hour key={hour} of={of} hour={hour} />}
          <Stampedes of={of} stampedes={data.stampedes} />
          <Outage of={of} down={down} />
        </>
      )}
    </Page>
  );
}

const runsIn = (hours: readonly number[]): string => {
  const runs = hours.reduce((sum, count) => sum + count, 0);
  return runs === 1 ? '1 run' : `${runs.toLocaleString('en')} runs`;
};

function Nothing({ of }: { of: ScheduleScope }) {
  return (
    <Empty action={<ButtonLink to={schedulesPath(of)}>View schedules</ButtonLink>}>
      No active schedules. When there are some, this page shows when they run, when too many run at once, and what an
      outage would affect.
    </Empty>
  );
}

/** What fires in one hour. */
function Hour({ of, hour }: { of: ScheduleScope; hour: string }) {
  const to = new Date(Date.parse(hour) + HOUR_MS).toISOString();
  const found = useInfiniteQuery(firingQuery(of, { from: hour, to }));
  const rows = found.data?.pages.flatMap((page) => page.rows) ?? [];
  const title = new Date(hour).toLocaleString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  });
  const ref = useRef<HTMLDivElement>(null);
  const ready = found.data !== undefined;
  // Below the map, where a small screen does not show it.
  useEffect(() => {
    const top = ref.current?.getBoundingClientRect().top ?? 0;
    if (ready && top > innerHeight - NEAR_PX) ref.current?.scrollIntoView();
  }, [ready]);
  return (
    <div ref={ref}>
      <Section title={`Runs from ${title}`}>
        {found.error && <Problem error={found.error} retry={() => void found.refetch()} />}
        {found.isPending && <LoadingRows label="Loading schedules" />}
        {found.data && rows.length === 0 && <p className={styles.quiet}>No schedules run in this hour.</p>}
        {rows.length > 0 && <FiringTable caption="Schedules that run in this hour" rows={rows} />}
        {found.hasNextPage && (
          <div>
            <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
              Load more
            </Button>
          </div>
        )}
      </Section>
    </div>
  );
}
