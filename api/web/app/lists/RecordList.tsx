import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { Empty } from '../../ui/Empty.js';
import { pageIn } from '../routing/list-address.js';
import { PageLinks } from './PageLinks.js';
import { LoadError } from '../problems/LoadError.js';
import { LoadingRows, Table } from '../../ui/Table.js';
import type { Column, Selection } from '../../ui/Table.js';

export interface RecordListProps<T> {
  /** The subject of the rows: `Branches`. */
  title: string;
  /** Name of the table for screen readers, if it is not the title. */
  caption?: string;
  query: UseQueryResult<{ rows: T[]; next: number | string | null }>;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string | number;
  /** Where there are none: what they are for. */
  empty: ReactNode;
  /** How the first one is made. */
  action?: ReactNode;
  /** The parameter of the address with the page: `page`, or another one for the second list of a page. */
  param?: string;
  /** Whether that parameter is the cursor of a list by keyset instead of a number. */
  keyset?: boolean;
  selection?: Selection<T> | undefined;
  /** Between the error and the rows, such as actions on several. */
  children?: ReactNode;
}

/** A list, a page at a time: its rows, or why there are none. The page is stored in the address. */
export function RecordList<T>(props: RecordListProps<T>) {
  const { title, caption = title, query, columns, keyOf, empty, action, selection, children } = props;
  const { param = 'page', keyset = false } = props;
  const [search] = useSearchParams();
  const page = keyset ? (search.get(param) ?? '') : pageIn(search, param);
  const { data, error, isPending, refetch } = query;
  if (error && !data) return <LoadError what={title} error={error} retry={() => void refetch()} />;
  if (isPending || !data) return <LoadingRows label={`Loading ${title.toLowerCase()}`} rows={6} />;
  const isFirst = page === 1 || page === '';
  return (
    <>
      {children}
      {data.rows.length === 0 ? (
        <Empty action={action}>{isFirst ? empty : 'No more results.'}</Empty>
      ) : (
        <Table caption={caption} rows={data.rows} keyOf={keyOf} columns={columns} selection={selection} />
      )}
      <PageLinks
        page={page}
        next={data.next}
        name={param}
        label={param === 'page' || keyset ? 'Pages' : `Pages of ${title.toLowerCase()}`}
      />
    </>
  );
}
