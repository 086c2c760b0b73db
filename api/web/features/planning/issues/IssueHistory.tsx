import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { ButtonLink } from '../../../ui/Button.js';
import { Empty } from '../../../ui/Empty.js';
import { Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { historyQuery } from './history.js';
import styles from './IssuePage.module.css';

/** The history of an issue: loaded only on request, since it consists of four API lists. */
export function IssueHistory({ path, iid }: { path: string; iid: number }) {
  const [search] = useSearchParams();
  const isOpen = search.has('history');
  return (
    <Section title="History">
      <div>
        <ButtonLink to={isOpen ? '?' : '?history=1'} replace>
          {isOpen ? 'Hide history' : 'Show history'}
        </ButtonLink>
      </div>
      {isOpen && <Entries path={path} iid={iid} />}
    </Section>
  );
}

function Entries({ path, iid }: { path: string; iid: number }) {
  const history = useQuery(historyQuery(path, iid));
  if (history.error) return <Problem error={history.error} retry={() => void history.refetch()} />;
  if (!history.data) return <LoadingRows label="Loading history" />;
  const { rows, more } = history.data;
  if (rows.length === 0)
    return <Empty>No history yet. Changes to state, labels, milestone and weight appear here.</Empty>;
  return (
    <>
      <ol className={styles.history} aria-label="History, oldest first">
        {rows.map(({ key, at, by, did }) => (
          <li key={key}>
            <UnbrokenText>{`${by?.name ?? 'Deleted user'} ${did}`}</UnbrokenText> · <Time at={at} />
          </li>
        ))}
      </ol>
      {more && <p>Only the first 100 events of each kind are shown. Use the API to get all of them.</p>}
    </>
  );
}
