import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { helpPath } from '../../../app/routing/paths.js';
import styles from './Help.module.css';
import { searchQuery } from './queries.js';
import type { HelpMatch } from './queries.js';

const getCount = (count: number): string => {
  if (count === 0) return 'No results.';
  return count === 1 ? '1 result' : `${count} results`;
};

/** The sections that hold every word of a search. */
export function HelpMatches({ search }: { search: string }) {
  const { data, error, isPending, refetch } = useQuery(searchQuery(search));
  return (
    <>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {isPending && search !== '' && <LoadingRows label="Searching" rows={4} />}
      {data && <output className={styles.count}>{getCount(data.length)}</output>}
      {data && data.length > 0 && (
        <ul className={styles.matches} aria-label="Matches">
          {data.map((match) => (
            <Match key={`${match.slug}#${match.section?.id}`} {...match} />
          ))}
        </ul>
      )}
    </>
  );
}

function Match({ slug, title, section, excerpt }: HelpMatch) {
  return (
    <li>
      <Link to={helpPath(slug, section?.id)}>{section ? `${title}: ${section.title}` : title}</Link>
      <p className={styles.excerpt}>{excerpt}</p>
    </li>
  );
}
