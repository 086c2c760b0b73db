import { mergeRequestsPath } from '../../../app/routing/paths.js';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../../ui/Button.js';
import { Card } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { State } from '../../../ui/State.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import type { Noteable } from './noteable.js';
import { NoteForm } from './NoteForm.js';
import { ThreadNote } from './ThreadNote.js';
import styles from './Threads.module.css';
import { useComment, useResolve } from './threads.js';
import type { NotePosition, DiscussionThread } from './threads.js';
import { useTyped } from './typed-threads.js';

export interface ThreadProps {
  of: Noteable;
  noteableId: string;
  thread: DiscussionThread;
  onSaid: (said: string) => void;
  /** Whether it is displayed at its position in the diff. */
  inline?: boolean;
}

/** A thread: a comment or system note, and its replies. */
export function Thread({ of, noteableId, thread, onSaid, inline = false }: ThreadProps) {
  const [first] = thread.notes.nodes;
  const notes = (
    <ol className={styles.notes}>
      {thread.notes.nodes.map((note) => (
        <li key={note.id}>
          <ThreadNote of={of} note={note} onSaid={onSaid} />
        </li>
      ))}
    </ol>
  );
  // A system note is one line, until it has a reply.
  if (!first || (first.system && thread.notes.nodes.length === 1)) return notes;
  return (
    <Card>
      {first.position && !inline && <PositionLink of={of} position={first.position} />}
      {thread.resolved && (
        <p>
          <State tone="good">{`resolved${thread.resolvedBy ? ` by ${thread.resolvedBy.name}` : ''}`}</State>
        </p>
      )}
      {notes}
      {first.userPermissions.createNote && (
        <ThreadActions of={of} noteableId={noteableId} thread={thread} onSaid={onSaid} />
      )}
    </Card>
  );
}

/** The lines of a thread's position as text; null if it is not on lines. */
export function formatLines({ newLine, oldLine, lineRange }: NotePosition): string | null {
  const last = newLine ?? oldLine;
  if (last === null) return null;
  const first = lineRange && (lineRange.start.newLine ?? lineRange.start.oldLine);
  return first === null || first === last ? `line ${last}` : `lines ${first} to ${last}`;
}

/** The position of a thread in the diff, as a link. */
function PositionLink({ of, position }: { of: Noteable; position: NotePosition }) {
  const { filePath } = position;
  const lines = formatLines(position);
  return (
    <p className={styles.position}>
      On{' '}
      <Link to={mergeRequestsPath(of.path, of.iid, 'diffs')}>
        <code>
          <UnbrokenText>{filePath}</UnbrokenText>
        </code>
      </Link>
      {lines !== null && `, ${lines}`}
    </p>
  );
}

/** What commands did, else what became of the comment. */
export const resultMessage = (done: readonly string[], otherwise: string) =>
  done.length > 0 ? done.join(' ') : otherwise;

function ThreadActions({ of, noteableId, thread, onSaid }: ThreadProps) {
  const [replying, setReplying] = useState(false);
  const comment = useComment(of);
  const resolution = useResolve(of);
  useTyped(thread.id, replying);
  const said = (message: string) => {
    setReplying(false);
    onSaid(message);
  };
  return (
    <div className={styles.reply}>
      {resolution.error && <Problem error={resolution.error} />}
      {replying ? (
        <NoteForm
          label="Reply"
          submit="Add reply"
          busy={comment.isPending}
          problem={comment.error}
          onCancel={() => setReplying(false)}
          onSubmit={(body) =>
            comment.mutate(
              { noteableId, body, discussionId: thread.id },
              { onSuccess: (done) => said(resultMessage(done, 'Reply added.')) },
            )
          }
        />
      ) : (
        <div className={styles.actions}>
          <Button onClick={() => setReplying(true)}>Reply</Button>
          {thread.resolvable && thread.userPermissions.resolveNote && (
            <Button
              busy={resolution.isPending}
              onClick={() =>
                resolution.mutate(
                  { id: thread.id, resolve: !thread.resolved },
                  { onSuccess: () => said(thread.resolved ? 'Thread reopened.' : 'Thread resolved.') },
                )
              }
            >
              {thread.resolved ? 'Reopen thread' : 'Resolve thread'}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
