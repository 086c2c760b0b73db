import { useId } from 'react';
import styles from './Form.module.css';

interface CheckProps {
  label: string;
  name: string;
  hint?: string;
  /** Whether it is ticked at first. */
  on?: boolean;
}

/** One box to tick. */
export function Check({ label, name, hint, on = false }: CheckProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.choice}>
        <input type="checkbox" name={name} defaultChecked={on} aria-describedby={hint ? id : undefined} />
        <span className={styles.label}>{label}</span>
      </label>
      {hint && (
        <p className={styles.hint} id={id}>
          {hint}
        </p>
      )}
    </div>
  );
}
