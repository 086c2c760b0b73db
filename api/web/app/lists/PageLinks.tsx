import { useSearchParams } from 'react-router';
import { ButtonLink } from '../../ui/Button.js';
import styles from '../../ui/List.module.css';

interface PageLinksProps {
  /** The page number, or the cursor of a list by keyset: '' is its first page. */
  page: number | string;
  next: number | string | null;
  /** The parameter of the address; another one for the second list of a page. */
  name?: string;
  /** The name of the links for screen readers. */
  label?: string;
}

/** Links to the adjacent pages of a list. By keyset these are its first page and the next one. */
export function PageLinks({ page, next, name = 'page', label = 'Pages' }: PageLinksProps) {
  const [search] = useSearchParams();
  const isFirst = page === 1 || page === '';
  if (isFirst && next === null) return null;
  const to = (value: number | string) => {
    const params = new URLSearchParams(search);
    if (value === '') params.delete(name);
    else params.set(name, String(value));
    return `?${params}`;
  };
  const [back, on] = typeof page === 'number' ? ['Previous', 'Next'] : ['Newest', 'Older'];
  return (
    <nav className={styles.pages} aria-label={label}>
      {!isFirst && <ButtonLink to={to(typeof page === 'number' ? page - 1 : '')}>{back}</ButtonLink>}
      {next !== null && <ButtonLink to={to(next)}>{on}</ButtonLink>}
    </nav>
  );
}
