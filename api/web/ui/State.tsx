import type { ReactNode } from 'react';
import styles from './State.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'quiet';

/** A state as a label; the color only repeats it. */
export function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`${styles.state} ${styles[tone]}`}>
      <span>{children}</span>
    </span>
  );
}
