import { useVirtualizer } from '@tanstack/react-virtual';
import {
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { RefObject } from 'react';
import { useLocation } from 'react-router';
import { LoadError } from '../../../app/problems/LoadError.js';
import { LoadingRows } from '../../../ui/Table.js';
import { findLines, foldAll, getVisibleLines, isFolded, unfold } from './log-lines.js';
import type { Toggled } from './log-lines.js';
import type { LogSection } from './log-parser.js';
import { LogRow } from './LogRow.js';
import type { LogSnapshot } from './log-source.js';
import { LogToolbar } from './LogToolbar.js';
import styles from './LogViewer.module.css';
import { useLog } from './use-log.js';

/** About as high as a line; each is measured once it is drawn. */
const ROW = 20;
/** Lines that are rendered above and below the visible ones. */
const OVERSCAN = 12;
/** Pixels from the end that still count as the end. */
const AT_END = 30;

interface LogViewerProps {
  path: string;
  id: number;
  /** Whether the job runs, so that the log grows. */
  live: boolean;
  /** Called when the job ended while its log was followed. */
  onEnd: () => void;
}

/** The log of a job: found by line, searched, folded by section, and followed while the job runs. */
export default function LogViewer({ path, id, live, onEnd }: LogViewerProps) {
  const { snapshot, retry } = useLog(path, id, live, onEnd);
  const { parser, state, error } = snapshot;
  const { lines, sections } = parser;
  const [toggled, setToggled] = useState<Toggled>(new Set());
  const [query, setQuery] = useState('');
  const [showTimes, setShowTimes] = useState(false);
  const term = useDeferredValue(query);
  // The parser keeps its lists: the snapshot says when they changed.
  const visibleLines = useMemo(() => getVisibleLines(snapshot.parser.lines, toggled), [snapshot, toggled]);
  const matches = useMemo(() => findLines(snapshot.parser.lines, term), [snapshot, term]);
  const [at, setAt] = useState<number | null>(null);
  const target = useTargetLine(snapshot);
  const frame = useRef<HTMLDivElement>(null);
  const tail = useTail(frame, live && !target.exists);
  // oxlint-disable-next-line react/incompatible-library -- the pages are built without the compiler of React
  const virtual = useVirtualizer({
    count: visibleLines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: OVERSCAN,
  });
  const total = virtual.getTotalSize();
  const goal = at ?? target.position;
  useLayoutEffect(() => {
    const element = frame.current;
    if (tail.isOn && element) element.scrollTop = element.scrollHeight;
  }, [tail.isOn, total]);
  // Each goal moves the frame once, after the sections around it have been unfolded. Then the reader may fold them again.
  const reached = useRef<number | null>(null);
  const reveal = useEffectEvent((position: number | null, folding: Toggled) => {
    if (position === reached.current) return;
    const row = position === null ? -1 : visibleLines.indexOf(position);
    const section = position === null ? null : lines[position]?.section;
    if (row === -1 && section) {
      setToggled(unfold(section, folding));
      return;
    }
    reached.current = position;
    if (row !== -1) virtual.scrollToIndex(row, { align: 'center' });
  });
  useEffect(() => reveal(goal, toggled), [goal, toggled]);
  const goTo = (step: number) => {
    if (matches.length === 0) return;
    const before = at === null ? -1 : matches.indexOf(at);
    const next =
      before === -1 ? (step > 0 ? 0 : matches.length - 1) : (before + step + matches.length) % matches.length;
    tail.set(false);
    target.drop();
    setAt(matches[next] ?? null);
  };
  const onFold = useCallback((section: LogSection) => {
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(section.index)) after.add(section.index);
      return after;
    });
  }, []);
  if (error && lines.length === 0) return <LoadError what="The log" error={error} retry={retry} />;
  if (state === 'loading' && lines.length === 0) return <LoadingRows label="Loading the log" rows={6} />;
  return (
    <section className={styles.viewer} aria-label="Log">
      <LogToolbar
        trace={{ path, id }}
        query={query}
        onSearch={(text) => {
          setQuery(text);
          setAt(null);
        }}
        found={{ count: matches.length, at: at === null ? -1 : matches.indexOf(at) }}
        onStep={goTo}
        tail={state === 'following' ? tail : null}
        times={lines.some(({ time }) => time !== null) ? { isOn: showTimes, set: setShowTimes } : null}
        folding={
          sections.length > 0
            ? {
                isOn: sections.every((section) => isFolded(section, toggled)),
                set: (folded) => setToggled(foldAll(sections, folded)),
              }
            : null
        }
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus */}
      <section ref={frame} className={styles.frame} aria-label="Lines of the log" tabIndex={0} onScroll={tail.onScroll}>
        {lines.length === 0 && (
          <p className={styles.empty}>
            {state === 'following' ? 'Waiting for the first line of the log.' : 'This job has no log.'}
          </p>
        )}
        <div className={styles.lines} style={{ height: total }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const position = visibleLines[index] ?? 0;
            const line = lines[position];
            if (!line) return null;
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={styles.place}
                style={{ transform: `translateY(${start}px)` }}
              >
                <LogRow
                  line={line}
                  query={term}
                  isTarget={position === goal}
                  showTimes={showTimes}
                  folded={line.heads && isFolded(line.heads, toggled)}
                  onFold={onFold}
                />
              </div>
            );
          })}
        </div>
        {state === 'following' && lines.length > 0 && <p className={styles.live}>Running: new lines appear here.</p>}
      </section>
      {error && <p className={styles.problem}>The log could not be read on: {error.message}</p>}
    </section>
  );
}

interface TargetLine {
  /** Whether the address names a line, which may not have been read yet. */
  exists: boolean;
  /** Position of the line, once it has been read. */
  position: number | null;
  /** Forgets the line. */
  drop: () => void;
}

/** The line that the address names: `#L12`. */
function useTargetLine(snapshot: LogSnapshot): TargetLine {
  const { hash } = useLocation();
  const [dropped, drop] = useState('');
  const term = /^#L(\d{1,9})$/.exec(hash)?.[1];
  const number = term === undefined || dropped === hash ? 0 : Number(term);
  const found = useMemo(
    () => (number === 0 ? -1 : snapshot.parser.lines.findIndex((line) => line.number === number)),
    [number, snapshot],
  );
  return { exists: number !== 0, position: found === -1 ? null : found, drop: () => drop(hash) };
}

interface Tail {
  isOn: boolean;
  set: (on: boolean) => void;
  onScroll: () => void;
}

/** Whether the end stays in sight: until the reader scrolls up, and again once the end is reached. */
function useTail(frame: RefObject<HTMLElement | null>, initially: boolean): Tail {
  const [isOn, set] = useState(initially);
  const last = useRef(0);
  const onScroll = () => {
    const element = frame.current;
    if (!element) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < AT_END;
    if (isAtEnd) set(true);
    else if (scrollTop < last.current - 1) set(false);
    last.current = scrollTop;
  };
  return { isOn, set, onScroll };
}
