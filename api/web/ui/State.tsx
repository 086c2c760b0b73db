import type { ReactNode } from 'react';
import styles from './State.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'quiet';

/** A state in words; the colour only repeats them. */
export function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`${styles.state} ${styles[tone]}`}>
      <span>{children}</span>
    </span>
  );
}
