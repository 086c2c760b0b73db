import { liveParams } from '../../../data/containers.js';
import { boardsPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { useLive } from '../../../data/live.js';
import type { Container } from '../../../data/containers.js';
import { ButtonLink } from '../../../ui/Button.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Card, Page } from '../../../ui/Page.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import rows from '../../../ui/Rows.module.css';
import { Said } from '../../../ui/Said.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useMayWrite } from '../../../data/member-rights.js';
import { useSession } from '../../../data/session.js';
import { BoardName } from './BoardName.js';
import { useCreateBoard, useOpenBoards } from './changes.js';
import { columnName, getColumns } from './columns.js';
import { getBoardLiveQueries, boardsQuery } from './queries.js';

/** The level of who has no role: reading is enough. */
const NOBODY = 0;

/** `…/-/boards`: the boards of a project or group. `?new=1` shows the form of another one. */
export default function BoardIndex({ of }: { of: Container }) {
  const [search] = useSearchParams();
  const query = useQuery(boardsQuery(of, pageIn(search)));
  useLive(query.data ? liveParams(of) : null, getBoardLiveQueries(of));
  const mayCreate = useMayWrite(of);
  useFirstBoard(of, query.data?.rows.length === 0);
  const said = (useLocation().state as { said?: string } | null)?.said ?? '';
  const making = mayCreate && search.has('new');
  return (
    <Page title="Boards" action={mayCreate && !making && <ButtonLink to="?new=1">New board</ButtonLink>}>
      <Said>{said}</Said>
      {making && (
        <Card>
          <NewBoard of={of} />
        </Card>
      )}
      <RecordList
        title="Boards"
        query={query}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Board',
            cell: ({ id, name }) => (
              <Link className={rows.name} to={boardsPath(of, id)}>
                <UnbrokenText>{name}</UnbrokenText>
              </Link>
            ),
          },
          { title: 'Columns', cell: (board) => getColumns(board).map(columnName).join(', ') },
        ]}
        empty="No boards yet. A board shows issues in columns, by their progress."
      />
    </Page>
  );
}

/** The first visit to the boards creates one. */
function useFirstBoard(of: Container, none: boolean): void {
  const { isIdle, mutate } = useOpenBoards(of);
  const signedIn = Boolean(useSession().data?.user);
  const open = useMayWrite(of, NOBODY) && signedIn;
  useEffect(() => {
    if (open && none && isIdle) mutate();
  }, [open, none, isIdle, mutate]);
}

function NewBoard({ of }: { of: Container }) {
  const navigate = useNavigate();
  const creation = useCreateBoard(of);
  return (
    <BoardName
      submit="Create board"
      busy={creation.isPending}
      problem={creation.error}
      onSubmit={(attributes) =>
        creation.mutate(attributes, {
          onSuccess: ({ id, name }) =>
            void navigate(boardsPath(of, id), { state: { said: `Board “${name}” created.` } }),
        })
      }
    />
  );
}
