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
import { Whole } from '../../../ui/Whole.js';
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
      lead="The browsers in which you are signed in. End one that you do not know, and change your password then."
      action={others && <Button onClick={() => setDialog('others')}>End all others</Button>}
    >
      <Said>{said}</Said>
      <RecordList
        title="Sessions"
        query={query}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Browser', cell: (session) => <Browser session={session} /> },
          { title: 'Address', cell: ({ ip_address: address }) => address ?? 'not known' },
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
                    aria-label={`End the session in ${formatBrowser(session.user_agent)} from ${session.ip_address ?? 'an unknown address'}`}
                    onClick={() => setDialog(session)}
                  >
                    End
                  </Button>
                </div>
              ),
          },
        ]}
        empty="You are signed in nowhere."
      />
      {dialog && (
        <End
          which={dialog}
          onClose={() => setDialog(null)}
          onDone={() => {
            setSaid(dialog === 'others' ? 'All other sessions have ended.' : 'The session has ended.');
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
        <Whole>{formatBrowser(agent)}</Whole>
      </span>
      {current && (
        <span className={rows.quiet}>
          <State tone="good">this one</State>
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
      title={which === 'others' ? 'End all other sessions?' : `End the session in ${formatBrowser(which.user_agent)}?`}
      does={which === 'others' ? 'End all others' : 'End'}
      danger
      busy={ending.isPending}
      problem={ending.error}
      onConfirm={() => ending.mutate(which, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>Whoever uses it has to sign in again with your password. Access tokens stay as they are.</p>
    </Confirm>
  );
}
