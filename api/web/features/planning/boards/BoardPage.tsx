import { liveParams } from '../../../data/containers.js';
import { boardsPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { useLive } from '../../../data/live.js';
import type { Container } from '../../../data/containers.js';
import { Page } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { Said } from '../../../ui/Said.js';
import { LoadingRows } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useMayWrite } from '../../../data/member-rights.js';
import { AddList } from './AddList.js';
import { BoardActions, RenameBoard } from './BoardActions.js';
import styles from './Board.module.css';
import { useMove, useMoveList, useRemoveList } from './changes.js';
import type { Move } from './changes.js';
import { columnKey, columnName, getColumns, getName } from './columns.js';
import type { Board, Column } from './columns.js';
import { BoardColumn } from './BoardColumn.js';
import { boardQuery, getLiveQueries } from './queries.js';

/** `…/-/boards/<id>`: the columns of a board, each with its first issues. `?edit=1` shows the form of its name. */
export default function BoardPage({ of, id }: { of: Container; id: number }) {
  const found = useQuery(boardQuery(of, id));
  useLive(found.data ? liveParams(of) : null, getLiveQueries(of));
  const loadError = found.error && <LoadError what="Boards" error={found.error} retry={() => void found.refetch()} />;
  if (!found.data)
    return (
      <Page title="Board" lead={<UnbrokenText>{of.path}</UnbrokenText>}>
        {loadError ?? <LoadingRows label="Loading board" rows={6} />}
      </Page>
    );
  return <BoardView of={of} board={found.data} loadError={loadError} />;
}

interface BoardViewProps {
  of: Container;
  board: Board;
  /** Of looking again. */
  loadError: React.ReactNode;
}

function BoardView({ of, board, loadError }: BoardViewProps) {
  const arrived = (useLocation().state as { said?: string } | null)?.said ?? '';
  const [said, setSaid] = useState(arrived);
  const mayMove = useMayWrite(of);
  const [search, setSearch] = useSearchParams();
  const renaming = mayMove && search.has('edit');
  const moving = useMove(board);
  const removal = useRemoveList(of, board.id);
  const order = useMoveList(of, board.id);
  const columns = getColumns(board);
  const error = moving.error ?? removal.error ?? order.error;
  const move = (change: Move) =>
    moving.mutate(change, {
      onSuccess: () => setSaid(`Moved ${getName(of.kind, change.issue)} to “${columnName(change.to)}”.`),
      onError: () => setSaid(''),
    });
  const moveList = (column: Column, position: number) => {
    if (column.kind === 'list')
      order.mutate(
        { list: column.list.id, position },
        {
          onSuccess: () =>
            setSaid(`Moved list “${columnName(column)}” to position ${position + 1} of ${board.lists.length}.`),
          onError: () => setSaid(''),
        },
      );
  };
  return (
    <Page
      title={board.name}
      lead={
        <Link to={boardsPath(of)}>
          <UnbrokenText>{`Boards in ${of.path}`}</UnbrokenText>
        </Link>
      }
    >
      <Said>{renaming ? '' : said}</Said>
      {loadError}
      {mayMove && !renaming && <BoardActions of={of} board={board} />}
      {renaming && (
        <RenameBoard
          of={of}
          board={board}
          onDone={(message) => {
            setSaid(message);
            setSearch({}, { replace: true });
          }}
        />
      )}
      {error && <Problem error={error} />}
      <div className={styles.board}>
        {columns.map((column) => (
          <BoardColumn
            key={columnKey(column)}
            of={of}
            board={board}
            column={column}
            columns={columns}
            mayMove={mayMove}
            busy={moving.isPending}
            onMove={move}
            onReposition={mayMove && column.kind === 'list' ? (position) => moveList(column, position) : null}
            onRemove={
              mayMove && column.kind === 'list'
                ? () =>
                    removal.mutate(column.list.id, {
                      onSuccess: () => setSaid(`List “${columnName(column)}” removed. Its issues are not affected.`),
                    })
                : null
            }
          />
        ))}
      </div>
      {mayMove && <AddList of={of} board={board} onDone={setSaid} />}
    </Page>
  );
}
