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
      pathHint="In its address, such as rocket; made of the name where left empty."
      parentHint="Full path of the group that it lies in; your own namespace where left empty."
      onMake={(attributes, namespace, values) =>
        making.mutate(
          { ...attributes, namespace, readme: values.get('readme') !== null },
          { onSuccess: ({ path_with_namespace: path }) => void navigate(namespacePath(path)) },
        )
      }
    >
      <Check
        label="Begin with a README"
        name="readme"
        on
        hint="Then it has a branch, which schedules need. Leave it out to push a repository that you have."
      />
    </BlankForm>
  );
}

/** `/projects/new`: an empty project, or one from an archive. `?namespace=` selects its namespace. */
export default function NewProject() {
  const { archive } = useSource();
  return (
    <Page title="New project" lead="A project holds a repository, its issues, its pipelines and their schedules.">
      <NewTabs label="Empty project" />
      {archive ? <ImportProject /> : <BlankProject />}
    </Page>
  );
}
