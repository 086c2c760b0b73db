import { Link } from 'react-router';
import { Whole } from '../look/Whole.js';
import { issuesOf } from './address.js';
import styles from './IssueLabels.module.css';

interface ShownLabel {
  name: string;
  color: string;
  description: string | null;
}

/**
 * Labels, each leading to the issues that have it. The colour stands beside the name: people choose it, so it is read
 * well on neither ground for certain.
 */
export function IssueLabels({ path, labels }: { path: string; labels: readonly ShownLabel[] }) {
  return (
    <ul className={styles.labels} aria-label="Labels">
      {labels.map(({ name, color, description }) => (
        <li key={name}>
          <Link
            className={styles.label}
            to={`${issuesOf(path)}?${new URLSearchParams({ labels: name })}`}
            title={description ?? undefined}
          >
            <span className={styles.colour} style={{ backgroundColor: color }} />
            <span>
              <Whole>{name}</Whole>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
