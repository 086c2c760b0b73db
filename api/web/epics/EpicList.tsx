import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearchParams } from 'react-router';
import { useLive } from '../client/live.js';
import { pageOfRecord } from '../containers/address.js';
import { ButtonLink } from '../look/Button.js';
import { readListParams } from '../look/list-address.js';
import styles from '../look/List.module.css';
import { ListFilter } from '../look/ListFilter.js';
import { planningFilters } from '../look/planning-filters.js';
import { StateTabs } from '../look/StateTabs.js';
import { Page } from '../look/Page.js';
import { RecordList } from '../look/RecordList.js';
import { Said } from '../look/Said.js';
import { State } from '../look/State.js';
import { Time } from '../look/Time.js';
import { Whole } from '../look/Whole.js';
import { useMayWrite } from '../members/rights.js';
import { epicsOf } from './address.js';
import { LIST_WORDS, ORDERS, STATES } from './filter.js';
import type { EpicListParams, EpicState } from './filter.js';
import { epicsGroupQuery, epicsQuery, liveQueriesOf } from './queries.js';
import type { Epic } from './queries.js';

const REPORTER = 20;

const WORDS: Record<EpicState, string> = { opened: 'Open', closed: 'Closed', all: 'All' };

/** `/groups/<group>/-/epics`: those of a group and of the groups below it, narrowed and ordered, a page at a time. */
export function EpicList({ path }: { path: string }) {
  const [search] = useSearchParams();
  const params = readListParams(search, LIST_WORDS);
  const group = useQuery(epicsGroupQuery(path)).data;
  const query = useQuery(epicsQuery(path, params));
  useLive(query.data ? { group: path } : null, liveQueriesOf(path));
  const mayCreate = useMayWrite({ kind: 'group', path }, REPORTER);
  const said = (useLocation().state as { said?: string } | null)?.said ?? '';
  const narrowed = Object.keys(params.filter).length > 0;
  return (
    <Page
      title="Epics"
      lead={<Whole>{group?.fullName ?? path}</Whole>}
      action={
        mayCreate && (
          <ButtonLink kind="primary" to={epicsOf(path, 'new')}>
            New epic
          </ButtonLink>
        )
      }
    >
      <Said>{said}</Said>
      {/* The counts are of all: they say nothing about what a filter leaves. */}
      <StateTabs
        label="Epics by state"
        words={WORDS}
        states={STATES}
        current={params.state}
        countOf={(state) => (narrowed ? undefined : group?.[state]?.count)}
      />
      <ListFilter params={params} orders={ORDERS} fields={planningFilters(group?.labels?.nodes)} />
      <RecordList
        title="Epics"
        query={query}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Epic', cell: (epic) => <Name epic={epic} /> },
          { title: 'State', cell: ({ state }) => <StateOf state={state} /> },
          { title: 'Labels', cell: ({ labels }) => labels.join(', ') },
          { title: 'Begins', cell: ({ start_date: day }) => day ?? '' },
          { title: 'Ends', cell: ({ end_date: day }) => day ?? '' },
          { title: 'Changed', cell: ({ updated_at: at }) => <Time at={at} /> },
        ]}
        empty={emptyWords(params, narrowed)}
        action={mayCreate && !narrowed && <ButtonLink to={epicsOf(path, 'new')}>Create an epic</ButtonLink>}
      />
    </Page>
  );
}

/** Whether an epic is open, in words. */
export function StateOf({ state }: { state: Epic['state'] }) {
  return state === 'opened' ? <State tone="good">open</State> : <State tone="quiet">closed</State>;
}

function emptyWords({ state }: EpicListParams, narrowed: boolean): string {
  if (narrowed) return 'No epic in this state matches the filter.';
  if (state === 'closed') return 'No closed epics. What is done or given up is kept here.';
  return 'No epics. An epic is a theme under which issues of several projects are planned.';
}

function Name({ epic }: { epic: Epic }) {
  const { title, web_url: url, references, author, created_at: at, confidential } = epic;
  return (
    <div className={styles.named}>
      <Link className={styles.title} to={pageOfRecord(url)}>
        <Whole>{title}</Whole>
      </Link>
      <span className={styles.quiet}>
        <Whole>{references.relative}</Whole> · made <Time at={at} /> by{' '}
        <Whole>{author?.name ?? 'somebody who is gone'}</Whole>
      </span>
      {confidential && <State tone="warn">confidential</State>}
    </div>
  );
}
