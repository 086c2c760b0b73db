import { Table } from '../../../ui/Table.js';
import type { Column } from '../../../ui/Table.js';
import type { Counts, Failure } from './queries.js';
import { formatRelation } from './messages.js';

type Row = { relation: string; total: number; skipped: number } & Partial<Counts>;

const counted = (title: string, of: (row: Row) => number): Column<Row> => ({
  title,
  end: true,
  cell: (row) => of(row).toLocaleString('en'),
});

/** The relations of an archive, with how much of each there is, and what became of it where that is known. */
export function RelationTable({ caption, relations }: { caption: string; relations: readonly Row[] }) {
  const imported = relations.some((row) => row.imported !== undefined);
  return (
    <Table
      caption={caption}
      rows={relations}
      keyOf={({ relation }) => relation}
      columns={[
        { title: 'Relation', cell: ({ relation }) => formatRelation(relation) },
        counted('Read', ({ total }) => total),
        ...(imported ? [counted('Imported', (row) => row.imported ?? 0)] : []),
        counted('Skipped', ({ skipped }) => skipped),
      ]}
    />
  );
}

const COLUMNS: Column<Failure & { key: number }>[] = [
  { title: 'File', cell: ({ file, relation }) => file ?? formatRelation(relation ?? 'the archive') },
  { title: 'Line', end: true, cell: ({ line }) => (line === null || line === undefined ? '' : String(line)) },
  { title: 'Reason', cell: ({ reason }) => reason },
];

/** The records of an archive that were skipped, their position in it, and the reason. */
export function FailureTable({ failures, count }: { failures: readonly Failure[]; count: number }) {
  if (failures.length === 0) return null;
  return (
    <>
      <Table
        caption="Skipped items"
        rows={failures.map((failure, key) => ({ ...failure, key }))}
        keyOf={({ key }) => key}
        columns={COLUMNS}
      />
      {count > failures.length && (
        <p>{`Showing the first ${failures.length.toLocaleString('en')} of ${count.toLocaleString('en')}.`}</p>
      )}
    </>
  );
}
