import { Link } from 'react-router';
import styles from './LinkTabs.module.css';

export interface LinkTab {
  to: string;
  label: string;
  /** How many there are behind it, where that is known. */
  count?: number | undefined;
  current: boolean;
}

/** Views of one thing, side by side, each with an address of its own. */
export function LinkTabs({ label, tabs }: { label: string; tabs: readonly LinkTab[] }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ to, label: text, count, current }) => (
        <Link key={text} className={styles.tab} to={to} aria-current={current ? 'page' : undefined}>
          {text}
          {count !== undefined && (
            <>
              {' '}
              <span className={styles.count}>{count.toLocaleString('en')}</span>
            </>
          )}
        </Link>
      ))}
    </nav>
  );
}
