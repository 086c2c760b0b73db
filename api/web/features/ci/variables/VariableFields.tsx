import { useState } from 'react';
import { Field } from '../../../app/forms/Form.js';
import { textIn } from '../../../app/forms/form-values.js';
import { Check } from '../../../ui/Check.js';
import { Select } from '../../../ui/Select.js';
import { TextArea } from '../../../ui/TextArea.js';
import { getScope, isHidden } from './queries.js';
import type { Variable, VariableAttributes, VariableOwner } from './queries.js';

/** The fields that display their own errors. */
export const VARIABLE_FIELDS = ['key', 'value', 'environment_scope', 'description', 'masked', 'protected'];

const VISIBILITIES = [
  { value: 'visible', label: 'Visible' },
  { value: 'masked', label: 'Masked: hidden in logs of jobs' },
  { value: 'hidden', label: 'Masked and hidden: never shown again' },
];

/** Reads what the fields below hold. */
export function readVariable(
  values: FormData,
  kind: VariableOwner['kind'],
  before: Variable | null,
): VariableAttributes {
  const visibility = textIn(values, 'visibility');
  const value = textIn(values, 'value');
  return {
    key: before?.key ?? textIn(values, 'key').trim(),
    // The value of a hidden variable stays, unless another one is typed.
    ...(before && isHidden(before) && value === '' ? {} : { value }),
    variable_type: textIn(values, 'variable_type') === 'file' ? 'file' : 'env_var',
    protected: values.get('protected') !== null,
    ...(visibility === 'hidden' ? (before ? {} : { masked_and_hidden: true }) : { masked: visibility === 'masked' }),
    raw: values.get('expanded') === null,
    description: textIn(values, 'description'),
    ...(kind === 'instance' ? {} : { environment_scope: textIn(values, 'environment_scope').trim() || '*' }),
  };
}

/** The rule that a masked value breaks, since the API says only that it is not valid. */
const explainMask = (problem: string | null, visibility: string): string | null =>
  problem !== null && visibility !== 'visible'
    ? `${problem}: a masked value is one line of at least 8 characters, without spaces.`
    : problem;

interface VariableFieldsProps {
  kind: VariableOwner['kind'];
  /** The variable that is edited; null for a new one. */
  variable: Variable | null;
  at: (name: string) => string | null;
}

/** What can be set of a variable. */
export function VariableFields({ kind, variable, at }: VariableFieldsProps) {
  const hidden = variable !== null && isHidden(variable);
  const [type, setType] = useState<string>(variable?.variable_type ?? 'env_var');
  const [visibility, setVisibility] = useState(hidden ? 'hidden' : variable?.masked ? 'masked' : 'visible');
  const mayHide = kind !== 'instance' && (variable === null || hidden);
  return (
    <>
      {variable === null && (
        <Field
          label="Key"
          name="key"
          hint="Letters, digits and underscores."
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
          problem={at('key')}
        />
      )}
      <TextArea
        label="Value"
        name="value"
        hint={hidden ? 'Leave empty to keep the value.' : undefined}
        defaultValue={variable?.value ?? ''}
        rows={2}
        maxLength={10_000}
        autoComplete="off"
        spellCheck={false}
        problem={explainMask(at('value'), visibility)}
      />
      <Select
        label="Type"
        name="variable_type"
        hint={type === 'file' ? 'Jobs receive the path of a file with the value.' : undefined}
        choices={[
          { value: 'env_var', label: 'Variable' },
          { value: 'file', label: 'File' },
        ]}
        value={type}
        onChoose={setType}
      />
      <Select
        label="Visibility"
        name="visibility"
        hint="A masked value is one line of at least 8 characters, without spaces."
        choices={hidden ? VISIBILITIES.slice(2) : mayHide ? VISIBILITIES : VISIBILITIES.slice(0, 2)}
        value={visibility}
        onChoose={setVisibility}
        problem={at('masked')}
      />
      <Check
        label="Protected"
        name="protected"
        hint="Only jobs of protected branches and tags receive it."
        on={variable?.protected ?? false}
        problem={at('protected')}
      />
      <Check
        label="Expand references"
        name="expanded"
        hint="$NAME in the value stands for another variable."
        on={variable === null ? true : !variable.raw}
      />
      {kind !== 'instance' && (
        <Field
          label="Environments"
          name="environment_scope"
          hint="Only jobs of these environments receive it: a name, or a pattern with *, such as review/*."
          defaultValue={variable ? getScope(variable) : '*'}
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
          problem={at('environment_scope')}
        />
      )}
      <Field
        label="Description"
        name="description"
        defaultValue={variable?.description ?? ''}
        autoComplete="off"
        maxLength={255}
        problem={at('description')}
      />
    </>
  );
}
