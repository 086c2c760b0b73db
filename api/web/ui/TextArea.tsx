import { useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { FieldProblem } from './FieldProblem.js';
import styles from '../app/forms/Form.module.css';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'className' | 'id'> {
  label: string;
  name: string;
  hint?: ReactNode;
  problem?: string | null;
}

/** A labelled field of several lines with its hint and its problem, both of which are read out with it. */
export function TextArea({ label, hint, problem = null, ...area }: TextAreaProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <textarea
        // Some people write from right to left.
        dir="auto"
        {...area}
        id={id}
        className={`${styles.input} ${styles.area}`}
        aria-invalid={problem !== null}
        aria-describedby={described || undefined}
      />
      <FieldProblem id={`${id}-problem`} label={label} problem={problem} />
    </div>
  );
}
