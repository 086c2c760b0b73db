import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Page } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { helpPath } from '../../../app/routing/paths.js';
import { HelpContent } from './HelpContent.js';
import { HelpMatches } from './HelpMatches.js';
import styles from './Help.module.css';
import { contentsQuery } from './queries.js';
import type { HelpGroup } from './queries.js';
import { LONGEST_SEARCH, useSearch } from './search.js';

/** The page that `/help` shows. */
const INDEX = 'index';

/** `/help` and `/help/:page`: the documentation of the service. `?search=` shows the sections that contain some words. */
export default function HelpPage({ page: slug = INDEX }: { page?: string }) {
  const contents = useQuery(contentsQuery);
  const { typed, search, type } = useSearch();
  const current = contents.data?.flatMap(({ pages }) => pages).find((page) => page.slug === slug);
  if (contents.data && !current)
    return (
      <Page title="Page not found" lead="This help page doesn't exist.">
        <p>
          <Link to={helpPath()}>All help pages</Link>
        </p>
      </Page>
    );
  const isChosen = slug !== INDEX || typed !== '';
  return (
    <Page key={slug} title={current?.title ?? 'Help'}>
      {contents.error && <Problem error={contents.error} retry={() => void contents.refetch()} />}
      {contents.isPending && <LoadingRows label="Loading the help pages" rows={8} />}
      {contents.data && (
        <div className={isChosen ? `${styles.help} ${styles.chosen}` : styles.help}>
          <div className={styles.side}>
            <input
              type="search"
              className={styles.search}
              aria-label="Search help"
              placeholder="Search help"
              value={typed}
              maxLength={LONGEST_SEARCH}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => type(event.currentTarget.value)}
            />
            <Link className={styles.back} to={helpPath()}>
              All help pages
            </Link>
            <Navigation groups={contents.data} slug={slug} />
          </div>
          <div className={styles.main}>
            {typed === '' ? <HelpContent slug={slug} /> : <HelpMatches search={search} />}
          </div>
        </div>
      )}
    </Page>
  );
}

function Navigation({ groups, slug }: { groups: readonly HelpGroup[]; slug: string }) {
  return (
    <nav aria-label="Help pages" className={styles.pages}>
      {groups.map(({ title, pages }) => (
        <div key={title}>
          <h2 className={styles.group}>{title}</h2>
          <ul className={styles.links}>
            {pages.map((page) => (
              <li key={page.slug}>
                <Link
                  className={styles.entry}
                  to={helpPath(page.slug)}
                  aria-current={page.slug === slug ? 'page' : undefined}
                >
                  {page.title}
                </Link>
                {page.slug === slug && <Sections {...page} />}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The sections of the page that is shown. */
function Sections({ slug, sections }: HelpGroup['pages'][number]) {
  return (
    <ul className={styles.sections}>
      {sections
        .filter(({ level }) => level === 2)
        .map(({ id, title }) => (
          <li key={id}>
            <Link className={styles.entry} to={helpPath(slug, id)}>
              {title}
            </Link>
          </li>
        ))}
    </ul>
  );
}
