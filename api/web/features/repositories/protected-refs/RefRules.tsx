import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { ConfirmChange } from '../../../app/dialogs/ConfirmChange.js';
import { CreationForm, NameField } from '../../../app/forms/CreationForm.js';
import { textIn } from '../../../app/forms/form-values.js';
import { RowName } from '../../../app/lists/row-cells.js';
import type { RowAction } from '../../../app/lists/row-cells.js';
import { SettingsSection } from '../../../app/settings/SettingsSection.js';
import type { FormDone } from '../../../app/settings/SettingsSection.js';
import { useListChange } from '../../../data/list-change.js';
import type { Column } from '../../../ui/Table.js';
import { Admitted } from './Admitted.js';
import { MAINTAINERS } from './entries.js';
import type { Admission, RefRuleAttributes } from './entries.js';

const MESSAGES = [
  [/^Name /, 'name'],
  [/^Protected branch /, 'name'],
] as const;

/** A right that a rule grants: pushing, merging, creating. */
interface Right<Name extends string> {
  name: Name;
  /** "Allowed to push" */
  legend: string;
  /** Whether deploy keys can be granted it. */
  keys: boolean;
}

interface RefRulesProps<T, Name extends string> {
  projectId: string;
  /** Whether the viewer may add, change and remove rules. */
  open: boolean;
  list: string;
  noun: 'branch' | 'tag';
  title: string;
  lead: ReactNode;
  empty: string;
  query: UseQueryResult<{ rows: T[]; next: number | null }>;
  columns: readonly Column<T>[];
  actions?: readonly RowAction<T>[];
  /** Example of a pattern. */
  pattern: string;
  rights: readonly Right<Name>[];
  /** More fields of the form. */
  fields?: ReactNode;
  protect: (attributes: RefRuleAttributes<Name>) => Promise<{ name: string }>;
  unprotect: (name: string) => Promise<unknown>;
  /** What follows without another rule. */
  unprotected: string;
}

/** The rules over the branches or tags of a project: who has which right on the matching ones. */
export function RefRules<T extends { name: string }, Name extends string>(props: RefRulesProps<T, Name>) {
  const { open, list, noun, title, lead, empty, query, columns, actions = [], unprotect, unprotected } = props;
  const unprotecting: RowAction<T> = {
    label: 'Unprotect',
    dialog: ({ name }, then) => (
      <Unprotect list={list} name={name} unprotect={unprotect} {...then}>
        {unprotected}
      </Unprotect>
    ),
  };
  return (
    <SettingsSection
      list={list}
      title={title}
      add={`Protect a ${noun}`}
      lead={lead}
      form={open ? (done) => <NewRule {...props} {...done} /> : null}
      query={query}
      keyOf={({ name }) => name}
      nameOf={({ name }) => name}
      columns={[
        { title: noun === 'branch' ? 'Branch' : 'Tag', cell: ({ name }) => <RowName name={name} /> },
        ...columns,
      ]}
      actions={open ? [...actions, unprotecting] : []}
      empty={empty}
    />
  );
}

function NewRule<T, Name extends string>(props: RefRulesProps<T, Name> & FormDone) {
  const { projectId, list, noun, pattern, rights, fields, protect, onCreate, onCancel } = props;
  const [admissions, setAdmissions] = useState(
    () => Object.fromEntries(rights.map(({ name }) => [name, MAINTAINERS])) as Record<Name, Admission>,
  );
  return (
    <CreationForm
      submit="Protect"
      creation={useListChange([list], protect)}
      fields={['name']}
      messages={MESSAGES}
      read={(values) => ({ name: textIn(values, 'name'), admissions, values })}
      onCreate={({ name }) => onCreate(`“${name}” protected.`)}
      onCancel={onCancel}
    >
      {(at) => (
        <>
          <NameField
            label={noun === 'branch' ? 'Branch' : 'Tag'}
            hint={`A name, or a wildcard such as ${pattern}`}
            problem={at('name')}
          />
          {rights.map(({ name, legend, keys }) => (
            <Admitted
              key={name}
              projectId={projectId}
              legend={legend}
              name={name}
              keys={keys}
              value={admissions[name]}
              onChange={(value) => setAdmissions({ ...admissions, [name]: value })}
            />
          ))}
          {fields}
        </>
      )}
    </CreationForm>
  );
}

interface UnprotectProps {
  list: string;
  name: string;
  unprotect: (name: string) => Promise<unknown>;
  onClose: () => void;
  onDone: (message: string) => void;
  children: ReactNode;
}

function Unprotect({ list, name, unprotect, onClose, onDone, children }: UnprotectProps) {
  return (
    <ConfirmChange
      title={`Unprotect “${name}”?`}
      does="Unprotect"
      change={useListChange([list], unprotect)}
      variables={name}
      onDone={() => onDone(`“${name}” unprotected.`)}
      onClose={onClose}
    >
      <p>{children}</p>
    </ConfirmChange>
  );
}
