import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../look/Button.js';
import { Check } from '../look/Check.js';
import { Empty } from '../look/Empty.js';
import { Card, Section } from '../look/Page.js';
import { Problem } from '../look/Problem.js';
import { Said } from '../look/Said.js';
import { State } from '../look/State.js';
import { LoadingRows } from '../look/Table.js';
import styles from './Threads.module.css';
import type { Noteable } from './noteable.js';
import { NoteForm } from './NoteForm.js';
import { threadsQuery, useComment, useResolve } from './threads.js';
import type { ShownThread } from './threads.js';
import { ThreadNote } from './ThreadNote.js';

const COMMANDS = 'Markdown. Lines such as /close, /label ~bug or /assign me are commands.';

/** What is said about something, and the form to say more. */
export function Threads({ of }: { of: Noteable }) {
  const threads = useInfiniteQuery(threadsQuery(of));
  const [said, setSaid] = useState('');
  const pages = threads.data?.pages ?? [];
  const shown = pages.flatMap(({ discussions }) => discussions.nodes);
  const noteableId = pages[0]?.id;
  return (
    <Section title="Comments">
      <Said>{said}</Said>
      {threads.error && <Problem error={threads.error} retry={() => void threads.refetch()} />}
      {threads.isPending && <LoadingRows label="Loading comments" />}
      {threads.isSuccess && shown.length === 0 && <Empty>Nobody has said anything yet.</Empty>}
      {shown.length > 0 && (
        <ol className={styles.threads} aria-label="Comments, the first one first">
          {shown.map((thread) => (
            <li key={thread.id}>
              <Thread of={of} noteableId={noteableId ?? ''} thread={thread} onSaid={setSaid} />
            </li>
          ))}
        </ol>
      )}
      {threads.hasNextPage && (
        <div>
          <Button busy={threads.isFetchingNextPage} onClick={() => void threads.fetchNextPage()}>
            Show more comments
          </Button>
        </div>
      )}
      {noteableId !== undefined && <NewComment of={of} noteableId={noteableId} onSaid={setSaid} />}
    </Section>
  );
}

interface ThreadProps {
  of: Noteable;
  noteableId: string;
  thread: ShownThread;
  onSaid: (said: string) => void;
}

function Thread({ of, noteableId, thread, onSaid }: ThreadProps) {
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
  // What the service tells is one line, until somebody answers it.
  if (!first || (first.system && thread.notes.nodes.length === 1)) return notes;
  return (
    <Card>
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

const wordsOf = (done: readonly string[], otherwise: string) => (done.length > 0 ? done.join(' ') : otherwise);

function ThreadActions({ of, noteableId, thread, onSaid }: ThreadProps) {
  const [replying, setReplying] = useState(false);
  const comment = useComment(of);
  const resolution = useResolve(of);
  const said = (words: string) => {
    setReplying(false);
    onSaid(words);
  };
  return (
    <div className={styles.reply}>
      {resolution.error && <Problem error={resolution.error} />}
      {replying ? (
        <NoteForm
          label="Reply"
          submit="Send the reply"
          busy={comment.isPending}
          problem={comment.error}
          onCancel={() => setReplying(false)}
          onSubmit={(body) =>
            comment.mutate(
              { noteableId, body, discussionId: thread.id },
              { onSuccess: (done) => said(wordsOf(done, 'The reply is sent.')) },
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
                  { onSuccess: () => said(thread.resolved ? 'The thread is open again.' : 'The thread is resolved.') },
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

function NewComment({ of, noteableId, onSaid }: Omit<ThreadProps, 'thread'>) {
  const comment = useComment(of);
  const [round, setRound] = useState(0);
  return (
    <Card>
      <NoteForm
        // Emptied once it was taken.
        key={round}
        label="Comment"
        submit="Send the comment"
        hint={COMMANDS}
        busy={comment.isPending}
        problem={comment.error}
        onSubmit={(body, values) =>
          comment.mutate(
            { noteableId, body, thread: values.get('thread') !== null },
            {
              onSuccess: (done) => {
                setRound(round + 1);
                onSaid(wordsOf(done, 'The comment is sent.'));
              },
            },
          )
        }
      >
        <Check label="Start a thread" name="thread" hint="It can be answered, and resolved." />
      </NoteForm>
    </Card>
  );
}
