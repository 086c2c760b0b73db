import { epicsPath, recordPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearchParams } from 'react-router';
import { useLive } from '../../../data/live.js';
import { ButtonLink } from '../../../ui/Button.js';
import { readListParams } from '../../../app/routing/list-address.js';
import styles from '../../../ui/List.module.css';
import { ListFilter, planningFilters } from '../../../app/forms/ListFilter.js';
import { StateTabs } from '../../../app/lists/StateTabs.js';
import { Page } from '../../../ui/Page.js';
import { FilteredList } from '../../../app/lists/FilteredList.js';
import { Said } from '../../../ui/Said.js';
import { State } from '../../../ui/State.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useMayWrite } from '../../../data/member-rights.js';
import { LIST_OPTIONS, ORDERS, STATES, epicsGroupQuery, epicsQuery, getLiveQueries } from './queries.js';
import type { EpicListParams, EpicState, Epic } from './queries.js';

const REPORTER = 20;

const LABELS: Record<EpicState, string> = { opened: 'Open', closed: 'Closed', all: 'All' };

/** `/groups/<group>/-/epics`: the epics of a group and its subgroups, filtered and ordered, a page at a time. */
export default function EpicList({ path }: { path: string }) {
  const [search] = useSearchParams();
  const params = readListParams(search, LIST_OPTIONS);
  const group = useQuery(epicsGroupQuery(path)).data;
  const query = useQuery(epicsQuery(path, params));
  useLive(query.data ? { group: path } : null, getLiveQueries(path));
  const mayCreate = useMayWrite({ kind: 'group', path }, REPORTER);
  const said = (useLocation().state as { said?: string } | null)?.said ?? '';
  const narrowed = Object.keys(params.filter).length > 0;
  return (
    <Page
      title="Epics"
      lead={<UnbrokenText>{group?.fullName ?? path}</UnbrokenText>}
      action={
        mayCreate && (
          <ButtonLink kind="primary" to={epicsPath(path, 'new')}>
            New epic
          </ButtonLink>
        )
      }
    >
      <Said>{said}</Said>
      <FilteredList
        title="Epics"
        filter={
          <>
            {/* The counts are of all: they say nothing about what a filter leaves. */}
            <StateTabs
              label="Epics by state"
              labels={LABELS}
              states={STATES}
              current={params.state}
              countOf={(state) => (narrowed ? undefined : group?.[state]?.count)}
            />
            <ListFilter params={params} orders={ORDERS} fields={planningFilters(group?.labels?.nodes)} />
          </>
        }
        query={query}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Epic', cell: (epic) => <Name epic={epic} /> },
          { title: 'State', cell: ({ state }) => <EpicBadge state={state} /> },
          { title: 'Labels', cell: ({ labels }) => labels.join(', ') },
          { title: 'Start date', cell: ({ start_date: day }) => day ?? '' },
          { title: 'Due date', cell: ({ end_date: day }) => day ?? '' },
          { title: 'Updated', cell: ({ updated_at: at }) => <Time at={at} /> },
        ]}
        empty={emptyMessage(params, narrowed)}
        action={mayCreate && !narrowed && <ButtonLink to={epicsPath(path, 'new')}>Create an epic</ButtonLink>}
      />
    </Page>
  );
}

/** The state of an epic as a label. */
export function EpicBadge({ state }: { state: Epic['state'] }) {
  return state === 'opened' ? <State tone="good">open</State> : <State tone="quiet">closed</State>;
}

function emptyMessage({ state }: EpicListParams, narrowed: boolean): string {
  if (narrowed) return 'No epics match the filter.';
  if (state === 'closed') return 'No closed epics.';
  return 'No epics yet. An epic groups issues from several projects under one theme.';
}

function Name({ epic }: { epic: Epic }) {
  const { title, web_url: url, references, author, created_at: at, confidential } = epic;
  return (
    <div className={styles.named}>
      <Link className={styles.title} to={recordPath(url)}>
        <UnbrokenText>{title}</UnbrokenText>
      </Link>
      <span className={styles.quiet}>
        <UnbrokenText>{references.relative}</UnbrokenText> · created <Time at={at} /> by{' '}
        <UnbrokenText>{author?.name ?? 'Deleted user'}</UnbrokenText>
      </span>
      {confidential && <State tone="warn">confidential</State>}
    </div>
  );
}
