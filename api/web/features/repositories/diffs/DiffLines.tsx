import { Plus } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { FileDiff } from '../../../data/api.js';
import { Button } from '../../../ui/Button.js';
import styles from './FileDiffs.module.css';
import type { DiffLine } from './lines.js';
import { isOfFile, lineKey, formatLine } from './line-threads.js';
import type { DiffThreads } from './line-threads.js';

/** Lines of a file that are drawn at first: drawing many thousands takes seconds. */
const FIRST = 500;

const SIGNS: Record<DiffLine['kind'], string> = { hunk: '', same: '', added: '+', removed: '-', note: '' };

interface DiffLinesProps {
  file: FileDiff;
  lines: readonly DiffLine[];
  threads: DiffThreads | null;
}

/** The lines of a file's diff, with their comments. */
export function DiffLines({ file, lines, threads }: DiffLinesProps) {
  const [all, showAll] = useState(false);
  const below = lines.map((line) => (threads && isOfFile(line) ? threads.below(file, line) : null));
  const first = Math.max(FIRST, below.findLastIndex((said) => said !== null) + 1);
  const visibleLines = all ? lines : lines.slice(0, first);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus */}
      <section className={styles.scroll} aria-label={`Lines of ${file.new_path}`} tabIndex={0}>
        <table className={styles.lines}>
          <thead className="hidden">
            <tr>
              {threads && <th scope="col">Comment</th>}
              <th scope="col">Old line</th>
              <th scope="col">New line</th>
              <th scope="col">Change</th>
              <th scope="col">Text</th>
            </tr>
          </thead>
          <Rows file={file} lines={visibleLines} below={below} threads={threads} />
        </table>
      </section>
      {visibleLines.length < lines.length && (
        <p className={styles.notice}>
          <Button onClick={() => showAll(true)}>{`Show all ${lines.length.toLocaleString('en')} lines`}</Button>
        </p>
      )}
    </>
  );
}

const KEYS: Record<string, (at: number, last: number) => number> = {
  ArrowUp: (at) => Math.max(0, at - 1),
  ArrowDown: (at, last) => Math.min(last, at + 1),
  Home: () => 0,
  End: (_at, last) => last,
};

/** The arrows lead from line to line: Tab alone would take hundreds of steps through a file. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = KEYS[event.key];
  if (!step || !(event.target instanceof HTMLElement) || event.target.dataset.line === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button[data-line]')];
  buttons[step(buttons.indexOf(event.target), buttons.length - 1)]?.focus();
  event.preventDefault();
}

interface RowsProps extends DiffLinesProps {
  /** The content below each line. */
  below: readonly React.ReactNode[];
}

function Rows({ file, lines, below, threads }: RowsProps) {
  // The one line of the file whose button can be reached with Tab.
  const [at, setAt] = useState(() => lines.findIndex(isOfFile));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys are of the buttons inside
    <tbody onKeyDown={moveFocus}>
      {lines.map((line, index) => (
        <Fragment key={index}>
          <tr className={styles[line.kind]}>
            {threads && (
              <td className={styles.comment}>
                {isOfFile(line) && (
                  <button
                    type="button"
                    className={styles.add}
                    data-line={lineKey(file, line)}
                    tabIndex={index === at ? 0 : -1}
                    aria-label={`Comment on ${formatLine(line)} of ${file.new_path}`}
                    onFocus={() => setAt(index)}
                    onClick={() => threads.begin(file, line)}
                  >
                    <Plus size={14} aria-hidden />
                  </button>
                )}
              </td>
            )}
            <td className={styles.number}>{line.before}</td>
            <td className={styles.number}>{line.after}</td>
            <td className={styles.sign}>{SIGNS[line.kind]}</td>
            <td className={styles.text}>{line.text}</td>
          </tr>
          {below[index] !== null && below[index] !== undefined && (
            <tr>
              <td className={styles.below} colSpan={5}>
                <div className={styles.threads}>{below[index]}</div>
              </td>
            </tr>
          )}
        </Fragment>
      ))}
    </tbody>
  );
}
