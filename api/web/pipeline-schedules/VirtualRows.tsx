import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { Table } from '../look/Table.js';
import type { Column, Selection } from '../look/Table.js';

/** About as high as a row is; each is measured once it is drawn. */
const ROW = 66;
/** Rows that are drawn beyond the screen. */
const BEYOND = 8;

interface VirtualRowsProps<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string | number;
  selection: Selection<T>;
  /** The end of the rows is near: more are wanted. */
  onEnd: () => void;
}

/** A table of which only those rows are drawn that are near the screen, so that thousands scroll as ten do. */
export function VirtualRows<T>({ rows, keyOf, onEnd, ...table }: VirtualRowsProps<T>) {
  const place = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  // oxlint-disable-next-line react/incompatible-library -- the pages are built without the compiler of React
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW,
    overscan: BEYOND,
    scrollMargin: margin,
    getItemKey: (index) => keyOf(rows[index] as T),
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  useEffect(() => {
    setMargin(place.current?.offsetTop ?? 0);
  }, [rows.length]);
  const end = last?.index ?? -1;
  useEffect(() => {
    if (end >= rows.length - BEYOND) onEnd();
  }, [end, rows.length, onEnd]);
  return (
    <div ref={place}>
      <Table
        {...table}
        keyOf={keyOf}
        rows={items.map(({ index }) => rows[index] as T)}
        part={{
          first: first?.index ?? 0,
          total: rows.length,
          before: first ? first.start - margin : 0,
          after: last ? virtual.getTotalSize() - (last.end - margin) : 0,
          measure: virtual.measureElement,
        }}
      />
    </div>
  );
}
