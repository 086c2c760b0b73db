import type { ReactNode } from 'react';
import styles from './Notice.module.css';

interface NoticeProps {
  title: string;
  tone?: 'bad' | 'warn' | 'quiet';
  /** What can be done about it. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** What stands in the way, or what is waited for, and how to go on. */
export function Notice({ title, tone = 'quiet', actions, children }: NoticeProps) {
  return (
    <section className={`${styles.notice} ${styles[tone]}`} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {children}
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}
