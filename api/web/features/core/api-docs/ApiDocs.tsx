import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { Empty } from '../../../ui/Empty.js';
import { Page } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { ReferenceTabs } from '../api-reference/index.js';
import styles from './ApiDocs.module.css';
import { descriptionQuery, matching, parseHash, getHash } from './description.js';
import type { Description, Operation } from './description.js';
import { OperationView } from './OperationView.js';

/**
 * `/-/api-docs`: every operation of the REST API, to read and to try as oneself. `?search=` narrows the list,
 * `#/Projects/createProject` shows an operation, `#/Projects` an area.
 */
export default function ApiDocs() {
  const description = useQuery(descriptionQuery);
  return (
    <Page
      title="API reference"
      lead={
        <>
          All operations of the REST API, also available as <a href="/api/v4/openapi.json">openapi.json</a>.
        </>
      }
    >
      <ReferenceTabs />
      {description.error && <Problem error={description.error} retry={() => void description.refetch()} />}
      {description.isPending && <LoadingRows label="Loading operations" rows={8} />}
      {description.data && <Reference description={description.data} />}
    </Page>
  );
}

function Reference({ description }: { description: Description }) {
  const { hash } = useLocation();
  const [search, setSearch] = useSearchParams();
  const target = parseHash(hash);
  // The input is displayed at once; the address follows.
  const [typed, setTyped] = useState(search.get('search') ?? '');
  const found = matching(description.operations, typed);
  const chosen = description.operations.find(({ id }) => id === target.id) ?? null;
  const type = (value: string) => {
    setTyped(value);
    const next = new URLSearchParams(search);
    if (value === '') next.delete('search');
    else next.set('search', value);
    setSearch(next, { replace: true });
  };
  return (
    <div className={chosen ? `${styles.reference} ${styles.chosen}` : styles.reference}>
      <div className={styles.side}>
        <input
          type="search"
          className={styles.search}
          aria-label="Search operations"
          placeholder="Search by name, path or text"
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <output className={styles.count}>
          {found.length === 1 ? '1 operation' : `${found.length} operations`}
          {typed !== '' && ` of ${description.operations.length}`}
        </output>
        <Areas operations={found} open={typed !== ''} area={target.area} id={target.id} search={search.toString()} />
      </div>
      <div className={styles.main}>
        {chosen ? (
          <>
            <Link className={styles.back} to={{ search: search.toString(), hash: getHash(chosen.area) }}>
              All operations
            </Link>
            <OperationView key={chosen.id} operation={chosen} description={description} />
          </>
        ) : (
          <Empty>
            {target.id === ''
              ? 'Select an operation to see its parameters and responses, and to try it.'
              : `Operation ${target.id} not found. Search for it, or select another one.`}
          </Empty>
        )}
      </div>
    </div>
  );
}

interface AreasProps {
  operations: readonly Operation[];
  /** Whether all areas show their operations. */
  open: boolean;
  area: string;
  id: string;
  search: string;
}

function Areas({ operations, open, area, id, search }: AreasProps) {
  const areas = Map.groupBy(operations, (operation) => operation.area);
  return (
    <nav aria-label="Operations" className={styles.areas}>
      {[...areas].map(([name, members]) => (
        <details key={`${name} ${open || name === area}`} open={open || name === area}>
          <summary className={styles.area}>
            {name} <span className={styles.number}>{members.length}</span>
          </summary>
          <ul className={styles.operations}>
            {members.map((operation) => (
              <li key={operation.id}>
                <Link
                  className={styles.operation}
                  to={{ search, hash: getHash(name, operation.id) }}
                  aria-current={operation.id === id ? 'page' : undefined}
                >
                  <span className={styles.method}>{operation.method}</span> <span>{operation.summary}</span>
                </Link>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}
