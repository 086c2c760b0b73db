import { milestonesPath } from '../../../app/routing/paths.js';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Container } from '../../../data/containers.js';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import rows from '../../../app/forms/Form.module.css';
import { Problem } from '../../../app/problems/Problem.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useDeleteMilestone, useEditMilestone } from './changes.js';
import type { Milestone } from './queries.js';

interface MilestoneActionsProps {
  of: Container;
  milestone: Milestone;
  onSaid: (said: string) => void;
}

/** What Planners and above may do with a milestone as a whole. */
export function MilestoneActions({ of, milestone, onSaid }: MilestoneActionsProps) {
  const [asking, setAsking] = useState(false);
  const change = useEditMilestone(of, milestone.id);
  const open = milestone.state === 'active';
  return (
    <>
      {change.error && <Problem error={change.error} />}
      <div className={rows.row}>
        <ButtonLink to="?edit=1">Edit</ButtonLink>
        <Button
          busy={change.isPending}
          onClick={() =>
            change.mutate(
              { state_event: open ? 'close' : 'activate' },
              { onSuccess: () => onSaid(open ? 'Milestone closed.' : 'Milestone reopened.') },
            )
          }
        >
          {open ? 'Close milestone' : 'Reopen milestone'}
        </Button>
        <Button onClick={() => setAsking(true)}>Delete</Button>
      </div>
      {asking && <DeleteDialog of={of} milestone={milestone} onClose={() => setAsking(false)} />}
    </>
  );
}

function DeleteDialog({ of, milestone, onClose }: Omit<MilestoneActionsProps, 'onSaid'> & { onClose: () => void }) {
  const navigate = useNavigate();
  const deletion = useDeleteMilestone(of, milestone.id);
  const { title } = milestone;
  return (
    <Confirm
      title="Delete milestone?"
      does="Delete milestone"
      danger
      busy={deletion.isPending}
      problem={deletion.error}
      onConfirm={() =>
        deletion.mutate(undefined, {
          onSuccess: () => void navigate(milestonesPath(of), { state: { said: `Milestone “${title}” deleted.` } }),
        })
      }
      onClose={onClose}
    >
      <p>
        <UnbrokenText>{`“${title}”`}</UnbrokenText> will be deleted, and its issues and merge requests will have no
        milestone. This can't be undone.
      </p>
    </Confirm>
  );
}
