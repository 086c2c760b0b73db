import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { Table } from '../../../ui/Table.js';
import type { Column, Selection } from '../../../ui/Table.js';

/** About as high as a row is; each is measured once it is drawn. */
const ROW = 66;
/** Rows that are drawn beyond the screen. */
const BEYOND = 3;
/** So many rows before the end more are wanted. */
const SOON = 30;

/** As fast as a scroll bar is dragged, not as a wheel turns: in screens from a step to the next. */
const FLUNG = 2;

interface VirtualRowsProps<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string | number;
  selection: Selection<T>;
  /** The end of the rows is near: more are wanted. */
  onEnd: () => void;
  /** Which rows are near the screen, once they stay there. */
  onNear: (first: number, last: number) => void;
}

/** How wide the columns of a table need to be when it is drawn, or gets another width; null where rows are drawn as blocks. */
function useWidths(ref: RefObject<HTMLElement | null>): readonly number[] | null {
  const [widths, setWidths] = useState<readonly number[] | null>(null);
  useEffect(() => {
    const table = ref.current?.querySelector('table');
    if (!table) return undefined;
    let width = 0;
    const observer = new ResizeObserver(([entry]) => {
      const now = entry?.contentRect.width ?? 0;
      if (now === width) return;
      width = now;
      // Column widths follow from the content, as computed by the browser.
      flushSync(() => setWidths(null));
      if (getComputedStyle(table).display !== 'table') return;
      setWidths([...table.querySelectorAll('thead th')].map((head) => head.getBoundingClientRect().width));
    });
    observer.observe(table);
    return () => observer.disconnect();
  }, [ref]);
  return widths;
}

/**
 * Whether the list scrolls too fast to be readable: two or more consecutive steps of several screens. A single step, as
 * by the End key, is a jump to a position where the user continues to read.
 */
function useFlung(): boolean {
  const [isFlung, setFlung] = useState(false);
  useEffect(() => {
    let [offset, wasFast] = [window.scrollY, false];
    const scrolled = () => {
      const isFast = Math.abs(window.scrollY - offset) > FLUNG * window.innerHeight;
      setFlung(isFast && wasFast);
      [offset, wasFast] = [window.scrollY, isFast];
    };
    // Before the rows of this step are drawn.
    const early = { passive: true, capture: true };
    window.addEventListener('scroll', scrolled, early);
    return () => window.removeEventListener('scroll', scrolled, early);
  }, []);
  return isFlung;
}

/** A table of which only those rows are drawn that are near the screen, so that thousands scroll as ten do. */
export function VirtualRows<T>({ rows, keyOf, onEnd, onNear, ...table }: VirtualRowsProps<T>) {
  const ref = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const widths = useWidths(ref);
  const flung = useFlung();
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
    setMargin(ref.current?.offsetTop ?? 0);
  }, [rows.length]);
  const [start, end] = [first?.index ?? 0, last?.index ?? -1];
  const { isScrolling } = virtual;
  const isFlung = flung && isScrolling && widths !== null;
  useEffect(() => {
    if (!isScrolling) onNear(start, end);
  }, [isScrolling, start, end, onNear]);
  useEffect(() => {
    if (end >= rows.length - SOON) onEnd();
  }, [end, rows.length, onEnd]);
  return (
    <div ref={ref}>
      <Table
        {...table}
        keyOf={keyOf}
        rows={isFlung ? [] : items.map(({ index }) => rows[index] as T)}
        part={{
          first: start,
          total: rows.length,
          before: first && !isFlung ? first.start - margin : 0,
          after: last && !isFlung ? virtual.getTotalSize() - (last.end - margin) : virtual.getTotalSize(),
          measure: virtual.measureElement,
          widths,
        }}
      />
    </div>
  );
}
