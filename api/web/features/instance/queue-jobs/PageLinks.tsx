import { useSearchParams } from 'react-router';
import { ButtonLink } from '../../../ui/Button.js';
import styles from './Queue.module.css';

/** The ways on through a list by keyset: further back, and to its begin. */
export function PageLinks({ cursor, next }: { cursor: string; next: string | null }) {
  const [search] = useSearchParams();
  if (cursor === '' && next === null) return null;
  const to = (value: string) => {
    const params = new URLSearchParams(search);
    if (value === '') params.delete('cursor');
    else params.set('cursor', value);
    return `?${params}`;
  };
  return (
    <nav className={styles.pages} aria-label="Pages">
      {cursor !== '' && <ButtonLink to={to('')}>Newest</ButtonLink>}
      {next !== null && <ButtonLink to={to(next)}>Older</ButtonLink>}
    </nav>
  );
}
