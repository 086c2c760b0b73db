import { issuesPath } from '../../../app/routing/paths.js';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../../ui/Button.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { Dialog } from '../../../ui/Dialog.js';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useCopyIssue, useDeleteIssue } from './changes.js';
import type { IssueDetails } from './queries.js';

interface IssueDialogProps {
  path: string;
  issue: IssueDetails;
  onClose: () => void;
}

const WAYS = {
  move: {
    does: 'Move',
    description: 'Recreates the issue in another project with its comments, and closes it here.',
    said: 'moved',
  },
  clone: {
    does: 'Clone',
    description: 'Creates an open copy with you as the author.',
    said: 'cloned',
  },
} as const;

export type Way = keyof typeof WAYS;

/** Asks for the target project of a move or copy, and navigates to the new issue. */
function CopyDialog({ path, issue, way, onClose }: IssueDialogProps & { way: Way }) {
  const navigate = useNavigate();
  const copy = useCopyIssue(path, issue.iid, way);
  const { does, description, said } = WAYS[way];
  return (
    <Dialog title={`${does} #${issue.iid}`} onClose={onClose}>
      <p>{description}</p>
      <Form
        focusFirst
        submit={does}
        busy={copy.isPending}
        problem={copy.error}
        fields={['project']}
        beside={<Button onClick={onClose}>Cancel</Button>}
        onSubmit={(values) =>
          copy.mutate(String(values.get('project') ?? '').trim(), {
            onSuccess: ({ to, iid }) =>
              void navigate(issuesPath(to, iid), { state: { said: `Issue #${issue.iid} ${said} here.` } }),
          })
        }
      >
        <Field
          label="Project"
          name="project"
          hint="Full path, such as group/project."
          autoComplete="off"
          defaultValue={way === 'clone' ? path : ''}
          problem={fieldProblem(copy.error, 'project')}
        />
      </Form>
    </Dialog>
  );
}

function DeleteDialog({ path, issue, onClose }: IssueDialogProps) {
  const navigate = useNavigate();
  const deletion = useDeleteIssue(path, issue.iid);
  return (
    <Confirm
      title={`Delete #${issue.iid}?`}
      does="Delete issue"
      danger
      busy={deletion.isPending}
      problem={deletion.error}
      onConfirm={() =>
        deletion.mutate(undefined, {
          onSuccess: () => void navigate(issuesPath(path), { state: { said: `Issue #${issue.iid} deleted.` } }),
        })
      }
      onClose={onClose}
    >
      <p>
        <UnbrokenText>{`“${issue.title}”`}</UnbrokenText> and its links and history will be deleted. This can't be
        undone.
      </p>
    </Confirm>
  );
}

/** Buttons that move, copy or delete an issue, each only for users with permission. */
export function IssueMoves({ path, issue }: { path: string; issue: IssueDetails }) {
  const [asking, setAsking] = useState<Way | 'delete' | null>(null);
  const { moveIssue: mayCopy, destroyIssue: mayDelete } = issue.extras.userPermissions;
  const props = { path, issue, onClose: () => setAsking(null) };
  return (
    <>
      {mayCopy && issue.moved_to_id === null && <Button onClick={() => setAsking('move')}>Move</Button>}
      {mayCopy && <Button onClick={() => setAsking('clone')}>Clone</Button>}
      {mayDelete && <Button onClick={() => setAsking('delete')}>Delete</Button>}
      {(asking === 'move' || asking === 'clone') && <CopyDialog {...props} way={asking} />}
      {asking === 'delete' && <DeleteDialog {...props} />}
    </>
  );
}
