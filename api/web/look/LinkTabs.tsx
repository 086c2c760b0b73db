import { Link } from 'react-router';
import styles from './LinkTabs.module.css';

export interface LinkTab {
  to: string;
  words: string;
  /** How many there are behind it, where that is known. */
  count?: number | undefined;
  current: boolean;
}

/** Views of one thing, side by side, each with an address of its own. */
export function LinkTabs({ label, tabs }: { label: string; tabs: readonly LinkTab[] }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ to, words, count, current }) => (
        <Link key={words} className={styles.tab} to={to} aria-current={current ? 'page' : undefined}>
          {words}
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
