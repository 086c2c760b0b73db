import { useId } from 'react';
import styles from './Progress.module.css';

/** The progress of long work: as text, counts and a bar. */
export function Progress({ label, done, of }: { label: string; done: number; of: number }) {
  const id = useId();
  return (
    <div className={styles.progress}>
      <span id={id}>
        {label}: {done.toLocaleString('en')} of {of.toLocaleString('en')}
      </span>
      <progress aria-labelledby={id} value={done} max={Math.max(1, of)} />
    </div>
  );
}
