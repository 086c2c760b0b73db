import type { ReactElement } from 'react';
import { SignedIn } from '../session/SignedIn.js';
import type { ArchivesPlace } from './address.js';
import { GeneralSettings } from './GeneralSettings.js';
import { ImportStatus } from './ImportStatus.js';
import { NewGroup } from './NewGroup.js';
import { NewProject } from './NewProject.js';

function pageOf(place: ArchivesPlace): ReactElement {
  if (place.page === 'settings') return <GeneralSettings of={place} />;
  if (place.page === 'import') return <ImportStatus of={place} />;
  return place.kind === 'group' ? <NewGroup /> : <NewProject />;
}

/** Export and import of groups and projects, for people who are signed in. */
export default function Archives({ place }: { place: ArchivesPlace }) {
  return <SignedIn>{() => pageOf(place)}</SignedIn>;
}
