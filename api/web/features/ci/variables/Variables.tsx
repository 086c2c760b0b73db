import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { ConfirmChange } from '../../../app/dialogs/ConfirmChange.js';
import { useLeaving } from '../../../app/dialogs/leave-dialog.js';
import { CreationForm } from '../../../app/forms/CreationForm.js';
import { fieldProblem, Form } from '../../../app/forms/Form.js';
import { SettingsSection, usePage } from '../../../app/settings/SettingsSection.js';
import { HelpLink } from '../../../app/shell/HelpLink.js';
import { Button } from '../../../ui/Button.js';
import { Dialog } from '../../../ui/Dialog.js';
import rows from '../../../ui/Rows.module.css';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import {
  getScope,
  isHidden,
  useCreateVariable,
  useDeleteVariable,
  useUpdateVariable,
  variablesQuery,
} from './queries.js';
import type { Variable, VariableOwner } from './queries.js';
import { readVariable, VARIABLE_FIELDS, VariableFields } from './VariableFields.js';
import styles from './Variables.module.css';

interface VariablesProps {
  owner: VariableOwner;
  /** Whether the viewer may change variables. */
  open: boolean;
  /** More about them here. */
  children?: ReactNode;
}

/** CI/CD variables: their values are hidden until somebody asks for one. */
export function Variables({ owner, open, children }: VariablesProps) {
  const query = useQuery(variablesQuery(owner, usePage('variables')));
  const isInstance = owner.kind === 'instance';
  return (
    <SettingsSection
      list="variables"
      title="Variables"
      add="New variable"
      lead={
        <p>
          Jobs receive these variables. {children} <HelpLink page="pipelines" section="cicd-variables" />
        </p>
      }
      form={
        open
          ? ({ onCreate, onCancel }) => (
              <NewVariable owner={owner} onCancel={onCancel} onCreate={(key) => onCreate(`Variable ${key} created.`)} />
            )
          : null
      }
      query={query}
      keyOf={(variable) => `${variable.key} ${getScope(variable)}`}
      nameOf={({ key }) => key}
      columns={[
        {
          title: 'Variable',
          cell: ({ key, description }) => (
            <>
              <code className={rows.name}>
                <UnbrokenText>{key}</UnbrokenText>
              </code>
              {description && (
                <span className={rows.quiet}>
                  <UnbrokenText>{description}</UnbrokenText>
                </span>
              )}
            </>
          ),
        },
        { title: 'Value', cell: (variable) => <Value variable={variable} /> },
        { title: 'Attributes', cell: (variable) => describeVariable(variable) },
        ...(isInstance
          ? []
          : [
              {
                title: 'Environments',
                cell: (variable: Variable) => (getScope(variable) === '*' ? 'all' : getScope(variable)),
              },
            ]),
      ]}
      actions={
        open
          ? [
              {
                label: 'Edit',
                dialog: (variable: Variable, then) => <EditVariable owner={owner} variable={variable} {...then} />,
              },
              {
                label: 'Delete',
                dialog: (variable: Variable, then) => <DeleteVariable owner={owner} variable={variable} {...then} />,
              },
            ]
          : []
      }
      empty="No variables yet. They hold what jobs need but the repository must not: passwords, tokens, addresses."
    />
  );
}

/** What is special of a variable: `file, protected, masked`. */
const describeVariable = (variable: Variable): string =>
  [
    variable.variable_type === 'file' ? 'file' : '',
    variable.protected ? 'protected' : '',
    isHidden(variable) ? 'hidden' : variable.masked ? 'masked' : '',
    variable.raw ? 'not expanded' : '',
  ]
    .filter(Boolean)
    .join(', ') || '–';

function Value({ variable: { key, value } }: { variable: Variable }) {
  const [isVisible, show] = useState(false);
  if (value === null) return 'never shown';
  return (
    <span className={styles.value}>
      {isVisible ? (
        <code className={styles.text}>{value === '' ? '(empty)' : value}</code>
      ) : (
        <span aria-hidden>••••••</span>
      )}
      <Button
        kind="quiet"
        aria-label={`${isVisible ? 'Hide' : 'Show'} value of ${key}`}
        onClick={() => show(!isVisible)}
      >
        {isVisible ? 'Hide' : 'Show'}
      </Button>
    </span>
  );
}

interface NewVariableProps {
  owner: VariableOwner;
  onCreate: (key: string) => void;
  onCancel: () => void;
}

function NewVariable({ owner, onCreate, onCancel }: NewVariableProps) {
  // The answer comes to the form as it was when it was sent.
  const key = useRef('');
  return (
    <CreationForm
      submit="Create variable"
      creation={useCreateVariable(owner)}
      fields={VARIABLE_FIELDS}
      read={(values) => {
        const variable = readVariable(values, owner.kind, null);
        key.current = variable.key;
        return variable;
      }}
      onCreate={() => onCreate(key.current)}
      onCancel={onCancel}
    >
      {(at) => <VariableFields kind={owner.kind} variable={null} at={at} />}
    </CreationForm>
  );
}

interface VariableDialogProps {
  owner: VariableOwner;
  variable: Variable;
  onClose: () => void;
  onDone: (message: string) => void;
}

function EditVariable({ owner, variable, onClose, onDone }: VariableDialogProps) {
  const title = `Edit variable ${variable.key}`;
  const change = useUpdateVariable(owner);
  const { left, leave } = useLeaving({ title, busy: change.isPending, problem: change.error, onClose });
  if (left) return null;
  return (
    <Dialog title={title} onClose={leave}>
      <Form
        focusFirst
        submit="Save changes"
        busy={change.isPending}
        problem={change.error}
        fields={VARIABLE_FIELDS}
        beside={<Button onClick={leave}>Cancel</Button>}
        onSubmit={(values) => {
          const { key, ...changes } = readVariable(values, owner.kind, variable);
          change.mutate({ variable, ...changes }, { onSuccess: () => onDone(`Variable ${key} saved.`) });
        }}
      >
        <VariableFields kind={owner.kind} variable={variable} at={(name) => fieldProblem(change.error, name)} />
      </Form>
    </Dialog>
  );
}

function DeleteVariable({ owner, variable, onClose, onDone }: VariableDialogProps) {
  return (
    <ConfirmChange
      title={`Delete variable ${variable.key}?`}
      does="Delete"
      change={useDeleteVariable(owner)}
      variables={variable}
      onDone={() => onDone(`Variable ${variable.key} deleted.`)}
      onClose={onClose}
    >
      <p>Jobs that start from now on don't receive it. This can't be undone.</p>
    </ConfirmChange>
  );
}
