import { snippetsPath } from '../../../app/routing/paths.js';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import form from '../../../app/forms/Form.module.css';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useDeleteSnippet } from './changes.js';
import type { SnippetDetails } from './queries.js';

interface SnippetActionsProps {
  project: string | null;
  snippet: SnippetDetails;
}

/** What its author and Maintainers may do with a snippet. */
export function SnippetActions({ project, snippet }: SnippetActionsProps) {
  const [asking, setAsking] = useState(false);
  const { updateSnippet: mayEdit, adminSnippet: mayDelete } = snippet.extras.userPermissions;
  if (!mayEdit && !mayDelete) return null;
  return (
    <div className={form.row}>
      {mayEdit && <ButtonLink to="?edit=1">Edit</ButtonLink>}
      {mayDelete && <Button onClick={() => setAsking(true)}>Delete</Button>}
      {asking && <DeleteDialog project={project} snippet={snippet} onClose={() => setAsking(false)} />}
    </div>
  );
}

function DeleteDialog({ project, snippet: { id, title }, onClose }: SnippetActionsProps & { onClose: () => void }) {
  const navigate = useNavigate();
  const deletion = useDeleteSnippet(project, id);
  return (
    <Confirm
      title="Delete snippet?"
      does="Delete snippet"
      danger
      busy={deletion.isPending}
      problem={deletion.error}
      onConfirm={() =>
        deletion.mutate(undefined, {
          onSuccess: () => void navigate(snippetsPath(project), { state: { said: `Snippet “${title}” deleted.` } }),
        })
      }
      onClose={onClose}
    >
      <p>
        <UnbrokenText>{`“${title}”`}</UnbrokenText> and its files and history will be deleted. This can't be undone.
      </p>
    </Confirm>
  );
}
