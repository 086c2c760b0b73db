import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { ConfirmChange } from '../../../app/dialogs/ConfirmChange.js';
import { CreationForm, NameField } from '../../../app/forms/CreationForm.js';
import { Choices, Field } from '../../../app/forms/Form.js';
import { textIn } from '../../../app/forms/form-values.js';
import { useNewSecret } from '../../../app/forms/new-secret.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import { actionsColumn, RowName } from '../../../app/lists/row-cells.js';
import type { RowAction } from '../../../app/lists/row-cells.js';
import { Problem } from '../../../app/problems/Problem.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Check } from '../../../ui/Check.js';
import { Card } from '../../../ui/Page.js';
import { Said } from '../../../ui/Said.js';
import { LoadingRows } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
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
  const [secret, showSecret] = useNewSecret();
  const [dialog, setDialog] = useState<{ row: Application; action: RowAction<Application> } | null>(null);
  const [said, setSaid] = useState('');
  const close = () => setDialog(null);
  const onDone = (message: string) => {
    setSaid(message);
    close();
  };
  const showSecretOf = ({ application_name: name, application_id: id, secret: value }: NewApplication) =>
    showSecret({ title: `Secret of “${name}”`, value, with: { label: 'Application ID', value: id } });
  const actions: RowAction<Application>[] = [
    {
      label: 'Renew secret',
      spoken: 'Renew secret for',
      dialog: (application, { onClose }) => (
        <Renewal
          source={source}
          application={application}
          onClose={onClose}
          onDone={(renewed) => {
            showSecretOf(renewed);
            onClose();
          }}
        />
      ),
    },
    {
      label: 'Delete',
      dialog: (application, then) => <Deletion source={source} application={application} {...then} />,
    },
  ];
  const acting = actionsColumn<Application>(
    actions,
    ({ application_name: name }) => name,
    (row, action) => setDialog({ row, action }),
  );
  return (
    <>
      <Said>{said}</Said>
      {secret}
      {mayAct && isAdding(search) && (
        <Card>
          <NewForm
            source={source}
            onCancel={() => setSearch({})}
            onCreate={(application) => {
              showSecretOf(application);
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
          { title: 'Application', cell: ({ application_name: name }) => <RowName name={name} /> },
          {
            title: 'Application ID',
            cell: ({ application_id: id }) => (
              <code>
                <UnbrokenText>{id}</UnbrokenText>
              </code>
            ),
          },
          {
            title: 'Redirect URI',
            cell: ({ callback_url: url }) => <UnbrokenText>{url.split(/\s+/).join(', ')}</UnbrokenText>,
          },
          { title: 'Confidential', cell: ({ confidential }) => (confidential ? 'yes' : 'no') },
          ...(mayAct ? [acting] : []),
        ]}
        empty={empty}
      />
      {dialog?.action.dialog(dialog.row, { onClose: close, onDone })}
    </>
  );
}

const FIELDS = ['name', 'redirect_uri', 'scopes'];

interface NewFormProps {
  source: ApplicationSource;
  onCreate: (application: NewApplication) => void;
  onCancel: () => void;
}

function NewForm({ source, ...done }: NewFormProps) {
  const creation = useApplicationChange(source.create);
  const scopes = useQuery(scopesQuery);
  if (scopes.error) return <Problem error={scopes.error} retry={() => void scopes.refetch()} />;
  if (!scopes.data) return <LoadingRows label="Loading scopes" rows={4} />;
  const choices = scopes.data.map(({ name, description }) => ({ value: name, description }));
  return (
    <CreationForm
      submit="Create application"
      creation={creation}
      fields={FIELDS}
      read={(values) => ({
        name: textIn(values, 'name'),
        redirect_uri: textIn(values, 'redirect_uri'),
        scopes: values.getAll('scopes').join(' '),
        confidential: values.get('confidential') !== null,
      })}
      {...done}
    >
      {(at) => (
        <>
          <NameField problem={at('name')} />
          <Field
            label="Redirect URI"
            name="redirect_uri"
            hint="The page of the application that users return to after authorizing it."
            autoComplete="off"
            problem={at('redirect_uri')}
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
            choices={choices}
            problem={at('scopes')}
          />
        </>
      )}
    </CreationForm>
  );
}

interface DialogProps<Out> {
  source: ApplicationSource;
  application: Application;
  onClose: () => void;
  onDone: (out: Out) => void;
}

function Deletion({ source, application: { id, application_name: name }, onClose, onDone }: DialogProps<string>) {
  return (
    <ConfirmChange
      title={`Delete “${name}”?`}
      does="Delete"
      change={useApplicationChange(source.remove)}
      variables={id}
      onDone={() => onDone(`The application “${name}” was deleted.`)}
      onClose={onClose}
    >
      <p>This revokes its tokens. Users can no longer sign in to it with their account.</p>
    </ConfirmChange>
  );
}

function Renewal({ source, application: { id, application_name: name }, ...then }: DialogProps<NewApplication>) {
  return (
    <ConfirmChange
      title={`Renew the secret of “${name}”?`}
      does="Renew secret"
      change={useApplicationChange(source.renew)}
      variables={id}
      {...then}
    >
      <p>The current secret stops working immediately. Existing authorizations are kept.</p>
    </ConfirmChange>
  );
}
