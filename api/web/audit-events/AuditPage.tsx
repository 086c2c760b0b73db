import type { ContainerPlace } from '../containers/address.js';
import { Page } from '../look/Page.js';
import { SettingsTabs } from '../repository-settings/SettingsTabs.js';
import { SignedIn } from '../session/SignedIn.js';
import { AuditEvents } from './AuditEvents.js';

/** `/<project>/-/audit_events` and `/groups/<group>/-/audit_events`: what was changed there that matters for rights. */
export default function AuditPage({ place }: { place: ContainerPlace }) {
  const of = { kind: place.kind === 'group' ? 'group' : 'project', path: place.path } as const;
  return (
    <SignedIn>
      {() => (
        <Page title="Audit events" lead="Changes of members, tokens, protections and settings, the newest first.">
          <SettingsTabs place={of} current="audit" />
          <AuditEvents of={of} />
        </Page>
      )}
    </SignedIn>
  );
}
