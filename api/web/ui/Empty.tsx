import type { ReactNode } from 'react';
import styles from './Empty.module.css';

/** Where there is nothing yet: what would be here, and how to make the first. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p>{children}</p>
      {action}
    </div>
  );
}
