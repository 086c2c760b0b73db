import { groupPath } from '../../../app/routing/paths.js';
import { useNavigate } from 'react-router';
import { Page } from '../../../ui/Page.js';
import { ImportGroup } from './ImportGroup.js';
import { NewTabs, useSource } from './NewTabs.js';
import { BlankForm } from './BlankForm.js';
import { useMakeGroup } from './making.js';

/** An empty group, by itself or in another. */
function BlankGroup() {
  const navigate = useNavigate();
  const making = useMakeGroup();
  return (
    <BlankForm
      kind="group"
      making={making}
      pathHint="Part of the URL, for example rockets."
      parentHint="Full path of the parent group. Leave empty for a top-level group."
      onMake={(attributes, parent) =>
        making.mutate({ ...attributes, parent }, { onSuccess: ({ full_path: path }) => void navigate(groupPath(path)) })
      }
    />
  );
}

/** `/groups/new`: an empty group, or one out of an archive. `?parent=` names the group above it. */
export default function NewGroup() {
  const { archive } = useSource();
  return (
    <Page title="New group" lead="Groups contain projects and subgroups. Members have access to all of them.">
      <NewTabs label="Empty group" />
      {archive ? <ImportGroup /> : <BlankGroup />}
    </Page>
  );
}
