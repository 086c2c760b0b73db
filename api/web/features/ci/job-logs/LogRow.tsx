import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { splitLinks } from './links.js';
import { splitMatches } from './log-lines.js';
import type { LogLine, LogSection } from './log-parser.js';
import type { TextSpan } from './log-text.js';
import styles from './LogViewer.module.css';
import { getTextColors } from './palette.js';
import { PLAIN } from './sgr.js';

interface LogRowProps {
  line: LogLine;
  query: string;
  /** Whether the line is the one of the address, or the match that the search is at. */
  isTarget: boolean;
  showTimes: boolean;
  /** null where the line heads no section. */
  folded: boolean | null;
  onFold: (section: LogSection) => void;
}

/** One line of a log: its number, what it says, and for a heading its section. */
export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { line, query, isTarget, showTimes, folded, onFold } = props;
  const { number, time, heads, section, spans, text } = line;
  const depth = section ? section.depth + 1 : 0;
  const content =
    heads && text === ''
      ? heads.name.replaceAll('_', ' ')
      : spans.map((span, index) => <Span key={index} span={span} query={query} />);
  return (
    <div className={styles.row} data-target={isTarget || undefined}>
      {number === null ? (
        <span className={styles.number} />
      ) : (
        <a className={styles.number} id={`L${number}`} href={`#L${number}`} aria-label={`Line ${number}`}>
          {number}
        </a>
      )}
      {showTimes && <span className={styles.time}>{time?.slice(11, 19) ?? ''}</span>}
      <span className={styles.text} data-depth={Math.min(depth, 4)} dir="ltr">
        {heads === null ? (
          content
        ) : (
          <button type="button" className={styles.heading} aria-expanded={!folded} onClick={() => onFold(heads)}>
            {folded ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
            <span className={styles.headingText}>{content}</span>
            {heads.end !== null && <span className={styles.duration}>{formatSection(heads)}</span>}
          </button>
        )}
      </span>
    </div>
  );
});

const MINUTE = 60;

/** How long a section took: `00:07`. */
function formatSection({ start, end }: LogSection): string {
  const seconds = Math.max(0, (end ?? start) - start);
  return `${String(Math.floor(seconds / MINUTE)).padStart(2, '0')}:${String(seconds % MINUTE).padStart(2, '0')}`;
}

const getClasses = ({ bold, italic, underline }: TextSpan['style']): string =>
  [bold ? styles.bold : '', italic ? styles.italic : '', underline ? styles.underline : ''].filter(Boolean).join(' ');

function Span({ span: { text, style }, query }: { span: TextSpan; query: string }) {
  const pieces = splitLinks(text).map(({ text: piece, href }, index) =>
    href === null ? (
      <Marked key={index} text={piece} query={query} />
    ) : (
      <a key={index} className={styles.link} href={href} target="_blank" rel="noopener noreferrer nofollow">
        <Marked text={piece} query={query} />
      </a>
    ),
  );
  if (style === PLAIN) return pieces;
  return (
    <span className={getClasses(style)} style={getTextColors(style)}>
      {pieces}
    </span>
  );
}

function Marked({ text, query }: { text: string; query: string }) {
  if (query === '') return text;
  return splitMatches(text, query).map(({ text: piece, isMatch }, index) =>
    isMatch ? (
      <mark key={index} className={styles.match}>
        {piece}
      </mark>
    ) : (
      piece
    ),
  );
}
