import { useId } from 'react';
import { Button } from '../../../ui/Button.js';
import { FieldProblem } from '../../../ui/FieldProblem.js';
import { Field } from '../../../app/forms/Form.js';
import { TextArea } from '../../../ui/TextArea.js';
import styles from './Form.module.css';
import type { ValueRow } from './form-values.js';

interface ValueRowsProps {
  kind: 'variable' | 'input';
  rows: readonly ValueRow[];
  /** Whether the stored value is hidden from the user. */
  hidden?: boolean;
  problem: string | null;
  onChange: (rows: readonly ValueRow[]) => void;
}

const LABELS = {
  variable: {
    title: 'Variables',
    hint: 'Passed to every pipeline of this schedule. Keys can contain letters, digits and underscores.',
    add: 'Add variable',
    names: 'Key',
  },
  input: {
    title: 'Inputs',
    hint: 'Enter lists, numbers and booleans as JSON. Anything else is text.',
    add: 'Add input',
    names: 'Name',
  },
} as const;

/** The error that the API would report for a row; null if it is valid. */
function rowProblem(kind: ValueRowsProps['kind'], rows: readonly ValueRow[], { row, name }: ValueRow): string | null {
  const trimmed = name.trim();
  if (trimmed === '') return null;
  if (rows.some((other) => other.row !== row && other.name.trim() === trimmed)) return 'already exists.';
  if (kind === 'variable' && !/^\w+$/.test(trimmed)) return "can contain only letters, digits and '_'.";
  return null;
}

const LINES_AT_MOST = 8;
const LINES_OF_FILE = 2;

/** Names and values of variables or inputs, in any number of rows. */
export function ValueRows({ kind, rows, hidden = false, problem, onChange }: ValueRowsProps) {
  const id = useId();
  const { title, hint, add, names } = LABELS[kind];
  const change = (row: ValueRow, changed: Partial<ValueRow>) =>
    onChange(rows.map((other) => (other === row ? { ...row, ...changed } : other)));
  const next = Math.max(-1, ...rows.map(({ row }) => row)) + 1;
  return (
    <fieldset className={styles.group} aria-describedby={problem === null ? undefined : id}>
      <legend className={styles.legend}>{title}</legend>
      <p className={styles.hint}>{hidden ? 'Only the owner and Maintainers can see them.' : hint}</p>
      {rows.map((row, index) => (
        <div key={row.row} className={styles.valueRow}>
          <Field
            label={`${names} ${index + 1}`}
            name={`${kind}_name`}
            value={row.name}
            readOnly={row.stored !== null}
            problem={rowProblem(kind, rows, row)}
            autoComplete="off"
            spellCheck={false}
            maxLength={255}
            onChange={(event) => change(row, { name: event.currentTarget.value })}
          />
          <ValueField
            label={`Value ${index + 1}`}
            name={`${kind}_value`}
            row={row}
            onChange={(value) => change(row, { value })}
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
      <FieldProblem id={id} label={names} problem={problem} />
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

interface ValueFieldProps {
  label: string;
  name: string;
  row: ValueRow;
  onChange: (value: string) => void;
}

/** A value verbatim, with its line breaks: files and multi-line values have a multi-line field. */
function ValueField({ label, name, row: { value, file, stored }, onChange }: ValueFieldProps) {
  const lines = value.split('\n').length;
  const field = { label, name, value, autoComplete: 'off', spellCheck: false };
  if (file || lines > 1 || stored?.value.includes('\n'))
    return (
      <TextArea
        {...field}
        rows={Math.min(LINES_AT_MOST, Math.max(LINES_OF_FILE, lines))}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return <Field {...field} onChange={(event) => onChange(event.currentTarget.value)} />;
}
