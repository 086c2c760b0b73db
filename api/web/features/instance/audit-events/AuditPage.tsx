import type { Container } from '../../../data/containers.js';
import { Page } from '../../../ui/Page.js';
import { SettingsTabs } from '../../../app/settings/SettingsTabs.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import { AuditEvents } from './AuditEvents.js';

const LEAD = 'Changes to members, tokens, protections and settings, newest first.';
/** The period that the API returns for a group at once. */
const WINDOW = 'Shows 30 days at a time. To see earlier events, choose an earlier end date.';

/** `/<project>/-/audit_events` and `/groups/<group>/-/audit_events`: what was changed there that matters for rights. */
export default function AuditPage({ of }: { of: Container }) {
  return (
    <SignedIn>
      {() => (
        <Page title="Audit events" lead={of.kind === 'group' ? `${LEAD} ${WINDOW}` : LEAD}>
          <SettingsTabs container={of} />
          <AuditEvents of={of} />
        </Page>
      )}
    </SignedIn>
  );
}
