import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { Check } from '../../../ui/Check.js';
import { Empty } from '../../../ui/Empty.js';
import { Card, Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Said } from '../../../ui/Said.js';
import { LoadingRows } from '../../../ui/Table.js';
import { useSession } from '../../../data/session.js';
import styles from './Threads.module.css';
import type { Noteable } from './noteable.js';
import { NoteForm } from './NoteForm.js';
import { Thread, resultMessage } from './Thread.js';
import type { ThreadProps } from './Thread.js';
import { threadsQuery, useComment } from './threads.js';
import { useTypedThreads } from './typed-threads.js';

/** The threads of a noteable, and the form for a new comment. */
export function Threads({ of }: { of: Noteable }) {
  const threads = useInfiniteQuery(threadsQuery(of));
  const [said, setSaid] = useState('');
  const pages = threads.data?.pages ?? [];
  const visibleThreads = useTypedThreads(threads.data);
  const noteableId = pages[0]?.id;
  return (
    <Section title="Comments">
      <Said>{said}</Said>
      {threads.error && <Problem error={threads.error} retry={() => void threads.refetch()} />}
      {threads.isPending && <LoadingRows label="Loading comments" />}
      {threads.isSuccess && visibleThreads.length === 0 && <Empty>No comments yet.</Empty>}
      {visibleThreads.length > 0 && (
        <ol className={styles.threads} aria-label="Comments, oldest first">
          {visibleThreads.map((thread) => (
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

function NewComment({ of, noteableId, onSaid }: Omit<ThreadProps, 'thread'>) {
  const comment = useComment(of);
  const [round, setRound] = useState(0);
  return (
    <Card>
      <NoteForm
        // A new key clears the form after the comment is accepted.
        key={round}
        label="Comment"
        submit="Add comment"
        hint={of.hint}
        busy={comment.isPending}
        problem={comment.error}
        onSubmit={(body, values) =>
          comment.mutate(
            { noteableId, body, thread: values.get('thread') !== null },
            {
              onSuccess: (done) => {
                setRound(round + 1);
                onSaid(resultMessage(done, 'Comment added.'));
              },
            },
          )
        }
      >
        <Check
          label="Start a thread"
          name="thread"
          hint={of.resolvable ? 'Others can reply to it and resolve it.' : 'Others can reply to it.'}
        />
      </NoteForm>
    </Card>
  );
}

/** The threads of a noteable, which the API returns only to signed-in users (discussions-and-notes.md section 1). */
export function ThreadsForSignedIn({ of }: { of: Noteable }) {
  const { data: session } = useSession();
  const { pathname } = useLocation();
  if (!session) return null;
  if (session.user) return <Threads of={of} />;
  const signIn = `/users/sign_in?${new URLSearchParams({ redirect_to: pathname })}`;
  return (
    <Section title="Comments">
      <Empty action={<ButtonLink to={signIn}>Sign in</ButtonLink>}>Sign in to see comments.</Empty>
    </Section>
  );
}
