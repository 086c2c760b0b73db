import { useId, useState } from 'react';
import { Button } from '../../../ui/Button.js';
import styles from './ApiDocs.module.css';
import { jsonBody } from './call.js';
import type { Filled } from './call.js';
import type { Operation } from './description.js';
import { isFilled, valuesIn } from './values.js';
import { MoreFields, ValueFields } from './ValueField.js';

/** So many fields need no folding away. */
const FEW = 4;

interface BodyFieldsProps {
  operation: Operation;
  filled: Filled;
  onFill: (change: Partial<Filled>) => void;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The body of a call, field by field, or as JSON for values that the fields cannot express. */
export function BodyFields({ operation, filled, onFill }: BodyFieldsProps) {
  const { fields: values, json } = filled;
  const fields = operation.body?.fields ?? [];
  // The initial fields of the call remain visible, even when they are emptied.
  const [visibleNames] = useState(() => {
    const inSight =
      fields.length <= FEW ? fields : fields.filter((field) => field.required || isFilled(values[field.name]));
    return new Set(inSight.map(({ name }) => name));
  });
  const fill = (name: string, value: Filled['fields'][string]) => onFill({ fields: { ...values, [name]: value } });
  const toFields = () => onFill({ json: null, fields: valuesIn(operation, parsed(json ?? '')) ?? values });
  return (
    <>
      {json === null ? (
        <>
          <ValueFields parameters={fields.filter(({ name }) => visibleNames.has(name))} values={values} onFill={fill} />
          <MoreFields
            label="Optional fields of the body"
            parameters={fields.filter(({ name }) => !visibleNames.has(name))}
            values={values}
            onFill={fill}
          />
        </>
      ) : (
        <JsonField value={json} onFill={(text) => onFill({ json: text })} />
      )}
      <div>
        {json === null ? (
          <Button onClick={() => onFill({ json: jsonBody(operation, values) ?? '{}' })}>Edit as JSON</Button>
        ) : (
          <Button onClick={toFields}>Edit as form</Button>
        )}
      </div>
    </>
  );
}

function JsonField({ value, onFill }: { value: string; onFill: (value: string) => void }) {
  const id = useId();
  return (
    <div className={styles.body}>
      <label htmlFor={id}>Body (JSON)</label>
      <textarea
        id={id}
        className={styles.text}
        rows={Math.min(12, value.split('\n').length + 1)}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onFill(event.currentTarget.value)}
      />
    </div>
  );
}
