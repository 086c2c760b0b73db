import { liveParams } from '../../../data/containers.js';
import { milestonesPath, recordPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearchParams } from 'react-router';
import { useLive } from '../../../data/live.js';
import type { Container } from '../../../data/containers.js';
import { ButtonLink } from '../../../ui/Button.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Page } from '../../../ui/Page.js';
import { FilteredList } from '../../../app/lists/FilteredList.js';
import rows from '../../../ui/Rows.module.css';
import { Said } from '../../../ui/Said.js';
import { SearchForm } from '../../../app/forms/SearchForm.js';
import { StateTabs } from '../../../app/lists/StateTabs.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useMayWrite } from '../../../data/member-rights.js';
import { Day, MilestoneState } from './MilestoneState.js';
import { getLiveQueries, milestoneCountsQuery, milestonesQuery, STATES } from './queries.js';
import type { Milestone, MilestoneState as OneState } from './queries.js';

const LABELS: Record<OneState, string> = { active: 'Open', closed: 'Closed', all: 'All' };

/** `…/-/milestones`: the milestones of a project or group in one state, filtered by text, a page at a time. */
export default function MilestoneList({ of }: { of: Container }) {
  const [search] = useSearchParams();
  const state = STATES.find((name) => name === search.get('state')) ?? 'active';
  const searchTerm = search.get('search') ?? '';
  const query = useQuery(milestonesQuery(of, { state, search: searchTerm, page: pageIn(search) }));
  const counts = useQuery(milestoneCountsQuery(of)).data;
  useLive(query.data ? liveParams(of) : null, getLiveQueries(of));
  const mayCreate = useMayWrite(of);
  const said = (useLocation().state as { said?: string } | null)?.said ?? '';
  return (
    <Page
      title="Milestones"
      action={
        mayCreate && (
          <ButtonLink kind="primary" to={milestonesPath(of, 'new')}>
            New milestone
          </ButtonLink>
        )
      }
    >
      <Said>{said}</Said>
      <FilteredList
        title="Milestones"
        filter={
          <>
            {/* The counts are of all: they say nothing about what a search leaves. */}
            <StateTabs
              label="Milestones by state"
              labels={LABELS}
              states={STATES}
              current={state}
              countOf={(name) => (searchTerm === '' ? counts?.[name]?.count : undefined)}
            />
            <SearchForm label="Search title or description" />
          </>
        }
        query={query}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Milestone', cell: (milestone) => <Name of={of} milestone={milestone} /> },
          { title: 'State', cell: (milestone) => <MilestoneState milestone={milestone} /> },
          { title: 'Start date', cell: ({ start_date: day }) => <Day day={day} none="" /> },
          { title: 'Due date', cell: ({ due_date: day }) => <Day day={day} none="" /> },
          { title: 'Updated', cell: ({ updated_at: at }) => <Time at={at} /> },
        ]}
        empty={emptyMessage(state, searchTerm)}
        action={
          mayCreate && searchTerm === '' && <ButtonLink to={milestonesPath(of, 'new')}>Create a milestone</ButtonLink>
        }
      />
    </Page>
  );
}

function emptyMessage(state: OneState, search: string): string {
  if (search !== '') return 'No milestones match the search.';
  if (state === 'closed') return 'No closed milestones.';
  return 'No milestones yet. Use milestones to plan issues and merge requests for a period of time.';
}

function Name({ of, milestone: { title, web_url: url, iid } }: { of: Container; milestone: Milestone }) {
  const page = recordPath(url);
  return (
    <>
      <Link className={rows.name} to={page}>
        <UnbrokenText>{title}</UnbrokenText>
      </Link>
      {page !== milestonesPath(of, iid) && (
        <span className={rows.quiet}>
          <UnbrokenText>{`in group ${page.slice('/groups/'.length, page.indexOf('/-/'))}`}</UnbrokenText>
        </span>
      )}
    </>
  );
}
