import { useState } from 'react';
import type { FileDiff } from '../client/api.js';
import { Button } from '../look/Button.js';
import { Empty } from '../look/Empty.js';
import { Whole } from '../look/Whole.js';
import styles from './FileDiffs.module.css';
import { linesOf } from './lines.js';
import type { DiffLine } from './lines.js';

/** Lines of a file that are drawn at first: drawing many thousands takes seconds. */
const FIRST = 500;

/** How files differ, one below the other. */
export function FileDiffs({ files }: { files: readonly FileDiff[] }) {
  if (files.length === 0) return <Empty>No file differs.</Empty>;
  return (
    <ol className={styles.files} aria-label="Changed files">
      {files.map((file) => (
        <li key={`${file.old_path}\n${file.new_path}`}>
          <OneFile file={file} />
        </li>
      ))}
    </ol>
  );
}

/** What happened to the file as a whole. */
function wordsOf(file: FileDiff): string[] {
  const words = [];
  if (file.new_file) words.push('new');
  if (file.deleted_file) words.push('deleted');
  if (file.renamed_file) words.push(`renamed from ${file.old_path}`);
  if (!file.new_file && !file.deleted_file && file.a_mode !== file.b_mode)
    words.push(`mode ${file.a_mode} to ${file.b_mode}`);
  if (file.generated_file) words.push('generated');
  return words;
}

const counted = (lines: readonly DiffLine[], kind: DiffLine['kind']) =>
  lines.filter((line) => line.kind === kind).length;

function OneFile({ file }: { file: FileDiff }) {
  const lines = file.diff === '' ? [] : linesOf(file.diff);
  const changed = lines.some(({ kind }) => kind === 'place');
  return (
    <article className={styles.file} aria-label={file.new_path}>
      <div className={styles.head}>
        <h3 className={styles.name}>
          <Whole>{file.new_path}</Whole>
        </h3>
        <p className={styles.words}>
          {wordsOf(file).map((words) => (
            <span key={words}>
              <Whole>{words}</Whole>
            </span>
          ))}
          {changed && <span>{`${counted(lines, 'added')} added, ${counted(lines, 'removed')} removed`}</span>}
        </p>
      </div>
      {lines.length === 0 ? (
        <p className={styles.told}>{reasonOf(file)}</p>
      ) : (
        <Lines name={file.new_path} lines={lines} />
      )}
    </article>
  );
}

/** Why there are no lines to show. */
function reasonOf(file: FileDiff): string {
  if (file.too_large) return 'This diff is too large to be shown. Git shows it: git diff.';
  if (file.collapsed) return 'This diff is collapsed, since the diff as a whole is large. Git shows it: git diff.';
  return file.renamed_file || file.a_mode !== file.b_mode ? 'Its content is the same.' : 'It is empty.';
}

const SIGNS: Record<DiffLine['kind'], string> = { place: '', same: '', added: '+', removed: '-', note: '' };

function Lines({ name, lines }: { name: string; lines: readonly DiffLine[] }) {
  const [all, showAll] = useState(false);
  const shown = all ? lines : lines.slice(0, FIRST);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus */}
      <section className={styles.scroll} aria-label={`Lines of ${name}`} tabIndex={0}>
        <table className={styles.lines}>
          <thead className="hidden">
            <tr>
              <th scope="col">Line before</th>
              <th scope="col">Line after</th>
              <th scope="col">Change</th>
              <th scope="col">Text</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((line, index) => (
              <tr key={index} className={styles[line.kind]}>
                <td className={styles.number}>{line.before}</td>
                <td className={styles.number}>{line.after}</td>
                <td className={styles.sign}>{SIGNS[line.kind]}</td>
                <td className={styles.text}>{line.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {shown.length < lines.length && (
        <p className={styles.told}>
          <Button onClick={() => showAll(true)}>{`Show all ${lines.length.toLocaleString('en')} lines`}</Button>
        </p>
      )}
    </>
  );
}
