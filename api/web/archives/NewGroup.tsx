import { Page } from '../ui/Page.js';
import { BlankGroup } from './BlankGroup.js';
import { ImportGroup } from './ImportGroup.js';
import { NewTabs, useSource } from './NewTabs.js';

/** `/groups/new`: an empty group, or one out of an archive. `?parent=` names the group above it. */
export function NewGroup() {
  const { archive } = useSource();
  return (
    <Page title="New group" lead="A group holds projects and other groups, and gives people a role in all of them.">
      <NewTabs label="Empty group" />
      {archive ? <ImportGroup /> : <BlankGroup />}
    </Page>
  );
}
