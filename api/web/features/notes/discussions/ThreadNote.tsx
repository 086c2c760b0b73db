import { useState } from 'react';
import { Button } from '../../../ui/Button.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { Html } from '../../../ui/Html.js';
import { State } from '../../../ui/State.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import styles from './Threads.module.css';
import type { Noteable } from './noteable.js';
import { NoteForm } from './NoteForm.js';
import { useDeleteNote, useEditNote } from './threads.js';
import type { DiscussionNote } from './threads.js';
import { useTyped } from './typed-threads.js';

interface ThreadNoteProps {
  of: Noteable;
  note: DiscussionNote;
  onSaid: (said: string) => void;
}

const getName = ({ author }: DiscussionNote) => author?.name ?? 'Deleted user';

/** Distinguishes comments of the same author. */
const getNumber = ({ id }: DiscussionNote): string => id.slice(id.lastIndexOf('/') + 1);

/** A system note as plain text: the API marks changed text as `**{-Old-}**`, other text as `**ready**`. */
const formatSystemNote = ({ body }: DiscussionNote) =>
  body.replaceAll(/\*\*\{([-+])(.*?)\1\}\*\*/g, '“$2”').replaceAll(/\*\*(\w+)\*\*/g, '$1');

/** One comment or system note. */
export function ThreadNote({ of, note, onSaid }: ThreadNoteProps) {
  const [editing, setEditing] = useState(false);
  const edit = useEditNote(of);
  useTyped(note.id, editing);
  if (note.system)
    return (
      <p className={styles.notice}>
        <UnbrokenText>{`${getName(note)} ${formatSystemNote(note)}`}</UnbrokenText> · <Time at={note.createdAt} />
      </p>
    );
  return (
    <article aria-label={`Comment by ${getName(note)}`}>
      <p className={styles.head}>
        <span className={styles.author}>
          <UnbrokenText>{getName(note)}</UnbrokenText>
        </span>
        <Time at={note.createdAt} />
        {note.lastEditedAt && (
          <span>
            edited <Time at={note.lastEditedAt} />
          </span>
        )}
        {note.internal && <State tone="warn">internal</State>}
      </p>
      {editing ? (
        <NoteForm
          label="Edit comment"
          submit="Save"
          body={note.body}
          busy={edit.isPending}
          problem={edit.error}
          onCancel={() => setEditing(false)}
          onSubmit={(body) =>
            edit.mutate(
              { id: note.id, body },
              {
                onSuccess: () => {
                  setEditing(false);
                  onSaid('Comment saved.');
                },
              },
            )
          }
        />
      ) : (
        <>
          <Html label={`Text of comment ${getNumber(note)} by ${getName(note)}`} html={note.bodyHtml ?? ''} />
          {note.userPermissions.adminNote && (
            <NoteActions of={of} note={note} onEdit={() => setEditing(true)} onSaid={onSaid} />
          )}
        </>
      )}
    </article>
  );
}

function NoteActions({ of, note, onEdit, onSaid }: ThreadNoteProps & { onEdit: () => void }) {
  const [asking, setAsking] = useState(false);
  const removal = useDeleteNote(of);
  return (
    <div className={styles.quietly}>
      <Button kind="quiet" aria-label={`Edit comment by ${getName(note)}`} onClick={onEdit}>
        Edit
      </Button>
      <Button kind="quiet" aria-label={`Delete comment by ${getName(note)}`} onClick={() => setAsking(true)}>
        Delete
      </Button>
      {asking && (
        <Confirm
          title="Delete comment?"
          does="Delete"
          danger
          busy={removal.isPending}
          problem={removal.error}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            removal.mutate(note.id, {
              onSuccess: () => {
                setAsking(false);
                onSaid('Comment deleted.');
              },
            })
          }
        >
          <p>This can't be undone.</p>
        </Confirm>
      )}
    </div>
  );
}
