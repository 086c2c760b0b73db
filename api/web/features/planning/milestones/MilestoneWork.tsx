import { useQuery } from '@tanstack/react-query';
import type { Container } from '../../../data/containers.js';
import { PlannedList } from '../../../app/lists/PlannedList.js';
import { State } from '../../../ui/State.js';
import type { Column } from '../../../ui/Table.js';
import { RequestState } from '../../merge-requests/merge-requests/index.js';
import { issuesOfMilestoneQuery, requestsOfMilestoneQuery } from './queries.js';

const assignees: Column<{ assignees: readonly { name: string }[] }> = {
  title: 'Assignees',
  cell: ({ assignees: people }) => people.map(({ name }) => name).join(', '),
};

/** The issues and merge requests that are planned for a milestone, and how many of them are done. */
export function MilestoneWork({ of, id }: { of: Container; id: number }) {
  return (
    <>
      <PlannedList
        title="Issues"
        query={useQuery(issuesOfMilestoneQuery(of, id))}
        done="Issues closed"
        isDone={({ state }) => state === 'closed'}
        columns={[
          assignees,
          {
            title: 'State',
            cell: ({ state }) =>
              state === 'opened' ? <State tone="good">open</State> : <State tone="quiet">closed</State>,
          },
        ]}
        empty="This milestone has no issues that you can see."
      />
      <PlannedList
        title="Merge requests"
        query={useQuery(requestsOfMilestoneQuery(of, id))}
        done="Merge requests merged or closed"
        isDone={({ state }) => state === 'merged' || state === 'closed'}
        columns={[assignees, { title: 'State', cell: (request) => <RequestState request={request} /> }]}
        empty="This milestone has no merge requests that you can see."
      />
    </>
  );
}
