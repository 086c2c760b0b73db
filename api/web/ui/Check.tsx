import { useId } from 'react';
import type { ReactNode } from 'react';
import { FieldProblem } from './FieldProblem.js';
import styles from '../app/forms/Form.module.css';

interface CheckProps {
  label: string;
  name: string;
  hint?: ReactNode;
  /** Whether it is ticked at first. */
  on?: boolean;
  problem?: string | null;
}

/** One box to tick. */
export function Check({ label, name, hint, on = false, problem = null }: CheckProps) {
  const id = useId();
  const described = [hint ? id : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.choice}>
        <input
          type="checkbox"
          name={name}
          defaultChecked={on}
          aria-invalid={problem === null ? undefined : true}
          aria-describedby={described || undefined}
        />
        <span className={styles.label}>{label}</span>
      </label>
      {hint && (
        <p className={styles.hint} id={id}>
          {hint}
        </p>
      )}
      <FieldProblem id={`${id}-problem`} label={label} problem={problem} />
    </div>
  );
}
