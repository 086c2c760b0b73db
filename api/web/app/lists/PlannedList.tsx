import { recordPath } from '../routing/paths.js';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Walked } from '../../data/walked.js';
import { Button } from '../../ui/Button.js';
import { Empty } from '../../ui/Empty.js';
import { Section } from '../../ui/Page.js';
import { Problem } from '../problems/Problem.js';
import { Progress } from '../../ui/Progress.js';
import rows from '../../ui/Rows.module.css';
import { LoadingRows, Table } from '../../ui/Table.js';
import type { Column } from '../../ui/Table.js';
import { Time } from '../../ui/Time.js';
import { UnbrokenText } from '../../ui/UnbrokenText.js';

/** Number of rows displayed before the list is expanded. */
const FIRST = 50;

/** The fields that all planning records share. */
interface Planned {
  id: number;
  title: string;
  references: { full: string };
  web_url: string;
  updated_at: string;
}

interface PlannedListProps<T> {
  title: string;
  query: UseQueryResult<Walked<T>>;
  /** The label of the progress bar: `Issues closed`. */
  done: string;
  isDone: (row: T) => boolean;
  /** In addition to its title and the time of its last change. */
  columns: readonly Column<T>[];
  empty: string;
}

/** A section that lists the records planned for something, and displays how many of them are done. */
export function PlannedList<T extends Planned>({ title, query, done, isDone, columns, empty }: PlannedListProps<T>) {
  const { data, error, refetch } = query;
  const [whole, setWhole] = useState(false);
  const all = data?.rows ?? [];
  // Open records come first.
  const sorted = all.toSorted((one, other) => Number(isDone(one)) - Number(isDone(other)));
  return (
    <Section title={title}>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingRows label={`Loading ${title.toLowerCase()}`} />}
      {data && all.length === 0 && <Empty>{empty}</Empty>}
      {all.length > 0 && (
        <>
          <Progress label={done} done={all.filter(isDone).length} of={all.length} />
          {data?.more && <p>Only the first {all.length.toLocaleString('en')} are counted and listed.</p>}
          <Table
            caption={title}
            rows={whole ? sorted : sorted.slice(0, FIRST)}
            keyOf={({ id }) => id}
            columns={[titleColumn, ...columns, changed]}
          />
          {!whole && all.length > FIRST && (
            <div>
              <Button onClick={() => setWhole(true)}>Show all {all.length.toLocaleString('en')}</Button>
            </div>
          )}
        </>
      )}
    </Section>
  );
}

const titleColumn: Column<Planned> = {
  title: 'Title',
  cell: ({ title, web_url: url, references }) => (
    <>
      <Link className={rows.name} to={recordPath(url)}>
        <UnbrokenText>{title}</UnbrokenText>
      </Link>
      <span className={rows.quiet}>
        <UnbrokenText>{references.full}</UnbrokenText>
      </span>
    </>
  ),
};

const changed: Column<Planned> = { title: 'Updated', cell: ({ updated_at: at }) => <Time at={at} /> };
