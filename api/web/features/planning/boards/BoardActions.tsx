import { boardsPath } from '../../../app/routing/paths.js';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useHold } from '../../../ui/hold.js';
import type { Container } from '../../../data/containers.js';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import rows from '../../../app/forms/Form.module.css';
import { Card } from '../../../ui/Page.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { BoardName } from './BoardName.js';
import { useDeleteBoard, useRenameBoard } from './changes.js';
import type { Board } from './columns.js';

interface BoardProps {
  of: Container;
  board: Board;
}

/** What Planners and above may do with a board as a whole. */
export function BoardActions({ of, board }: BoardProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <div className={rows.row}>
        <ButtonLink to="?edit=1">Rename</ButtonLink>
        <Button onClick={() => setAsking(true)}>Delete board</Button>
      </div>
      {asking && <DeleteDialog of={of} board={board} onClose={() => setAsking(false)} />}
    </>
  );
}

function DeleteDialog({ of, board, onClose }: BoardProps & { onClose: () => void }) {
  const navigate = useNavigate();
  const deletion = useDeleteBoard(of, board.id);
  return (
    <Confirm
      title="Delete board?"
      does="Delete board"
      danger
      busy={deletion.isPending}
      problem={deletion.error}
      onConfirm={() =>
        deletion.mutate(undefined, {
          onSuccess: () => void navigate(boardsPath(of), { state: { said: `Board “${board.name}” deleted.` } }),
        })
      }
      onClose={onClose}
    >
      <p>
        <UnbrokenText>{`“${board.name}”`}</UnbrokenText> and its lists will be deleted. Issues are not affected.
      </p>
    </Confirm>
  );
}

/** The form that gives a board another name. */
export function RenameBoard({ of, board, onDone }: BoardProps & { onDone: (said: string) => void }) {
  useHold();
  const change = useRenameBoard(of, board.id);
  return (
    <Card>
      <BoardName
        name={board.name}
        submit="Save"
        busy={change.isPending}
        problem={change.error}
        onSubmit={(name) => {
          if (name === board.name) return onDone('No changes.');
          change.mutate(name, { onSuccess: () => onDone(`Board renamed to “${name}”.`) });
        }}
      />
    </Card>
  );
}
