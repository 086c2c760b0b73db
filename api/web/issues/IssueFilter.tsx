import { ListFilter } from '../look/ListFilter.js';
import { ORDERS } from './filter.js';
import type { AskedIssues } from './filter.js';
import type { IssuesProject } from './queries.js';

interface IssueFilterProps {
  asked: AskedIssues;
  project: IssuesProject | undefined;
}

/** The fields by which the list is narrowed and ordered. */
export function IssueFilter({ asked, project }: IssueFilterProps) {
  return (
    <ListFilter
      asked={asked}
      orders={ORDERS}
      fields={[
        { name: 'search', label: 'Words in title or description', type: 'search' },
        {
          name: 'labels',
          label: 'Labels',
          hint: 'All of these, by commas; None, Any',
          titles: project?.labels?.nodes ?? [],
        },
        { name: 'author_username', label: 'Author', hint: 'User name' },
        { name: 'assignee_username', label: 'Assignee', hint: 'User name' },
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
