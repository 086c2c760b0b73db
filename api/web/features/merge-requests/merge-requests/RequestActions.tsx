import { Button, ButtonLink } from '../../../ui/Button.js';
import { usePageActions } from '../../../app/palette/page-actions.js';
import type { PageAction } from '../../../app/palette/page-actions.js';
import { Problem } from '../../../app/problems/Problem.js';
import { useSession } from '../../../data/session.js';
import type { Person } from '../../../data/session.js';
import { useApproval, useEditRequest } from './changes.js';
import type { MergeRequestDetails } from './queries.js';
import styles from './RequestActions.module.css';

interface RequestActionsProps {
  path: string;
  request: MergeRequestDetails;
  /** The commit that the person saw. */
  head: string | null;
  onSaid: (said: string) => void;
}

/** The prefix that marks a title as a draft. */
const DRAFT = /^\s*(?:\[draft\]|\(draft\)|draft:)\s*/i;

/** The actions on the merge request that the user may perform, except merging. */
export function RequestActions({ path, request, head, onSaid }: RequestActionsProps) {
  const person = useSession().data?.user ?? null;
  const change = useEditRequest(path, request.iid);
  const approval = useApproval(path, request.iid);
  const { updateMergeRequest: mayEdit, adminMergeRequest: mayApprove } = request.extras.userPermissions;
  const error = change.error ?? approval.error;
  const open = request.state === 'opened';
  const approved = person !== null && isApprover(request, person);
  const edit = (body: Parameters<typeof change.mutate>[0], said: string) =>
    change.mutate(body, { onSuccess: () => onSaid(said) });
  const approve = () =>
    approval.mutate(
      { approve: !approved, sha: head },
      { onSuccess: () => onSaid(approved ? 'Approval revoked.' : 'Merge request approved.') },
    );
  const toggle = () =>
    edit({ state_event: open ? 'close' : 'reopen' }, open ? 'Merge request closed.' : 'Merge request reopened.');
  const approves = open && mayApprove && person !== null && !isOwn(request, person);
  const toggles = mayEdit && (open || request.state === 'closed');
  const actions: (PageAction | false)[] = [
    approves && { label: approved ? 'Revoke approval' : 'Approve this merge request', run: approve },
    mayEdit && { label: 'Edit this merge request', to: '?edit=1' },
    toggles && { label: open ? 'Close this merge request' : 'Reopen this merge request', run: toggle },
    { label: `Copy branch name ${request.source_branch}`, copy: request.source_branch },
  ];
  usePageActions(person ? actions.filter((action) => action !== false) : []);
  if (!person) return null;
  return (
    <>
      {error && <Problem error={error} />}
      <div className={styles.actions}>
        {approves && (
          <Button busy={approval.isPending} onClick={approve}>
            {approved ? 'Revoke approval' : 'Approve'}
          </Button>
        )}
        {mayEdit && <ButtonLink to="?edit=1">Edit</ButtonLink>}
        {mayEdit && open && request.draft && (
          <Button
            busy={change.isPending}
            onClick={() => edit({ title: request.title.replace(DRAFT, '') }, 'Marked as ready.')}
          >
            Mark as ready
          </Button>
        )}
        {toggles && (
          <Button busy={change.isPending} onClick={toggle}>
            {open ? 'Close merge request' : 'Reopen merge request'}
          </Button>
        )}
      </div>
    </>
  );
}

/** Whether the user is the author, whose own approval does not count if approvals are counted, on the Premium plan. */
const isOwn = ({ author, approvals_before_merge: counted }: MergeRequestDetails, { id }: Person): boolean =>
  counted !== undefined && author?.id === id;

const isApprover = ({ extras: { approvedBy } }: MergeRequestDetails, { id }: Person): boolean =>
  (approvedBy?.nodes ?? []).some((user) => user.id.endsWith(`/${id}`));
