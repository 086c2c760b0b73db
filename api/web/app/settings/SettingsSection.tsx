import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { ButtonLink } from '../../ui/Button.js';
import { Empty } from '../../ui/Empty.js';
import { Card, Section } from '../../ui/Page.js';
import { Problem } from '../problems/Problem.js';
import rows from '../../ui/Rows.module.css';
import { Said } from '../../ui/Said.js';
import { LoadingRows, Table } from '../../ui/Table.js';
import type { Column } from '../../ui/Table.js';
import styles from './SettingsSection.module.css';

/** The page of a list, in the address as `?deploy_keys=2`. */
export function usePage(list: string): number {
  const [search] = useSearchParams();
  return Math.max(1, Number.parseInt(search.get(list) ?? '1', 10) || 1);
}

/** Closes the form that is open, and stays where the lists are. */
export function useCloseForm(): () => void {
  const [search, setSearch] = useSearchParams();
  return () => {
    const rest = new URLSearchParams(search);
    rest.delete('new');
    setSearch(rest, { replace: true });
  };
}

interface SettingsSectionProps<T> {
  /** In the address: `?new=deploy_keys` shows the form, `?deploy_keys=2` the second page. */
  list: string;
  title: string;
  lead: ReactNode;
  /** The kind of record that the form creates: "deploy key". */
  noun: string;
  /** What became of what was done last. */
  said: string;
  /** The form for a new record; null without permission. */
  form: ReactNode;
  /** Above the rows. */
  above?: ReactNode;
  query: UseQueryResult<{ rows: T[]; next: number | null }>;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string | number;
  empty: string;
}

/** A list of records of the settings, a page at a time, with the form for another one. */
export function SettingsSection<T>(props: SettingsSectionProps<T>) {
  const { list, title, lead, noun, said, form, above, query, columns, keyOf, empty } = props;
  const [search] = useSearchParams();
  const adding = form !== null && search.get('new') === list;
  const add = useRef<HTMLSpanElement>(null);
  const was = useRef(adding);
  useEffect(() => {
    // After the form is closed, focus returns to the button that opened it.
    if (was.current && !adding && document.activeElement === document.body) add.current?.querySelector('a')?.focus();
    was.current = adding;
  }, [adding]);
  const to = (name: string, value: string) =>
    `?${new URLSearchParams({ ...Object.fromEntries(search), [name]: value })}`;
  const opener = <ButtonLink to={to('new', list)}>New {noun}</ButtonLink>;
  const listed = query.data?.rows ?? [];
  return (
    <Section title={title} aside={form !== null && !adding && <span ref={add}>{opener}</span>}>
      <div className={styles.lead}>{lead}</div>
      <Said>{said}</Said>
      {above}
      {adding && (
        <Card>
          <h3>New {noun}</h3>
          {form}
        </Card>
      )}
      {query.error && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <LoadingRows label={`Loading ${title.toLowerCase()}`} />}
      {query.data && listed.length === 0 && !adding && <Empty>{empty}</Empty>}
      {listed.length > 0 && <Table caption={title} rows={listed} keyOf={keyOf} columns={columns} />}
      <PageLinks
        title={title}
        next={query.data?.next ?? null}
        page={usePage(list)}
        to={(page) => to(list, String(page))}
      />
    </Section>
  );
}

interface PageLinksProps {
  title: string;
  page: number;
  next: number | null;
  to: (page: number) => string;
}

function PageLinks({ title, page, next, to }: PageLinksProps) {
  if (page === 1 && next === null) return null;
  return (
    <nav className={rows.pages} aria-label={`Pages of ${title.toLowerCase()}`}>
      {page > 1 && <ButtonLink to={to(page - 1)}>Previous</ButtonLink>}
      {next !== null && <ButtonLink to={to(next)}>Next</ButtonLink>}
    </nav>
  );
}
