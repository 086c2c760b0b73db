import { useSearchParams } from 'react-router';
import { ButtonLink } from '../../ui/Button.js';
import styles from '../../ui/List.module.css';

interface PageLinksProps {
  page: number;
  next: number | null;
  /** The parameter of the address; another one for the second list of a page. */
  name?: string;
}

/** Links to the adjacent pages of a list with page numbers, as `?page=` of the address. */
export function PageLinks({ page, next, name = 'page' }: PageLinksProps) {
  const [search] = useSearchParams();
  if (page === 1 && next === null) return null;
  const to = (number: number) => {
    const params = new URLSearchParams(search);
    params.set(name, String(number));
    return `?${params}`;
  };
  return (
    <nav className={styles.pages} aria-label="Pages">
      {page > 1 && <ButtonLink to={to(page - 1)}>Previous</ButtonLink>}
      {next !== null && <ButtonLink to={to(next)}>Next</ButtonLink>}
    </nav>
  );
}
