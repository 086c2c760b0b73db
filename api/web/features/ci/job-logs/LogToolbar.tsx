import { ArrowDown, ArrowUp, ChevronsDownUp, ChevronsUpDown, Clock, Download, FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/Button.js';
import { getTracePath } from './log-source.js';
import styles from './LogViewer.module.css';

/** Something that is on or off. */
interface Switch {
  isOn: boolean;
  set: (on: boolean) => void;
}

interface LogToolbarProps {
  trace: { path: string; id: number };
  query: string;
  onSearch: (query: string) => void;
  /** How many lines match, and which one is shown, from 0; -1 for none. */
  found: { count: number; at: number };
  onStep: (step: number) => void;
  /** null where the log does not grow, has no times, or no sections. */
  tail: Switch | null;
  times: Switch | null;
  folding: Switch | null;
}

/** What can be done with a log: search, fold, tail, and take it away. */
export function LogToolbar(props: LogToolbarProps) {
  const { trace, query, onSearch, found, onStep, tail, times, folding } = props;
  const url = getTracePath(trace.path, trace.id);
  return (
    <div className={styles.toolbar}>
      <form
        className={styles.search}
        onSubmit={(event) => {
          event.preventDefault();
          onStep(1);
        }}
      >
        <input
          type="search"
          className={styles.field}
          aria-label="Search the log"
          placeholder="Search the log"
          value={query}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onSearch(event.currentTarget.value)}
        />
        <output className={styles.count}>{query === '' ? '' : describeFound(found)}</output>
        {found.count > 0 && (
          <>
            <Button kind="quiet" aria-label="Previous match" onClick={() => onStep(-1)}>
              <ArrowUp size={16} aria-hidden />
            </Button>
            <Button kind="quiet" aria-label="Next match" onClick={() => onStep(1)}>
              <ArrowDown size={16} aria-hidden />
            </Button>
          </>
        )}
      </form>
      <div className={styles.tools}>
        {tail && <Toggle label="Follow" icon={<ArrowDown size={16} aria-hidden />} of={tail} />}
        {times && <Toggle label="Times" icon={<Clock size={16} aria-hidden />} of={times} />}
        {folding && (
          <Button kind="quiet" onClick={() => folding.set(!folding.isOn)}>
            {folding.isOn ? <ChevronsUpDown size={16} aria-hidden /> : <ChevronsDownUp size={16} aria-hidden />}
            {folding.isOn ? 'Expand all' : 'Collapse all'}
          </Button>
        )}
        <a className={styles.tool} href={url} target="_blank" rel="noopener">
          <FileText size={16} aria-hidden /> Raw
        </a>
        <a className={styles.tool} href={url} download={`job-${trace.id}.log`}>
          <Download size={16} aria-hidden /> Download
        </a>
      </div>
    </div>
  );
}

function describeFound({ count, at }: LogToolbarProps['found']): string {
  if (count === 0) return 'No matches';
  const lines = count === 1 ? '1 line' : `${count.toLocaleString('en')} lines`;
  return at === -1 ? lines : `${(at + 1).toLocaleString('en')} of ${lines}`;
}

function Toggle({ label, icon, of: { isOn, set } }: { label: string; icon: ReactNode; of: Switch }) {
  return (
    <span className={styles.toggle}>
      <Button kind="quiet" aria-pressed={isOn} onClick={() => set(!isOn)}>
        {icon} {label}
      </Button>
    </span>
  );
}
