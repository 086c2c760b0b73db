import { Link } from 'react-router';
import { getStatusLabel } from './labels.js';
import type { StageState } from './queries.js';
import { StatusIcon } from './StatusIcon.js';
import styles from './StageStates.module.css';

/** The states of the stages of a pipeline, in their order; each leads to its page. */
export function StageStates({ to, stages }: { to: string; stages: readonly StageState[] }) {
  return (
    <ol className={styles.stages} aria-label="Stages">
      {stages.map(({ name, status }) => {
        const label = `${name}: ${getStatusLabel(status)[1]}`;
        return (
          <li key={name}>
            <Link to={to} title={label} aria-label={label}>
              <StatusIcon status={status} hasLabel={false} />
            </Link>
          </li>
        );
      })}
    </ol>
  );
}
