import { useState } from 'react';
import { Choices, Field } from '../../../app/forms/Form.js';
import { Select } from '../../../ui/Select.js';
import styles from './ApiDocs.module.css';
import { enumOf, formatType } from './description.js';
import type { Parameter, Schema } from './description.js';
import { getKind } from './values.js';
import type { Value, Values } from './values.js';
import { CodeText } from '../../../ui/CodeText.js';

interface ValueFieldProps {
  parameter: Parameter;
  value: Value;
  onFill: (name: string, value: Value) => void;
}

const getTexts = (schema: Schema): string[] => (enumOf(schema) ?? []).map(String);

/** A field for one parameter, by its schema's type. */
function ValueField({ parameter: { name, description, schema, required }, value, onFill }: ValueFieldProps) {
  const kind = getKind(schema);
  const label = required ? `${name} (required)` : name;
  const about = <CodeText>{description ?? ''}</CodeText>;
  const typed = (
    <>
      {about} <span className={styles.type}>{formatType(schema)}</span>
    </>
  );
  const fill = (filled: Value) => onFill(name, filled);
  if (kind === 'choices')
    return (
      <Choices
        legend={label}
        name={name}
        hint={about}
        choices={getTexts(schema.items ?? {}).map((text) => ({ value: text }))}
        chosen={Array.isArray(value) ? value : []}
        onChoose={fill}
      />
    );
  if (kind === 'file')
    return (
      <Field
        label={label}
        name={name}
        hint={typed}
        type="file"
        onChange={(event) => fill(event.currentTarget.files?.[0] ?? '')}
      />
    );
  const text = typeof value === 'string' ? value : '';
  if (kind === 'text')
    return (
      <Field
        label={label}
        name={name}
        hint={typed}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => fill(event.currentTarget.value)}
      />
    );
  const choices = kind === 'switch' ? ['true', 'false'] : getTexts(schema);
  return (
    <Select label={label} name={name} hint={about} choices={choices} none="not set" value={text} onChoose={fill} />
  );
}

interface ValueFieldsProps {
  parameters: readonly Parameter[];
  values: Values;
  onFill: (name: string, value: Value) => void;
}

export function ValueFields({ parameters, values, onFill }: ValueFieldsProps) {
  return parameters.map((parameter) => (
    <ValueField key={parameter.name} parameter={parameter} value={values[parameter.name] ?? ''} onFill={onFill} />
  ));
}

/** Optional fields in a collapsed section: there may be a hundred, so they are rendered only when it is opened. */
export function MoreFields({ label, ...fields }: ValueFieldsProps & { label: string }) {
  const [open, setOpen] = useState(false);
  if (fields.parameters.length === 0) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.more}>
        {label} ({fields.parameters.length})
      </summary>
      <div className={styles.optional}>{open && <ValueFields {...fields} />}</div>
    </details>
  );
}
