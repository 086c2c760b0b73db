import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { Empty } from '../../ui/Empty.js';
import { pageIn } from '../routing/list-address.js';
import { PageLinks } from './PageLinks.js';
import { LoadError } from '../problems/LoadError.js';
import { LoadingRows, Table } from '../../ui/Table.js';
import type { Column } from '../../ui/Table.js';

interface RecordListProps<T> {
  /** The subject of the rows: `Branches`. */
  title: string;
  query: UseQueryResult<{ rows: T[]; next: number | null }>;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string | number;
  /** Where there are none: what they are for. */
  empty: ReactNode;
  /** How the first one is made. */
  action?: ReactNode;
}

/** A list paged by numbers, as `?page=` of the address: its rows, or why there are none. */
export function RecordList<T>({ title, query, columns, keyOf, empty, action }: RecordListProps<T>) {
  const page = pageIn(useSearchParams()[0]);
  const { data, error, isPending, refetch } = query;
  if (error && !data) return <LoadError what={title} error={error} retry={() => void refetch()} />;
  if (isPending || !data) return <LoadingRows label={`Loading ${title.toLowerCase()}`} rows={6} />;
  return (
    <>
      {data.rows.length === 0 ? (
        <Empty action={action}>{page > 1 ? 'No more results.' : empty}</Empty>
      ) : (
        <Table caption={title} rows={data.rows} keyOf={keyOf} columns={columns} />
      )}
      <PageLinks page={page} next={data.next} />
    </>
  );
}
