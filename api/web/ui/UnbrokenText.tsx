import { Fragment } from 'react';
import styles from './UnbrokenText.module.css';

/** Characters of the longest word that no line breaks. */
const WHOLE = 20;

const LONG_WORDS = new RegExp(`(\\S{${WHOLE + 1},})`);

/** Right-to-left scripts, whose text would otherwise move adjacent punctuation to its other side. */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The positions after characters that join words. */
const JOINTS = /(?<=[/._:-])(?=[^/._:-])/;

/**
 * Text whose words are not broken: a column becomes as wide as its words. Long ones break after the separators within
 * paths and names, and elsewhere only if a part is longer than any column should be.
 */
export function UnbrokenText({ children }: { children: string }) {
  const parts = children
    .split(LONG_WORDS)
    .map((part, index) => <Fragment key={index}>{index % 2 === 1 ? <LongWord>{part}</LongWord> : part}</Fragment>);
  return RIGHT_TO_LEFT.test(children) ? <bdi>{parts}</bdi> : parts;
}

function LongWord({ children }: { children: string }) {
  return children.split(JOINTS).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part.length > WHOLE ? <span className={styles.long}>{part}</span> : part}
    </Fragment>
  ));
}
