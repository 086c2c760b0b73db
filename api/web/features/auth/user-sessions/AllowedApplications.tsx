import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { Page, Section } from '../../../ui/Page.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import rows from '../../../ui/Rows.module.css';
import { Said } from '../../../ui/Said.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { ApplicationList, isAdding } from '../oauth/index.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import { applicationsQuery, ownApplications, useTakeBack } from './queries.js';
import type { AllowedApplication } from './queries.js';

/** `/-/user_settings/applications`: programs that one allowed to act for oneself, and those that one made. */
export default function AllowedApplications() {
  return <SignedIn>{() => <List />}</SignedIn>;
}

function List() {
  const [search] = useSearchParams();
  const [target, setTarget] = useState<AllowedApplication | null>(null);
  const [said, setSaid] = useState('');
  return (
    <Page title="Applications" lead="Applications you authorized, and applications you created.">
      <Said>{said}</Said>
      <Section title="Authorized applications" aside="Applications must ask again after you revoke access">
        <RecordList
          title="Authorized applications"
          query={useQuery(applicationsQuery)}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Application',
              cell: ({ name }) => (
                <span className={rows.name}>
                  <UnbrokenText>{name}</UnbrokenText>
                </span>
              ),
            },
            {
              title: 'Scopes',
              cell: ({ scopes }) => (
                <span className={rows.scopes}>
                  {scopes.map((scope) => (
                    <code key={scope}>{scope}</code>
                  ))}
                </span>
              ),
            },
            { title: 'Authorized', cell: ({ allowed_at: at }) => <Time at={at} /> },
            { title: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'never' : <Time at={at} />) },
            {
              title: 'Actions',
              actions: true,
              end: true,
              cell: (application) => (
                <div className={rows.actions}>
                  <Button kind="quiet" aria-label={`Revoke ${application.name}`} onClick={() => setTarget(application)}>
                    Revoke
                  </Button>
                </div>
              ),
            },
          ]}
          empty="No authorized applications. Applications ask for authorization when you sign in to them with your account."
        />
      </Section>
      <Section
        title="Your applications"
        aside={!isAdding(search) && <ButtonLink to="?new=1">New application</ButtonLink>}
      >
        <ApplicationList
          source={ownApplications}
          title="Own applications"
          mayAct
          empty="No applications yet. With an OAuth 2.0 application, users can sign in to your program with their account, or let it act for them."
        />
      </Section>
      {target && (
        <TakeBack
          application={target}
          onClose={() => setTarget(null)}
          onDone={() => {
            setSaid(`“${target.name}” no longer has access to your account.`);
            setTarget(null);
          }}
        />
      )}
    </Page>
  );
}

interface TakeBackProps {
  application: AllowedApplication;
  onClose: () => void;
  onDone: () => void;
}

function TakeBack({ application, onClose, onDone }: TakeBackProps) {
  const taking = useTakeBack();
  return (
    <Confirm
      title={`Revoke “${application.name}”?`}
      does="Revoke"
      danger
      busy={taking.isPending}
      problem={taking.error}
      onConfirm={() => taking.mutate(application, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>It loses access immediately, until you authorize it again.</p>
    </Confirm>
  );
}
