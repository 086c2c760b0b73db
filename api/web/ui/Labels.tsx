import { Link } from 'react-router';
import styles from './Labels.module.css';
import { UnbrokenText } from './UnbrokenText.js';

interface LabelSummary {
  name: string;
  color: string;
  description: string | null;
}

/**
 * Labels, each linked to the list filtered by it. The color is displayed next to the name, because users choose it and
 * text on it may be illegible in either theme.
 * @param list address of the list that labels filter
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
              <UnbrokenText>{name}</UnbrokenText>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
