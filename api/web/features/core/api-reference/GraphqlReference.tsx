import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearchParams } from 'react-router';
import styles from '../api-docs/ApiDocs.module.css';
import { Empty } from '../../../ui/Empty.js';
import { Page } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { MemberView, TypeView } from './GraphqlViews.js';
import { ReferenceTabs } from './ReferenceTabs.js';
import { matching, getMembers, parseHash, getHash, schemaQuery } from './schema.js';
import type { Entry, Reference } from './schema.js';
import { SearchField, useTyped } from './SearchField.js';

/**
 * `/-/api-docs/graphql`: every query, mutation and type of GraphQL, drawn from the schema. `?search=` narrows the list
 * and looks into the fields of types too, `#/Project` shows a type, `#/Query/project` a field.
 */
export default function GraphqlReference() {
  const schema = useQuery(schemaQuery);
  return (
    <Page
      title="GraphQL reference"
      lead={
        <>
          All queries, mutations and types of <code>/api/graphql</code>. Run queries in{' '}
          <a href="/-/graphql-explorer">the explorer</a>.
        </>
      }
    >
      <ReferenceTabs />
      {schema.error && <Problem error={schema.error} retry={() => void schema.refetch()} />}
      {schema.isPending && <LoadingRows label="Loading the schema" rows={8} />}
      {schema.data && <Schema reference={schema.data} />}
    </Page>
  );
}

function Schema({ reference }: { reference: Reference }) {
  const [typed, type] = useTyped();
  const { owner, member } = parseHash(useLocation().hash);
  const [search] = useSearchParams();
  const found = matching(reference, typed);
  const chosen = reference.types.has(owner);
  return (
    <div className={chosen ? `${styles.reference} ${styles.chosen}` : styles.reference}>
      <div className={styles.side}>
        <SearchField label="Search the schema" placeholder="Search by name or text" typed={typed} type={type} />
        <output className={styles.count}>{found.length === 1 ? '1 entry' : `${found.length} entries`}</output>
        <Groups
          entries={found}
          open={typed.trim() !== ''}
          chosen={member && owner in ROOT_TYPES ? `${owner}.${member}` : owner}
          search={search.toString()}
        />
      </div>
      <div className={styles.main}>
        {chosen && (
          <Link className={styles.back} to={{ search: search.toString(), hash: '#/' }}>
            Entire schema
          </Link>
        )}
        <Chosen reference={reference} owner={owner} member={member} />
      </div>
    </div>
  );
}

/** Their fields are entries of their own, and they are none. */
const ROOT_TYPES: Readonly<Record<string, true>> = { Query: true, Mutation: true };

function Chosen({ reference, owner, member }: { reference: Reference; owner: string; member: string }) {
  const type = reference.types.get(owner);
  const field = type && getMembers(type).find(({ name }) => name === member);
  if (type && field) return <MemberView key={`${owner}.${member}`} owner={owner} member={field} />;
  if (type && member === '') return <TypeView key={owner} type={type} />;
  return (
    <Empty>
      {owner === ''
        ? 'Select a query, mutation or type to see its arguments and fields.'
        : `${[owner, member].filter(Boolean).join('.')} not found. Search for it, or select another one.`}
    </Empty>
  );
}

interface GroupsProps {
  entries: readonly Entry[];
  /** Whether all groups show their entries. */
  open: boolean;
  chosen: string;
  search: string;
}

function Groups({ entries, open, chosen, search }: GroupsProps) {
  const groups = Map.groupBy(entries, ({ group }) => group);
  return (
    <nav aria-label="Schema" className={styles.areas}>
      {[...groups].map(([name, members]) => {
        const isOpen = open || members.some(({ id }) => id === chosen);
        return (
          <details key={`${name} ${isOpen}`} open={isOpen}>
            <summary className={styles.area}>
              {name} <span className={styles.number}>{members.length}</span>
            </summary>
            <ul className={styles.operations}>
              {members.map(({ id, label }) => (
                <li key={id}>
                  <Link
                    className={styles.entry}
                    to={{ search, hash: getHash(id) }}
                    aria-current={id === chosen ? 'page' : undefined}
                  >
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </details>
        );
      })}
    </nav>
  );
}
