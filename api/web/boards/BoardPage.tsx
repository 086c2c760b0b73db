import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useLive } from '../client/live.js';
import { livePlace } from '../containers/address.js';
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
import styles from './Board.module.css';
import { useMove, useRemoveList } from './changes.js';
import type { Move } from './changes.js';
import { laneKey, laneName, lanesOf, nameOf } from './lanes.js';
import type { Board } from './lanes.js';
import { LaneColumn } from './LaneColumn.js';
import { boardQuery, followsOf } from './queries.js';

/** `…/-/boards/<id>`: the columns of a board, each with its first issues. */
export function BoardPage({ of, id }: { of: Container; id: number }) {
  const found = useQuery(boardQuery(of, id));
  useLive(found.data ? livePlace(of) : null, followsOf(of));
  const refused = found.error && <Refused what="Boards" error={found.error} retry={() => void found.refetch()} />;
  if (!found.data)
    return (
      <Page title="Board" lead={<Whole>{of.path}</Whole>}>
        {refused ?? <LoadingRows label="Loading the board" rows={6} />}
      </Page>
    );
  return <Shown of={of} board={found.data} refused={refused} />;
}

interface ShownProps {
  of: Container;
  board: Board;
  /** Of looking again. */
  refused: React.ReactNode;
}

function Shown({ of, board, refused }: ShownProps) {
  const arrived = (useLocation().state as { said?: string } | null)?.said ?? '';
  const [said, setSaid] = useState(arrived);
  const mayMove = useMayWrite(of);
  const moving = useMove(board);
  const removal = useRemoveList(of, board.id);
  const lanes = lanesOf(board);
  const error = moving.error ?? removal.error;
  const move = (wanted: Move) =>
    moving.mutate(wanted, {
      onSuccess: () => setSaid(`${nameOf(of.kind, wanted.issue)} is in “${laneName(wanted.to)}” now.`),
      onError: () => setSaid(''),
    });
  return (
    <Page
      title={board.name}
      lead={
        <Link to={boardsOf(of)}>
          <Whole>{`Boards of ${of.path}`}</Whole>
        </Link>
      }
    >
      <Said>{said}</Said>
      {refused}
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
