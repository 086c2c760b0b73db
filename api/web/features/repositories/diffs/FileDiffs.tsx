import type { FileDiff } from '../../../data/api.js';
import { Empty } from '../../../ui/Empty.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { Button } from '../../../ui/Button.js';
import { DiffLines } from './DiffLines.js';
import styles from './FileDiffs.module.css';
import { getLines } from './lines.js';
import type { DiffLine } from './lines.js';
import { fileKey } from './line-threads.js';
import type { DiffThreads } from './line-threads.js';

interface FileDiffsProps {
  files: readonly FileDiff[];
  /** The comments on the diff; null or absent without comments. */
  threads?: DiffThreads | null;
}

/** How files differ, one below the other. */
export function FileDiffs({ files, threads = null }: FileDiffsProps) {
  if (files.length === 0) return <Empty>No changed files.</Empty>;
  return (
    <ol className={styles.files} aria-label="Changed files">
      {files.map((file) => (
        <li key={`${file.old_path}\n${file.new_path}`}>
          <OneFile file={file} threads={threads} />
        </li>
      ))}
    </ol>
  );
}

/** What happened to the file as a whole. */
function listChanges(file: FileDiff): string[] {
  const changes = [];
  if (file.new_file) changes.push('new');
  if (file.deleted_file) changes.push('deleted');
  if (file.renamed_file) changes.push(`renamed from ${file.old_path}`);
  if (!file.new_file && !file.deleted_file && file.a_mode !== file.b_mode)
    changes.push(`mode ${file.a_mode} to ${file.b_mode}`);
  if (file.generated_file) changes.push('generated');
  return changes;
}

const counted = (lines: readonly DiffLine[], kind: DiffLine['kind']) =>
  lines.filter((line) => line.kind === kind).length;

function OneFile({ file, threads }: { file: FileDiff; threads: DiffThreads | null }) {
  const lines = file.diff === '' ? [] : getLines(file.diff);
  const above = threads?.above(file) ?? null;
  const inside = threads?.inside(file) ?? null;
  const changed = lines.some(({ kind }) => kind === 'hunk');
  return (
    <article className={styles.file} aria-label={file.new_path}>
      <div className={styles.head}>
        <h3 className={styles.name}>
          <UnbrokenText>{file.new_path}</UnbrokenText>
        </h3>
        <p className={styles.text}>
          {listChanges(file).map((change) => (
            <span key={change}>
              <UnbrokenText>{change}</UnbrokenText>
            </span>
          ))}
          {changed && <span>{`${counted(lines, 'added')} added, ${counted(lines, 'removed')} removed`}</span>}
        </p>
        {threads && (
          <Button
            kind="quiet"
            data-line={fileKey(file)}
            aria-label={`Comment on ${file.new_path}`}
            onClick={() => threads.beginFile(file)}
          >
            Comment
          </Button>
        )}
      </div>
      {above && <div className={styles.above}>{above}</div>}
      {inside ??
        (lines.length === 0 ? (
          <p className={styles.notice}>{getReason(file)}</p>
        ) : (
          <DiffLines file={file} lines={lines} threads={threads} />
        ))}
    </article>
  );
}

/** Why there are no lines to show. */
function getReason(file: FileDiff): string {
  if (file.too_large) return 'This diff is too large to display. Use git diff to see it.';
  if (file.collapsed) return 'This file is collapsed because the diff is large. Use git diff to see it.';
  return file.renamed_file || file.a_mode !== file.b_mode ? 'No content changes.' : 'Empty file.';
}
