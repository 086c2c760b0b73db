import type { DiffContext } from './diff-context.js';
import { useState } from 'react';
import type { FileDiff } from '../../../data/api.js';
import type { DiffLine } from '../../repositories/diffs/index.js';
import type { DiffThread } from '../../notes/discussions/index.js';
import { linesOf, isOfFile, lineKey, formatLine } from '../../repositories/diffs/index.js';
import { NoteForm, formatLines, Thread, resultMessage, useDiffComment } from '../../notes/discussions/index.js';
import { Card } from '../../../ui/Page.js';
import { Said } from '../../../ui/Said.js';
import { Select } from '../../../ui/Select.js';
import styles from './RequestActions.module.css';
import { Suggestions } from './Suggestions.js';

interface LineThreadsProps {
  context: DiffContext;
  threads: readonly DiffThread[];
  /** The line, or the file as a whole, of which something is being written. */
  writing: { file: FileDiff; line: DiffLine | null; onClose: () => void } | null;
  /** Whether they are displayed at their lines of the diff. */
  inline?: boolean;
}

/** The threads of one line, and the form to start another one. */
export function LineThreads({ context, threads, writing, inline = true }: LineThreadsProps) {
  const [said, setSaid] = useState('');
  return (
    <>
      <Said>{said}</Said>
      {threads.map(({ thread }) => (
        <div key={thread.id} className={styles.together}>
          {inline && <RangeOf thread={thread} />}
          <Thread of={context.of} noteableId={context.noteableId} thread={thread} onSaid={setSaid} inline={inline} />
          <Suggestions context={context} thread={thread} onSaid={setSaid} />
        </div>
      ))}
      {writing && <LineForm context={context} {...writing} onSaid={setSaid} />}
    </>
  );
}

/** A note that a thread refers to several lines; it is displayed below the last one. */
function RangeOf({ thread }: { thread: DiffThread['thread'] }) {
  const position = thread.notes.nodes[0]?.position;
  return position?.lineRange ? <p className={styles.range}>{`On ${formatLines(position)}`}</p> : null;
}

/** What positions of one file have in common. */
export const filePosition = (refs: DiffContext['refs'], { old_path, new_path }: FileDiff) => ({
  base_sha: refs?.base_sha ?? refs?.start_sha ?? '',
  start_sha: refs?.start_sha ?? '',
  head_sha: refs?.head_sha ?? '',
  old_path,
  new_path,
});

/** A line as the API names it: an added one by its number after, a removed one by that before, others by both. */
const getNumbers = ({ before, after }: DiffLine) => ({
  ...(before === null ? {} : { old_line: before }),
  ...(after === null ? {} : { new_line: after }),
});

const TYPES: Partial<Record<DiffLine['kind'], 'new' | 'old'>> = { added: 'new', removed: 'old' };
const endOf = (line: DiffLine) => ({ ...getNumbers(line), ...(TYPES[line.kind] ? { type: TYPES[line.kind] } : {}) });

function getPosition(refs: DiffContext['refs'], file: FileDiff, line: DiffLine | null, first: DiffLine | undefined) {
  const position = filePosition(refs, file);
  if (!line) return { ...position, position_type: 'file' as const };
  const range = first ? { line_range: { start: endOf(first), end: endOf(line) } } : {};
  return { ...position, position_type: 'text' as const, ...getNumbers(line), ...range };
}

/** Lines above one that a comment may begin at. */
const MOST_ABOVE = 20;

/** The lines above one in its hunk, the nearest first. */
function linesAbove(file: FileDiff, line: DiffLine): DiffLine[] {
  const lines = linesOf(file.diff);
  const at = lines.findIndex((one) => lineKey(file, one) === lineKey(file, line));
  const above = lines.slice(Math.max(0, at - MOST_ABOVE), Math.max(0, at)).toReversed();
  const end = above.findIndex((one) => !isOfFile(one));
  return end < 0 ? above : above.slice(0, end);
}

interface LineFormProps {
  context: DiffContext;
  file: FileDiff;
  line: DiffLine | null;
  onClose: () => void;
  onSaid: (said: string) => void;
}

const SUGGESTS = 'Supports Markdown. Use a ```suggestion block to propose a change.';

function LineForm({ context: { of, refs }, file, line, onClose, onSaid }: LineFormProps) {
  const comment = useDiffComment(of);
  const above = line ? linesAbove(file, line) : [];
  const [first, setFirst] = useState('');
  const begins = above.find((one) => lineKey(file, one) === first);
  return (
    <Card>
      <NoteForm
        focusFirst
        label={`Comment on ${line ? formatLine(line) : file.new_path}`}
        submit="Start thread"
        hint={line ? SUGGESTS : 'Supports Markdown.'}
        busy={comment.isPending}
        problem={comment.error}
        onCancel={onClose}
        onSubmit={(body) =>
          comment.mutate(
            { body, position: getPosition(refs, file, line, begins) },
            {
              onSuccess: (done) => {
                onClose();
                onSaid(resultMessage(done, 'Thread started.'));
              },
            },
          )
        }
      >
        {above.length > 0 && (
          <Select
            label="Start line"
            name="first_line"
            none="this line only"
            choices={above.map((one) => ({ value: lineKey(file, one), label: formatLine(one) }))}
            value={first}
            onChoose={setFirst}
          />
        )}
      </NoteForm>
    </Card>
  );
}
