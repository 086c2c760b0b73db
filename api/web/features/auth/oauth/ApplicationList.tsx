import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { Check } from '../../../ui/Check.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { Choices, Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Card } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import rows from '../../../ui/Rows.module.css';
import { Said } from '../../../ui/Said.js';
import { Secret } from '../../../ui/Secret.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Whole } from '../../../ui/Whole.js';
import { scopesQuery } from '../personal-access-tokens/index.js';
import { applicationsQuery, useApplicationChange } from './application-source.js';
import type { Application, ApplicationSource, NewApplication } from './application-source.js';

/** Whether the form for a new application is requested: `?new=1`. */
export const isAdding = (search: URLSearchParams): boolean => search.get('new') === '1';

interface ApplicationListProps {
  source: ApplicationSource;
  title: string;
  empty: string;
  /** Whether the person may make, change and delete them. */
  mayAct: boolean;
}

/** Applications with what can be done with them: a form for a new one, its secret once, another secret, deletion. */
export function ApplicationList({ source, title, empty, mayAct }: ApplicationListProps) {
  const [search, setSearch] = useSearchParams();
  const [application, setNewApplication] = useState<NewApplication | null>(null);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [said, setSaid] = useState('');
  return (
    <>
      <Said>{said}</Said>
      {application && <SecretOf application={application} onDone={() => setNewApplication(null)} />}
      {mayAct && isAdding(search) && (
        <Card>
          <NewForm
            source={source}
            onCreate={(application) => {
              setNewApplication(application);
              setSearch({}, { replace: true });
            }}
          />
        </Card>
      )}
      <RecordList
        title={title}
        query={useQuery(applicationsQuery(source, pageIn(search)))}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Application',
            cell: ({ application_name: name }) => (
              <span className={rows.name}>
                <Whole>{name}</Whole>
              </span>
            ),
          },
          {
            title: 'Application ID',
            cell: ({ application_id: id }) => (
              <code>
                <Whole>{id}</Whole>
              </code>
            ),
          },
          {
            title: 'Redirect URI',
            cell: ({ callback_url: url }) => <Whole>{url.split(/\s+/).join(', ')}</Whole>,
          },
          { title: 'Confidential', cell: ({ confidential }) => (confidential ? 'yes' : 'no') },
          {
            title: 'Actions',
            actions: true,
            end: true,
            cell: (application) => mayAct && <Actions application={application} onAsk={setDialog} />,
          },
        ]}
        empty={empty}
      />
      {dialog?.what === 'delete' && (
        <Deletion
          source={source}
          application={dialog.application}
          onClose={() => setDialog(null)}
          onDone={() => {
            setSaid(`The application “${dialog.application.application_name}” was deleted.`);
            setDialog(null);
          }}
        />
      )}
      {dialog?.what === 'renew' && (
        <Renewal
          source={source}
          application={dialog.application}
          onClose={() => setDialog(null)}
          onDone={(renewed) => {
            setNewApplication(renewed);
            setDialog(null);
          }}
        />
      )}
    </>
  );
}

type OpenDialog = { application: Application; what: 'renew' | 'delete' } | null;

function Actions({ application, onAsk }: { application: Application; onAsk: (dialog: OpenDialog) => void }) {
  const { application_name: name } = application;
  return (
    <div className={rows.actions}>
      <Button
        kind="quiet"
        aria-label={`Renew secret for ${name}`}
        onClick={() => onAsk({ application, what: 'renew' })}
      >
        Renew secret
      </Button>
      <Button kind="quiet" aria-label={`Delete ${name}`} onClick={() => onAsk({ application, what: 'delete' })}>
        Delete
      </Button>
    </div>
  );
}

function SecretOf({ application, onDone }: { application: NewApplication; onDone: () => void }) {
  return (
    <Secret title={`Secret of “${application.application_name}”`} value={application.secret} onDone={onDone}>
      <p>
        Its application ID is{' '}
        <code>
          <Whole>{application.application_id}</Whole>
        </code>
        .
      </p>
    </Secret>
  );
}

const FIELDS = ['name', 'redirect_uri', 'scopes'];

interface NewFormProps {
  source: ApplicationSource;
  onCreate: (application: NewApplication) => void;
}

function NewForm({ source, onCreate }: NewFormProps) {
  const creation = useApplicationChange(source.create);
  const scopes = useQuery(scopesQuery);
  const problem = (name: string) => fieldProblem(creation.error, name);
  if (scopes.error) return <Problem error={scopes.error} retry={() => void scopes.refetch()} />;
  if (!scopes.data) return <LoadingRows label="Loading scopes" rows={4} />;
  return (
    <Form
      focusFirst
      submit="Create application"
      busy={creation.isPending}
      problem={creation.error}
      fields={FIELDS}
      beside={<ButtonLink to="?">Cancel</ButtonLink>}
      onSubmit={(values) => {
        const text = (name: string) => String(values.get(name) ?? '').trim();
        creation.mutate(
          {
            name: text('name'),
            redirect_uri: text('redirect_uri'),
            scopes: values.getAll('scopes').join(' '),
            confidential: values.get('confidential') !== null,
          },
          { onSuccess: onCreate },
        );
      }}
    >
      <Field label="Name" name="name" autoComplete="off" maxLength={255} problem={problem('name')} />
      <Field
        label="Redirect URI"
        name="redirect_uri"
        hint="The page of the application that users return to after authorizing it."
        autoComplete="off"
        problem={problem('redirect_uri')}
      />
      <Check
        label="Confidential"
        name="confidential"
        hint="For server-side applications that can keep the secret. Clear for native and browser apps."
        on
      />
      <Choices
        legend="Scopes"
        name="scopes"
        hint="Scopes the application can request. Users can deny the request."
        choices={scopes.data.map(({ name, description }) => ({ value: name, description }))}
        problem={problem('scopes')}
      />
    </Form>
  );
}

interface DialogProps<Out> {
  source: ApplicationSource;
  application: Application;
  onClose: () => void;
  onDone: (out: Out) => void;
}

function Deletion({ source, application: { id, application_name: name }, onClose, onDone }: DialogProps<void>) {
  const deletion = useApplicationChange(source.remove);
  return (
    <Confirm
      title={`Delete “${name}”?`}
      does="Delete"
      danger
      busy={deletion.isPending}
      problem={deletion.error}
      onConfirm={() => deletion.mutate(id, { onSuccess: () => onDone() })}
      onClose={onClose}
    >
      <p>This revokes its tokens. Users can no longer sign in to it with their account.</p>
    </Confirm>
  );
}

function Renewal({
  source,
  application: { id, application_name: name },
  onClose,
  onDone,
}: DialogProps<NewApplication>) {
  const renewal = useApplicationChange(source.renew);
  return (
    <Confirm
      title={`Renew the secret of “${name}”?`}
      does="Renew secret"
      danger
      busy={renewal.isPending}
      problem={renewal.error}
      onConfirm={() => renewal.mutate(id, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>The current secret stops working immediately. Existing authorizations are kept.</p>
    </Confirm>
  );
}
