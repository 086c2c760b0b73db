import type { ReactNode } from 'react';
import styles from './DetailList.module.css';

/** The details of one record: names and values side by side. */
export function DetailList({ details }: { details: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.details}>
      {details.map(([name, value]) => (
        <div key={name} className={styles.detail}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The few numbers that say how it goes, large. */
export function Figures({ figures }: { figures: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(([name, value]) => (
        <div key={name} className={styles.figure}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
