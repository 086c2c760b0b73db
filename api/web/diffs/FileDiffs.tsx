import type { FileDiff } from '../client/api.js';
import { Empty } from '../look/Empty.js';
import { Whole } from '../look/Whole.js';
import { Button } from '../look/Button.js';
import { DiffLines } from './DiffLines.js';
import styles from './FileDiffs.module.css';
import { linesOf } from './lines.js';
import type { DiffLine } from './lines.js';
import { fileKey } from './talk.js';
import type { DiffTalk } from './talk.js';

interface FileDiffsProps {
  files: readonly FileDiff[];
  /** What is said of them; nothing where it is left out. */
  talk?: DiffTalk | null;
}

/** How files differ, one below the other. */
export function FileDiffs({ files, talk = null }: FileDiffsProps) {
  if (files.length === 0) return <Empty>No file differs.</Empty>;
  return (
    <ol className={styles.files} aria-label="Changed files">
      {files.map((file) => (
        <li key={`${file.old_path}\n${file.new_path}`}>
          <OneFile file={file} talk={talk} />
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

function OneFile({ file, talk }: { file: FileDiff; talk: DiffTalk | null }) {
  const lines = file.diff === '' ? [] : linesOf(file.diff);
  const above = talk?.above(file) ?? null;
  const inside = talk?.inside(file) ?? null;
  const changed = lines.some(({ kind }) => kind === 'hunk');
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
        {talk && (
          <Button
            kind="quiet"
            data-line={fileKey(file)}
            aria-label={`Comment on ${file.new_path}`}
            onClick={() => talk.beginFile(file)}
          >
            Comment
          </Button>
        )}
      </div>
      {above && <div className={styles.above}>{above}</div>}
      {inside ??
        (lines.length === 0 ? (
          <p className={styles.notice}>{reasonOf(file)}</p>
        ) : (
          <DiffLines file={file} lines={lines} talk={talk} />
        ))}
    </article>
  );
}

/** Why there are no lines to show. */
function reasonOf(file: FileDiff): string {
  if (file.too_large) return 'This diff is too large to be shown. Git shows it: git diff.';
  if (file.collapsed) return 'This diff is collapsed, since the diff as a whole is large. Git shows it: git diff.';
  return file.renamed_file || file.a_mode !== file.b_mode ? 'Its content is the same.' : 'It is empty.';
}
