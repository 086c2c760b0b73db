import { Link } from 'react-router';
import styles from './Labels.module.css';
import { Whole } from './Whole.js';

interface LabelSummary {
  name: string;
  color: string;
  description: string | null;
}

/**
 * Labels, each leading to what has it. The colour stands beside the name: people choose it, so it is read
 * well on neither ground for certain.
 * @param list address of the list that labels narrow
 */
export function Labels({ list, labels }: { list: string; labels: readonly LabelSummary[] }) {
  return (
    <ul className={styles.labels} aria-label="Labels">
      {labels.map(({ name, color, description }) => (
        <li key={name}>
          <Link
            className={styles.label}
            to={`${list}?${new URLSearchParams({ labels: name })}`}
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
