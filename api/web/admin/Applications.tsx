import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button, ButtonLink } from '../look/Button.js';
import { Check } from '../look/Check.js';
import { Confirm } from '../look/Confirm.js';
import { Field, fieldProblem, Form } from '../look/Form.js';
import { pageIn } from '../look/list-address.js';
import { Card } from '../look/Page.js';
import { RecordList } from '../look/RecordList.js';
import rows from '../look/Rows.module.css';
import { Said } from '../look/Said.js';
import { Secret } from '../look/Secret.js';
import { Whole } from '../look/Whole.js';
import { useSession } from '../session/session.js';
import { AdminPage } from './AdminPage.js';
import { applicationsQuery, useCreateApplication, useDeleteApplication } from './queries.js';
import type { Application, NewApplication } from './queries.js';

/** `/admin/applications`: programs that people sign in to with their account here. */
export function Applications() {
  const [search, setSearch] = useSearchParams();
  const mayAct = useSession().data?.user?.is_admin ?? false;
  const [made, setMade] = useState<NewApplication | null>(null);
  const [asked, setAsked] = useState<Application | null>(null);
  const [said, setSaid] = useState('');
  const adding = mayAct && search.get('new') === '1';
  return (
    <AdminPage
      title="Applications"
      lead="Programs that people sign in to with their account here, or that act for them."
      action={mayAct && !adding && <ButtonLink to="?new=1">New application</ButtonLink>}
    >
      <Said>{said}</Said>
      {made && (
        <Secret title={`Secret of “${made.application_name}”`} value={made.secret} onDone={() => setMade(null)}>
          <p>
            Its id is{' '}
            <code>
              <Whole>{made.application_id}</Whole>
            </code>
            .
          </p>
        </Secret>
      )}
      {adding && (
        <Card>
          <NewForm
            onMade={(application) => {
              setMade(application);
              setSearch({}, { replace: true });
            }}
          />
        </Card>
      )}
      <RecordList
        title="Applications"
        query={useQuery(applicationsQuery(pageIn(search)))}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Application', cell: ({ application_name: name }) => name },
          {
            title: 'Id',
            cell: ({ application_id: id }) => (
              <code>
                <Whole>{id}</Whole>
              </code>
            ),
          },
          { title: 'Leads back to', cell: ({ callback_url: url }) => url.split(/\s+/).join(', ') },
          { title: 'Keeps secrets', cell: ({ confidential }) => (confidential ? 'yes' : 'no') },
          {
            title: 'Actions',
            actions: true,
            end: true,
            cell: (application) =>
              mayAct && (
                <div className={rows.actions}>
                  <Button
                    kind="quiet"
                    aria-label={`Delete ${application.application_name}`}
                    onClick={() => setAsked(application)}
                  >
                    Delete
                  </Button>
                </div>
              ),
          },
        ]}
        empty="No applications yet."
      />
      {asked && (
        <Deletion
          application={asked}
          onClose={() => setAsked(null)}
          onDone={() => {
            setSaid(`The application “${asked.application_name}” is deleted.`);
            setAsked(null);
          }}
        />
      )}
    </AdminPage>
  );
}

const FIELDS = ['name', 'redirect_uri', 'scopes'];

function NewForm({ onMade }: { onMade: (made: NewApplication) => void }) {
  const creation = useCreateApplication();
  const problem = (name: string) => fieldProblem(creation.error, name);
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
            scopes: text('scopes'),
            confidential: values.get('confidential') !== null,
          },
          { onSuccess: onMade },
        );
      }}
    >
      <Field label="Name" name="name" autoComplete="off" maxLength={255} problem={problem('name')} />
      <Field
        label="Leads back to"
        name="redirect_uri"
        hint="Where browsers go once somebody agreed: the address of a page of the application."
        autoComplete="off"
        problem={problem('redirect_uri')}
      />
      <Field
        label="Scopes"
        name="scopes"
        hint="What it may ask for, with spaces between: read_user openid."
        autoComplete="off"
        problem={problem('scopes')}
      />
      <Check label="Keeps secrets" name="confidential" hint="No program that runs at its users does." on />
    </Form>
  );
}

interface DeletionProps {
  application: Application;
  onClose: () => void;
  onDone: () => void;
}

function Deletion({ application: { id, application_name: name }, onClose, onDone }: DeletionProps) {
  const deletion = useDeleteApplication();
  return (
    <Confirm
      title={`Delete “${name}”?`}
      does="Delete"
      danger
      busy={deletion.isPending}
      problem={deletion.error}
      onConfirm={() => deletion.mutate(id, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>Its tokens end, and people no longer sign in to it with their account here.</p>
    </Confirm>
  );
}
