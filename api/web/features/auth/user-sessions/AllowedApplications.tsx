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
import { Whole } from '../../../ui/Whole.js';
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
    <Page
      title="Applications"
      lead="Programs that act for people here: those that you allowed something, and those that you made."
    >
      <Said>{said}</Said>
      <Section title="Allowed by you" aside="What you take back, they have to ask you for again">
        <RecordList
          title="Allowed applications"
          query={useQuery(applicationsQuery)}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Application',
              cell: ({ name }) => (
                <span className={rows.name}>
                  <Whole>{name}</Whole>
                </span>
              ),
            },
            {
              title: 'May use',
              cell: ({ scopes }) => (
                <span className={rows.scopes}>
                  {scopes.map((scope) => (
                    <code key={scope}>{scope}</code>
                  ))}
                </span>
              ),
            },
            { title: 'Allowed', cell: ({ allowed_at: at }) => <Time at={at} /> },
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
          empty="You allowed no application anything. One asks you when you sign in to it with your account here."
        />
      </Section>
      <Section title="Made by you" aside={!isAdding(search) && <ButtonLink to="?new=1">New application</ButtonLink>}>
        <ApplicationList
          source={ownApplications}
          title="Own applications"
          mayAct
          empty="You made no application. One lets people sign in to your program with their account here, or has it act for them, by OAuth 2.0."
        />
      </Section>
      {target && (
        <TakeBack
          application={target}
          onClose={() => setTarget(null)}
          onDone={() => {
            setSaid(`“${target.name}” may do nothing for you any more.`);
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
      <p>It is refused from the next request on, until you allow it again.</p>
    </Confirm>
  );
}
