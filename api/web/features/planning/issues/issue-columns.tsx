import { issuesPath } from '../../../app/routing/paths.js';
import { Link } from 'react-router';
import type { ListedIssue } from '../../../data/api.js';
import { Labels } from '../../../ui/Labels.js';
import styles from '../../../ui/List.module.css';
import { State } from '../../../ui/State.js';
import type { Column } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useNow } from '../../../ui/now.js';

/** The day on which an issue is to be done, and whether it has passed, UTC. */
export function DueDay({ day, open }: { day: string; open: boolean }) {
  const now = useNow();
  const overdue = open && day < new Date(now).toISOString().slice(0, 10);
  const time = <time dateTime={day}>{day}</time>;
  return overdue ? <State tone="bad">{time} overdue</State> : time;
}

/** The columns of a list of issues. */
export const getColumns = (path: string): Column<ListedIssue>[] => [
  { title: 'Issue', cell: (issue) => <Name issue={issue} path={path} /> },
  { title: 'Milestone', cell: ({ milestone }) => milestone?.title ?? '' },
  { title: 'Due date', cell: ({ due_date: day, state }) => day && <DueDay day={day} open={state === 'opened'} /> },
  { title: 'Assignees', cell: ({ assignees }) => assignees.map(({ name }) => name).join(', ') },
  { title: 'Comments', end: true, cell: ({ user_notes_count: count }) => String(count) },
  { title: 'Updated', cell: ({ updated_at }) => <Time at={updated_at} /> },
];

function Name({ issue, path }: { issue: ListedIssue; path: string }) {
  const { iid, title, state, confidential, labels, author, created_at: created, task_status: tasks } = issue;
  return (
    <div className={styles.named}>
      <Link className={styles.title} to={issuesPath(path, iid)}>
        <UnbrokenText>{title}</UnbrokenText>
      </Link>
      <span className={styles.quiet}>
        #{iid} · opened <Time at={created} /> by <UnbrokenText>{author?.name ?? 'Deleted user'}</UnbrokenText>
        {tasks && ` · ${tasks}`}
      </span>
      {(state === 'closed' || confidential) && (
        <span className={styles.states}>
          {state === 'closed' && <State tone="quiet">closed</State>}{' '}
          {confidential && <State tone="warn">confidential</State>}
        </span>
      )}
      {labels.length > 0 && <Labels list={issuesPath(path)} labels={labels} />}
    </div>
  );
}
