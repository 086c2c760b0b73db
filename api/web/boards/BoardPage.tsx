import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { useLive } from '../client/live.js';
import { liveParams } from '../containers/address.js';
import type { Container } from '../containers/address.js';
import { Page } from '../look/Page.js';
import { Problem } from '../look/Problem.js';
import { Refused } from '../look/Refused.js';
import { Said } from '../look/Said.js';
import { LoadingRows } from '../look/Table.js';
import { Whole } from '../look/Whole.js';
import { useMayWrite } from '../members/rights.js';
import { AddList } from './AddList.js';
import { boardsOf } from './address.js';
import { BoardActions, RenameBoard } from './BoardActions.js';
import styles from './Board.module.css';
import { useMove, useMoveList, useRemoveList } from './changes.js';
import type { Move } from './changes.js';
import { laneKey, laneName, lanesOf, nameOf } from './lanes.js';
import type { Board, Lane } from './lanes.js';
import { LaneColumn } from './LaneColumn.js';
import { boardQuery, followsOf } from './queries.js';

/** `…/-/boards/<id>`: the columns of a board, each with its first issues. `?edit=1` shows the form of its name. */
export function BoardPage({ of, id }: { of: Container; id: number }) {
  const found = useQuery(boardQuery(of, id));
  useLive(found.data ? liveParams(of) : null, followsOf(of));
  const refused = found.error && <Refused what="Boards" error={found.error} retry={() => void found.refetch()} />;
  if (!found.data)
    return (
      <Page title="Board" lead={<Whole>{of.path}</Whole>}>
        {refused ?? <LoadingRows label="Loading the board" rows={6} />}
      </Page>
    );
  return <BoardView of={of} board={found.data} refused={refused} />;
}

interface BoardViewProps {
  of: Container;
  board: Board;
  /** Of looking again. */
  refused: React.ReactNode;
}

function BoardView({ of, board, refused }: BoardViewProps) {
  const arrived = (useLocation().state as { said?: string } | null)?.said ?? '';
  const [said, setSaid] = useState(arrived);
  const mayMove = useMayWrite(of);
  const [search, setSearch] = useSearchParams();
  const renaming = mayMove && search.has('edit');
  const moving = useMove(board);
  const removal = useRemoveList(of, board.id);
  const order = useMoveList(of, board.id);
  const lanes = lanesOf(board);
  const error = moving.error ?? removal.error ?? order.error;
  const move = (change: Move) =>
    moving.mutate(change, {
      onSuccess: () => setSaid(`${nameOf(of.kind, change.issue)} is in “${laneName(change.to)}” now.`),
      onError: () => setSaid(''),
    });
  const moveList = (lane: Lane, position: number) => {
    if (lane.kind === 'list')
      order.mutate(
        { list: lane.list.id, position },
        {
          onSuccess: () => setSaid(`The list “${laneName(lane)}” is number ${position + 1} of ${board.lists.length}.`),
          onError: () => setSaid(''),
        },
      );
  };
  return (
    <Page
      title={board.name}
      lead={
        <Link to={boardsOf(of)}>
          <Whole>{`Boards of ${of.path}`}</Whole>
        </Link>
      }
    >
      <Said>{renaming ? '' : said}</Said>
      {refused}
      {mayMove && !renaming && <BoardActions of={of} board={board} />}
      {renaming && (
        <RenameBoard
          of={of}
          board={board}
          onDone={(words) => {
            setSaid(words);
            setSearch({}, { replace: true });
          }}
        />
      )}
      {error && <Problem error={error} />}
      <div className={styles.board}>
        {lanes.map((lane) => (
          <LaneColumn
            key={laneKey(lane)}
            of={of}
            board={board}
            lane={lane}
            lanes={lanes}
            mayMove={mayMove}
            busy={moving.isPending}
            onMove={move}
            onReposition={mayMove && lane.kind === 'list' ? (position) => moveList(lane, position) : null}
            onRemove={
              mayMove && lane.kind === 'list'
                ? () =>
                    removal.mutate(lane.list.id, {
                      onSuccess: () => setSaid(`The list “${laneName(lane)}” is taken out. Its issues stay.`),
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
