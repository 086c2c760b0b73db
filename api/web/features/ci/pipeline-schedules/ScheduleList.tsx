import { HelpLink } from '../../../app/shell/HelpLink.js';
import { forecastPath, newSchedulePath } from '../../../app/routing/paths.js';
import type { ScheduleScope } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useLive } from '../../../data/live.js';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { useChainedPages } from '../../../data/chained-pages.js';
import { Empty } from '../../../ui/Empty.js';
import { Page } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { LoadingRows } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { BulkActions } from './BulkActions.js';
import { getAddress, readFilters } from './filter.js';
import { LIVE_QUERIES, followedParams, listKey, loadPage, mayCreateQuery } from './queries.js';
import type { ListedSchedule } from './queries.js';
import { getColumns } from './schedule-columns.js';
import { ScheduleFilter } from './ScheduleFilter.js';
import styles from './Schedules.module.css';
import { VirtualRows } from './VirtualRows.js';
import { formatCron } from './labels.js';

const getId = ({ id }: ListedSchedule) => id;
const getName = ({ description }: ListedSchedule) => description;

/** Schedules of all visible projects, of a group or of a project: the next runs, and the punctuality of past ones. */
export default function ScheduleList({ of }: { of: ScheduleScope }) {
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
  const address = getAddress(filters);
  return (
    <Page
      title="Schedules"
      lead={
        of.kind === 'all' ? (
          'Schedules in all projects you can access, next run first.'
        ) : (
          <UnbrokenText>{of.path}</UnbrokenText>
        )
      }
      action={
        <div className={styles.links}>
          <HelpLink page="schedules" />
          <ButtonLink to={forecastPath(of)}>Forecast</ButtonLink>
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
                columns={getColumns(of)}
                rows={rows}
                keyOf={getId}
                onEnd={found.more}
                onNear={found.onNear}
                selection={{ chosen, nameOf: getName, choose: chooseOne }}
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

/** The link to the form for a new schedule, for users who may create one. */
function NewSchedule({ path }: { path: string }) {
  if (useQuery(mayCreateQuery(path)).data !== true) return null;
  return (
    <ButtonLink kind="primary" to={newSchedulePath(path)}>
      New schedule
    </ButtonLink>
  );
}

const EXAMPLE = '30 2 * * 1-5';

function NoSchedules({ of, filtered }: { of: ScheduleScope; filtered: boolean }) {
  if (filtered) return <Empty>No schedules match the filter. Clear it to see all.</Empty>;
  const example = `A schedule runs a pipeline at the times set by a cron expression: ${EXAMPLE} is “${formatCron(EXAMPLE)}”.`;
  if (of.kind !== 'project')
    return (
      <Empty action={<ButtonLink to="/dashboard/projects">View your projects</ButtonLink>}>
        No schedules yet. {example} Create one on a project's schedules page.
      </Empty>
    );
  return <Empty action={<NewSchedule path={of.path} />}>No schedules yet. {example}</Empty>;
}
