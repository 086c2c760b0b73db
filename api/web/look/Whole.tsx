import { Fragment } from 'react';
import styles from './Whole.module.css';

/** Characters of the longest word that no line breaks. */
const WHOLE = 20;

const LONG_WORDS = new RegExp(`(\\S{${WHOLE + 1},})`);

/** The places after signs that join words. */
const JOINTS = /(?<=[/._:-])(?=[^/._:-])/;

/**
 * Text whose words stay whole: a column gets as wide as they are. Long ones break after the signs within paths and
 * names, and inside only where what stands between those is longer than any column should be.
 */
export function Whole({ children }: { children: string }) {
  return children
    .split(LONG_WORDS)
    .map((part, index) => <Fragment key={index}>{index % 2 === 1 ? <LongWord>{part}</LongWord> : part}</Fragment>);
}

function LongWord({ children }: { children: string }) {
  return children.split(JOINTS).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part.length > WHOLE ? <span className={styles.long}>{part}</span> : part}
    </Fragment>
  ));
}
