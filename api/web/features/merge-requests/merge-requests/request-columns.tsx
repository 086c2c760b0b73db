import { mergeRequestsPath } from '../../../app/routing/paths.js';
import { Link } from 'react-router';
import type { ListedMergeRequest } from '../../../data/api.js';
import { Labels } from '../../../ui/Labels.js';
import styles from '../../../ui/List.module.css';
import type { Column } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { State } from '../../../ui/State.js';
import type { MergeRequestDetails } from './queries.js';

type Merging = Pick<MergeRequestDetails, 'state' | 'draft'>;

/** The state of a merge request as a label. */
export function RequestState({ request: { state, draft } }: { request: Merging }) {
  if (state === 'merged') return <State tone="good">merged</State>;
  if (state === 'closed') return <State tone="quiet">closed</State>;
  if (state === 'locked') return <State tone="warn">merging</State>;
  return draft ? <State tone="warn">draft</State> : <State tone="good">open</State>;
}

const names = (people: readonly { name: string }[]) => people.map(({ name }) => name).join(', ');

/** The columns of a list of merge requests. */
export const getColumns = (path: string): Column<ListedMergeRequest>[] => [
  { title: 'Merge request', cell: (request) => <Name request={request} path={path} /> },
  { title: 'State', cell: (request) => <RequestState request={request} /> },
  { title: 'Milestone', cell: ({ milestone }) => milestone?.title ?? '' },
  { title: 'Assignees', cell: ({ assignees }) => names(assignees) },
  { title: 'Reviewers', cell: ({ reviewers }) => names(reviewers) },
  { title: 'Comments', end: true, cell: ({ user_notes_count: count }) => String(count) },
  { title: 'Updated', cell: ({ updated_at }) => <Time at={updated_at} /> },
];

function Name({ request, path }: { request: ListedMergeRequest; path: string }) {
  const { iid, title, labels, author, created_at: created, source_branch: source, target_branch: target } = request;
  return (
    <div className={styles.named}>
      <Link className={styles.title} to={mergeRequestsPath(path, iid)}>
        <UnbrokenText>{title}</UnbrokenText>
      </Link>
      <span className={styles.quiet}>
        !{iid} · opened <Time at={created} /> by <UnbrokenText>{author?.name ?? 'Deleted user'}</UnbrokenText>
      </span>
      <span className={styles.quiet}>
        <UnbrokenText>{`${source} into ${target}`}</UnbrokenText>
      </span>
      {labels.length > 0 && <Labels list={mergeRequestsPath(path)} labels={labels} />}
    </div>
  );
}
