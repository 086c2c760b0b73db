import type { ReactNode } from 'react';
import { ApiProblem } from '../../data/problem.js';
import { RecordList } from './RecordList.js';
import type { RecordListProps } from './RecordList.js';

const BAD_REQUEST = 400;

interface FilteredListProps<T> extends RecordListProps<T> {
  /** The states and fields by which the list is filtered. */
  filter: ReactNode;
}

/**
 * A list with filters, a page at a time. If it cannot be read, neither are its filters displayed, unless the value of
 * one of them is why.
 */
export function FilteredList<T>({ filter, ...list }: FilteredListProps<T>) {
  const { error, data } = list.query;
  const isUnreadable = error !== null && !data && !(error instanceof ApiProblem && error.status === BAD_REQUEST);
  return (
    <>
      {!isUnreadable && filter}
      <RecordList {...list} />
    </>
  );
}
