import { useId } from 'react';
import type { ReactNode } from 'react';
import { FieldProblem } from './FieldProblem.js';
import styles from '../app/forms/Form.module.css';
import { UnbrokenText } from './UnbrokenText.js';

interface SelectChoice {
  value: string;
  label: string;
}

interface SelectProps {
  label: string;
  name: string;
  hint?: ReactNode;
  /** The options other than none; a value without a label is its own label. */
  choices: readonly (string | SelectChoice)[];
  /** The label for no selection; without it an option is always selected. */
  none?: string;
  value: string;
  onChoose: (value: string) => void;
  problem?: string | null;
}

/** One of a few values, or none of them where that may be. */
export function Select({ label, name, hint, choices, none, value, onChoose, problem = null }: SelectProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        <UnbrokenText>{label}</UnbrokenText>
      </label>
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <select
        id={id}
        name={name}
        className={`${styles.input} ${styles.select}`}
        value={value}
        aria-invalid={problem !== null}
        aria-describedby={described || undefined}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {choices
          .map((choice) => (typeof choice === 'string' ? { value: choice, label: choice } : choice))
          .map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
      </select>
      <FieldProblem id={`${id}-problem`} label={label} problem={problem} />
    </div>
  );
}
