import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useLive } from '../client/live.js';
import { HelpLink } from '../help/HelpLink.js';
import { Button, ButtonLink } from '../ui/Button.js';
import { useChainedPages } from '../ui/chained-pages.js';
import { Empty } from '../ui/Empty.js';
import { Page } from '../ui/Page.js';
import { Problem } from '../ui/Problem.js';
import { LoadError } from '../ui/LoadError.js';
import { LoadingRows } from '../ui/Table.js';
import { Whole } from '../ui/Whole.js';
import { forecastOf, newScheduleOf } from './address.js';
import type { SchedulesOf } from './address.js';
import { BulkActions } from './BulkActions.js';
import { addressOf, readFilters } from './filter.js';
import { LIVE_QUERIES, followedParams, listKey, loadPage, mayCreateQuery } from './queries.js';
import type { ListedSchedule } from './queries.js';
import { columnsOf } from './schedule-columns.js';
import { ScheduleFilter } from './ScheduleFilter.js';
import styles from './Schedules.module.css';
import { VirtualRows } from './VirtualRows.js';
import { formatCron } from './labels.js';

const idOf = ({ id }: ListedSchedule) => id;
const nameOf = ({ description }: ListedSchedule) => description;

/** Schedules of all projects that somebody may see, of a group or of a project: what runs next, and how they kept their times. */
export function ScheduleList({ of }: { of: SchedulesOf }) {
  const [search] = useSearchParams();
  const filters = readFilters(search);
  const found = useChainedPages(listKey(of, filters), (cursor) => loadPage(of, filters, cursor));
  const [chosen, choose] = useState<ReadonlySet<number>>(new Set());
  const { rows, error, retry } = found;
  useLive(rows ? followedParams(of) : null, LIVE_QUERIES, chosen.size > 0);
  const chooseOne = useCallback(
    ({ id }: ListedSchedule, on: boolean) =>
      choose((before) => {
        const next = new Set(before);
        if (on) next.add(id);
        else next.delete(id);
        return next;
      }),
    [],
  );
  const address = addressOf(filters);
  return (
    <Page
      title="Schedules"
      lead={of.kind === 'all' ? 'Of all projects that you may see, the next run first.' : <Whole>{of.path}</Whole>}
      action={
        <div className={styles.links}>
          <HelpLink page="schedules" />
          <ButtonLink to={forecastOf(of)}>Forecast</ButtonLink>
          {of.kind === 'project' && <NewSchedule path={of.path} />}
        </div>
      }
    >
      {error && !rows ? (
        <LoadError error={error} what="Pipelines" retry={retry} />
      ) : (
        <>
          <ScheduleFilter filters={filters} />
          {!rows && <LoadingRows label="Loading schedules" rows={8} />}
          {rows?.length === 0 && <NoSchedules of={of} filtered={address !== '?'} />}
          {rows !== null && rows.length > 0 && (
            <div className={styles.list}>
              <BulkActions schedules={rows} chosen={chosen} onChoose={choose} />
              <VirtualRows
                caption="Schedules"
                columns={columnsOf(of)}
                rows={rows}
                keyOf={idOf}
                onEnd={found.more}
                onNear={found.onNear}
                selection={{ chosen, nameOf, choose: chooseOne }}
              />
            </div>
          )}
          {error && rows && <Problem error={error} retry={retry} />}
          {rows && found.hasMore && !error && (
            <div className={styles.more}>
              <Button busy={found.isLoadingMore} onClick={found.more}>
                {found.isLoadingMore ? 'Loading more' : 'Load more'}
              </Button>
            </div>
          )}
        </>
      )}
    </Page>
  );
}

/** The way to another schedule, for those who may make one. */
function NewSchedule({ path }: { path: string }) {
  if (useQuery(mayCreateQuery(path)).data !== true) return null;
  return (
    <ButtonLink kind="primary" to={newScheduleOf(path)}>
      New schedule
    </ButtonLink>
  );
}

const EXAMPLE = '30 2 * * 1-5';

function NoSchedules({ of, filtered }: { of: SchedulesOf; filtered: boolean }) {
  if (filtered) return <Empty>No schedule is like that. Clear the filter to see all.</Empty>;
  const example = `A schedule starts a pipeline at the times that a cron expression names, to the second: ${EXAMPLE} is “${formatCron(EXAMPLE)}”.`;
  if (of.kind !== 'project')
    return (
      <Empty action={<ButtonLink to="/dashboard/projects">To your projects</ButtonLink>}>
        No schedules here yet. {example} They are made on the page of a project's schedules.
      </Empty>
    );
  return <Empty action={<NewSchedule path={of.path} />}>No schedules here yet. {example}</Empty>;
}
