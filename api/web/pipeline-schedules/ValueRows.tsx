import { Button } from '../look/Button.js';
import { Field } from '../look/Form.js';
import styles from './Form.module.css';
import type { ValueRow } from './form-values.js';

interface ValueRowsProps {
  kind: 'variable' | 'input';
  rows: readonly ValueRow[];
  /** Whether what is stored is not for the person. */
  hidden?: boolean;
  onChange: (rows: readonly ValueRow[]) => void;
}

const WORDS = {
  variable: { title: 'Variables', hint: 'Every pipeline of the schedule gets them.', add: 'Add a variable' },
  input: {
    title: 'Inputs',
    hint: 'A list, number or boolean is written as JSON; all else is text.',
    add: 'Add an input',
  },
} as const;

/** Names and values of variables or inputs, as many as somebody adds. */
export function ValueRows({ kind, rows, hidden = false, onChange }: ValueRowsProps) {
  const { title, hint, add } = WORDS[kind];
  const change = (row: ValueRow, changed: Partial<ValueRow>) =>
    onChange(rows.map((other) => (other === row ? { ...row, ...changed } : other)));
  const next = Math.max(-1, ...rows.map(({ row }) => row)) + 1;
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{title}</legend>
      <p className={styles.hint}>{hidden ? 'They are shown to the owner and to Maintainers.' : hint}</p>
      {rows.map((row, index) => (
        <div key={row.row} className={styles.valueRow}>
          <Field
            label={`${kind === 'variable' ? 'Key' : 'Name'} ${index + 1}`}
            name={`${kind}_name`}
            value={row.name}
            readOnly={row.stored !== null}
            autoComplete="off"
            spellCheck={false}
            maxLength={255}
            onChange={(event) => change(row, { name: event.currentTarget.value })}
          />
          <Field
            label={`Value ${index + 1}`}
            name={`${kind}_value`}
            value={row.value}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change(row, { value: event.currentTarget.value })}
          />
          {kind === 'variable' && (
            <label className={styles.file}>
              <input
                type="checkbox"
                checked={row.file}
                onChange={(event) => change(row, { file: event.currentTarget.checked })}
              />
              as a file
            </label>
          )}
          <Button
            kind="quiet"
            aria-label={`Remove ${kind} ${row.name || index + 1}`}
            onClick={() => onChange(rows.filter((other) => other !== row))}
          >
            Remove
          </Button>
        </div>
      ))}
      {!hidden && (
        <div>
          <Button onClick={() => onChange([...rows, { row: next, name: '', value: '', file: false, stored: null }])}>
            {add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
