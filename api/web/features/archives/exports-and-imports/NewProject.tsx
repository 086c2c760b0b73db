import { namespacePath } from '../../../app/routing/paths.js';
import { useNavigate } from 'react-router';
import { Page } from '../../../ui/Page.js';
import { Check } from '../../../ui/Check.js';
import { ImportProject } from './ImportProject.js';
import { NewTabs, useSource } from './NewTabs.js';
import { BlankForm } from './BlankForm.js';
import { useMakeProject } from './making.js';

/** An empty project, which begins with a README where that is wanted. */
function BlankProject() {
  const navigate = useNavigate();
  const making = useMakeProject();
  return (
    <BlankForm
      kind="project"
      making={making}
      pathHint="Part of the URL, for example rocket. Defaults to the name."
      parentHint="Full path of the group. Defaults to your namespace."
      onMake={(attributes, namespace, values) =>
        making.mutate(
          { ...attributes, namespace, readme: values.get('readme') !== null },
          { onSuccess: ({ path_with_namespace: path }) => void navigate(namespacePath(path)) },
        )
      }
    >
      <Check
        label="Initialize with a README"
        name="readme"
        on
        hint="Creates the default branch, which schedules need. Skip this to push an existing repository."
      />
    </BlankForm>
  );
}

/** `/projects/new`: an empty project, or one from an archive. `?namespace=` selects its namespace. */
export default function NewProject() {
  const { archive } = useSource();
  return (
    <Page title="New project" lead="A project contains a repository, issues, pipelines and schedules.">
      <NewTabs label="Empty project" />
      {archive ? <ImportProject /> : <BlankProject />}
    </Page>
  );
}
