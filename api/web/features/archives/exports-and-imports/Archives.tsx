import type { ReactElement } from 'react';
import { SignedIn } from '../../../app/session/SignedIn.js';
import type { ArchivesLocation } from '../../../app/routing/addresses/archives.js';
import { GeneralSettings } from './GeneralSettings.js';
import { ImportStatus } from './ImportStatus.js';
import { NewGroup } from './NewGroup.js';
import { NewProject } from './NewProject.js';

function pageOf(location: ArchivesLocation): ReactElement {
  if (location.page === 'settings') return <GeneralSettings of={location} />;
  if (location.page === 'import') return <ImportStatus of={location} />;
  return location.kind === 'group' ? <NewGroup /> : <NewProject />;
}

/** Export and import of groups and projects, for people who are signed in. */
export default function Archives({ location }: { location: ArchivesLocation }) {
  return <SignedIn>{() => pageOf(location)}</SignedIn>;
}
