import { Button, ButtonLink } from '../../../ui/Button.js';
import { usePageActions } from '../../../app/palette/page-actions.js';
import { Problem } from '../../../app/problems/Problem.js';
import { useSession } from '../../../data/session.js';
import { useEditIssue, useSubscription } from './changes.js';
import { IssueMoves } from './IssueMoves.js';
import styles from './IssuePage.module.css';
import type { IssueDetails } from './queries.js';

interface IssueActionsProps {
  path: string;
  issue: IssueDetails;
  onSaid: (said: string) => void;
}

/** The actions on the issue as a whole that the user may perform. */
export function IssueActions({ path, issue, onSaid }: IssueActionsProps) {
  const person = useSession().data?.user ?? null;
  const change = useEditIssue(path, issue.iid, issue.assignees);
  const subscription = useSubscription(path, issue.iid);
  const open = issue.state === 'opened';
  const error = change.error ?? subscription.error;
  const mayEdit = issue.extras.userPermissions.updateIssue;
  const toggle = () =>
    change.mutate(
      { state_event: open ? 'close' : 'reopen' },
      { onSuccess: () => onSaid(open ? 'Issue closed.' : 'Issue reopened.') },
    );
  const subscribe = () =>
    subscription.mutate(!issue.subscribed, {
      onSuccess: () =>
        onSaid(
          issue.subscribed
            ? 'You no longer get notifications for this issue.'
            : "You'll get notifications for this issue.",
        ),
    });
  const edits = [
    { label: 'Edit this issue', to: '?edit=1' },
    { label: open ? 'Close this issue' : 'Reopen this issue', run: toggle },
  ];
  const subscriptionAction = {
    label: issue.subscribed ? 'Unsubscribe from this issue' : 'Subscribe to this issue',
    run: subscribe,
  };
  usePageActions(person ? [...(mayEdit ? edits : []), subscriptionAction] : []);
  if (!person) return null;
  return (
    <>
      {error && <Problem error={error} />}
      <div className={styles.actions}>
        {mayEdit && <ButtonLink to="?edit=1">Edit</ButtonLink>}
        {mayEdit && (
          <Button busy={change.isPending} onClick={toggle}>
            {open ? 'Close issue' : 'Reopen issue'}
          </Button>
        )}
        <Button busy={subscription.isPending} onClick={subscribe}>
          {issue.subscribed ? 'Unsubscribe' : 'Subscribe'}
        </Button>
        <IssueMoves path={path} issue={issue} />
      </div>
    </>
  );
}
