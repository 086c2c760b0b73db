import { useState } from 'react';
import type { FileDiff } from '../client/api.js';
import type { DiffLine } from '../diffs/lines.js';
import type { PlacedThread } from '../diffs/place-threads.js';
import { lineWords } from '../diffs/talk.js';
import { NoteForm } from '../discussions/NoteForm.js';
import { Thread, wordsOf } from '../discussions/Thread.js';
import type { Noteable } from '../discussions/noteable.js';
import { useLineComment } from '../discussions/threads.js';
import type { WantedPosition } from '../discussions/threads.js';
import { Card } from '../look/Page.js';
import { Said } from '../look/Said.js';
import type { ShownRequest } from './queries.js';
import styles from './RequestActions.module.css';
import { Suggestions } from './Suggestions.js';

/** Of which merge request a diff is, and between which commits. */
export interface TalkPlace {
  of: Noteable;
  noteableId: string;
  refs: ShownRequest['diff_refs'];
  request: ShownRequest;
}

interface LineTalkProps {
  place: TalkPlace;
  threads: readonly PlacedThread[];
  /** The line of which something is being written. */
  writing: { file: FileDiff; line: DiffLine; onClose: () => void } | null;
  /** Whether they are shown where they stand. */
  placed?: boolean;
}

/** The threads of one line, and the form to start another one. */
export function LineTalk({ place, threads, writing, placed = true }: LineTalkProps) {
  const [said, setSaid] = useState('');
  return (
    <>
      <Said>{said}</Said>
      {threads.map(({ thread }) => (
        <div key={thread.id} className={styles.together}>
          <Thread of={place.of} noteableId={place.noteableId} thread={thread} onSaid={setSaid} placed={placed} />
          <Suggestions place={place} thread={thread} onSaid={setSaid} />
        </div>
      ))}
      {writing && <LineForm place={place} {...writing} onSaid={setSaid} />}
    </>
  );
}

/** A line as the API names it: an added one by its number after, a removed one by that before, others by both. */
function positionOf(refs: TalkPlace['refs'], file: FileDiff, { before, after }: DiffLine): WantedPosition {
  return {
    headSha: refs?.head_sha ?? '',
    baseSha: refs?.base_sha ?? null,
    startSha: refs?.start_sha ?? '',
    paths: { oldPath: file.old_path, newPath: file.new_path },
    oldLine: before,
    newLine: after,
  };
}

interface LineFormProps {
  place: TalkPlace;
  file: FileDiff;
  line: DiffLine;
  onClose: () => void;
  onSaid: (said: string) => void;
}

function LineForm({ place: { of, noteableId, refs }, file, line, onClose, onSaid }: LineFormProps) {
  const comment = useLineComment(of);
  return (
    <Card>
      <NoteForm
        focusFirst
        label={`Comment on ${lineWords(line)}`}
        submit="Start a thread"
        hint={'Markdown. A block that begins with ```suggestion proposes other text for the line.'}
        busy={comment.isPending}
        problem={comment.error}
        onCancel={onClose}
        onSubmit={(body) =>
          comment.mutate(
            { noteableId, body, position: positionOf(refs, file, line) },
            {
              onSuccess: (done) => {
                onClose();
                onSaid(wordsOf(done, 'The thread is started.'));
              },
            },
          )
        }
      />
    </Card>
  );
}
