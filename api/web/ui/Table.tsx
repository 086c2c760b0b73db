/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   The narrow layout shows rows as blocks, and browsers take the roles of a table from elements that are not shown as one. */
import { memo } from 'react';
import type { ReactNode } from 'react';
import styles from './Table.module.css';
import { UnbrokenText } from './UnbrokenText.js';

export interface Column<T> {
  title: string;
  cell: (row: T) => ReactNode;
  /** Right-aligned, for numbers. */
  end?: boolean;
  /** The actions on a row: the column's title is for screen readers only. */
  actions?: boolean;
}

/** The selected rows, for actions on several at once. */
export interface Selection<T> {
  chosen: ReadonlySet<string | number>;
  choose: (row: T, on: boolean) => void;
  /** The name of the row for screen readers. */
  nameOf: (row: T) => string;
}

/** If only some of many rows are rendered: the space that represents the others. */
interface Part {
  /** Position of the first row that is drawn, from 0, and how many there are. */
  first: number;
  total: number;
  /** Pixels above and below. */
  before: number;
  after: number;
  measure: (row: HTMLTableRowElement | null) => void;
  /** Pixels of each column, so that none moves as rows come and go; null: as wide as the rows that are drawn. */
  widths: readonly number[] | null;
}

interface TableProps<T> {
  /** The subject of the rows, for screen readers. */
  caption: string;
  /** The first column names the row. */
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string | number;
  /** A box to tick in front of each row. */
  selection?: Selection<T> | undefined;
  /** Set if the rows are some of many. */
  part?: Part | undefined;
}

/** Rows of records. The roles are spelled out, as the narrow layout would take them from the elements. */
export function Table<T>({ caption, columns, rows, keyOf, selection, part }: TableProps<T>) {
  return (
    <div className={styles.frame}>
      <table
        className={part?.widths ? `${styles.table} ${styles.fixed}` : styles.table}
        role="table"
        aria-label={caption}
        aria-rowcount={part && part.total + 1}
      >
        <thead role="rowgroup">
          <tr role="row">
            {selection && (
              <th role="columnheader" scope="col" className={styles.choice} style={getWidth(part?.widths?.[0])}>
                <span className="hidden">Chosen</span>
              </th>
            )}
            {columns.map(({ title, end, actions }, index) => (
              <th
                key={title}
                role="columnheader"
                scope="col"
                className={end ? styles.end : undefined}
                style={getWidth(part?.widths?.[index + (selection ? 1 : 0)])}
              >
                {actions ? <span className="hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {part && part.before > 0 && <Gap height={part.before} />}
          {rows.map((row, index) => (
            <Row
              key={keyOf(row)}
              row={row}
              columns={columns}
              position={part && part.first + index}
              measure={part?.measure}
              chosen={selection?.chosen.has(keyOf(row))}
              choose={selection?.choose}
              nameOf={selection?.nameOf}
            />
          ))}
          {part && part.after > 0 && <Gap height={part.after} />}
        </tbody>
      </table>
    </div>
  );
}

const getWidth = (width: number | undefined) => (width === undefined ? undefined : { width });

interface RowProps<T> {
  row: T;
  columns: readonly Column<T>[];
  /** Among all rows, from 0, where some of many are drawn. */
  position: number | undefined;
  measure: Part['measure'] | undefined;
  chosen: boolean | undefined;
  choose: Selection<T>['choose'] | undefined;
  nameOf: Selection<T>['nameOf'] | undefined;
}

function EachRow<T>({ row, columns, position, measure, chosen, choose, nameOf }: RowProps<T>) {
  return (
    <tr
      ref={measure}
      role="row"
      data-index={position}
      aria-rowindex={position === undefined ? undefined : position + 2}
      data-chosen={chosen}
    >
      {chosen !== undefined && (
        <td role="cell" className={styles.choice}>
          <input
            type="checkbox"
            aria-label={`Select ${nameOf?.(row)}`}
            checked={chosen}
            onChange={(event) => choose?.(row, event.currentTarget.checked)}
          />
        </td>
      )}
      {columns.map((column, index) => (
        <Cell key={column.title} column={column} row={row} isName={index === 0} />
      ))}
    </tr>
  );
}

/** Re-rendered only if the row changed: a scrolling list renders just the new rows. */
const Row = memo(EachRow) as typeof EachRow;

/** Represents rows that are not rendered. */
function Gap({ height }: { height: number }) {
  return (
    <tr aria-hidden className={styles.gap}>
      <td style={{ height }} aria-label="Rows not displayed" />
    </tr>
  );
}

function Cell<T>({ column, row, isName }: { column: Column<T>; row: T; isName: boolean }) {
  const cell = column.cell(row);
  const content = typeof cell === 'string' ? <UnbrokenText>{cell}</UnbrokenText> : cell;
  if (isName)
    return (
      <th scope="row" role="rowheader">
        {content}
      </th>
    );
  return (
    <td
      role="cell"
      className={column.end ? styles.end : undefined}
      data-column={column.title}
      data-bare={column.actions || undefined}
    >
      <div>{content}</div>
    </td>
  );
}

/** Placeholders for rows that are being loaded. */
export function LoadingRows({ label, rows = 3 }: { label: string; rows?: number }) {
  return (
    <output className={styles.frame} aria-label={label}>
      {Array.from({ length: rows }, (_none, index) => (
        <span key={index} className={styles.loadingRow}>
          <span className={styles.loading} />
        </span>
      ))}
    </output>
  );
}
