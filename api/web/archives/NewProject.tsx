import { Page } from '../ui/Page.js';
import { BlankProject } from './BlankProject.js';
import { ImportProject } from './ImportProject.js';
import { NewTabs, useSource } from './NewTabs.js';

/** `/projects/new`: an empty project, or one out of an archive. `?namespace=` names where it is to lie. */
export function NewProject() {
  const { archive } = useSource();
  return (
    <Page title="New project" lead="A project holds a repository, its issues, its pipelines and their schedules.">
      <NewTabs label="Empty project" />
      {archive ? <ImportProject /> : <BlankProject />}
    </Page>
  );
}
