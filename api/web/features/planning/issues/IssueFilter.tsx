import { ListFilter, planningFilters } from '../../../app/forms/ListFilter.js';
import { ORDERS } from './filter.js';
import type { IssueListParams } from './filter.js';
import type { IssuesProject } from './queries.js';

interface IssueFilterProps {
  params: IssueListParams;
  project: IssuesProject | undefined;
}

/** The fields by which the list is narrowed and ordered. */
export function IssueFilter({ params, project }: IssueFilterProps) {
  return (
    <ListFilter
      params={params}
      orders={ORDERS}
      fields={[
        ...planningFilters(project?.labels?.nodes),
        { name: 'assignee_username', label: 'Assignee', hint: 'Username' },
        {
          name: 'milestone',
          label: 'Milestone',
          hint: 'Title; None, Any, Upcoming, Started',
          titles: project?.milestones?.nodes ?? [],
        },
      ]}
    />
  );
}
