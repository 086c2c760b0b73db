import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../ui/Button.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { Page } from '../../../ui/Page.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import rows from '../../../ui/Rows.module.css';
import { Said } from '../../../ui/Said.js';
import { State } from '../../../ui/State.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import { formatBrowser } from './format-browser.js';
import { sessionsQuery, useEndSessions } from './queries.js';
import type { OwnSession } from './queries.js';

/** `/-/user_settings/active_sessions`: the browsers in which one is signed in. */
export default function Sessions() {
  return <SignedIn>{() => <List />}</SignedIn>;
}

type OpenDialog = OwnSession | 'others' | null;

function List() {
  const query = useQuery(sessionsQuery);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [said, setSaid] = useState('');
  const others = query.data?.rows.some(({ current }) => !current) ?? false;
  return (
    <Page
      title="Sessions"
      lead="Browsers where you're signed in. If you don't recognize one, revoke it and change your password."
      action={others && <Button onClick={() => setDialog('others')}>Revoke all others</Button>}
    >
      <Said>{said}</Said>
      <RecordList
        title="Sessions"
        query={query}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Browser', cell: (session) => <Browser session={session} /> },
          { title: 'Address', cell: ({ ip_address: address }) => address ?? 'unknown' },
          { title: 'Signed in', cell: ({ created_at: at }) => <Time at={at} /> },
          { title: 'Last used', cell: ({ last_used_at: at }) => <Time at={at} /> },
          {
            title: 'Actions',
            actions: true,
            end: true,
            cell: (session) =>
              !session.current && (
                <div className={rows.actions}>
                  <Button
                    kind="quiet"
                    aria-label={`Revoke the session in ${formatBrowser(session.user_agent)} from ${session.ip_address ?? 'an unknown address'}`}
                    onClick={() => setDialog(session)}
                  >
                    {' '}
                    Revoke{' '}
                  </Button>
                </div>
              ),
          },
        ]}
        empty="No active sessions."
      />
      {dialog && (
        <End
          which={dialog}
          onClose={() => setDialog(null)}
          onDone={() => {
            setSaid(dialog === 'others' ? 'All other sessions were revoked.' : 'The session was revoked.');
            setDialog(null);
          }}
        />
      )}
    </Page>
  );
}

function Browser({ session: { user_agent: agent, current } }: { session: OwnSession }) {
  return (
    <>
      <span className={rows.name} title={agent}>
        <UnbrokenText>{formatBrowser(agent)}</UnbrokenText>
      </span>
      {current && (
        <span className={rows.quiet}>
          <State tone="good">current</State>
        </span>
      )}
    </>
  );
}

interface EndProps {
  which: OwnSession | 'others';
  onClose: () => void;
  onDone: () => void;
}

function End({ which, onClose, onDone }: EndProps) {
  const ending = useEndSessions();
  return (
    <Confirm
      title={
        which === 'others' ? 'Revoke all other sessions?' : `Revoke the session in ${formatBrowser(which.user_agent)}?`
      }
      does={which === 'others' ? 'Revoke all others' : 'Revoke'}
      danger
      busy={ending.isPending}
      problem={ending.error}
      onConfirm={() => ending.mutate(which, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>Signing in again requires your password. Access tokens aren't affected.</p>
    </Confirm>
  );
}
