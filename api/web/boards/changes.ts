import { useQueryClient } from '@tanstack/react-query';
import { api, taken } from '../client/api.js';
import type { ListedIssue } from '../client/api.js';
import { useMutation } from '../client/mutation.js';
import type { Container } from '../containers/address.js';
import { ISSUES } from '../issues/queries.js';
import { changeOf } from './lanes.js';
import type { Board, Lane } from './lanes.js';
import { BOARDS } from './queries.js';

/** After a change, and after a refusal, what boards show is asked for again. */
function useBoardChange<In, Out>(change: (given: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: [BOARDS] }),
  });
}

export const useCreateBoard = ({ kind, path }: Container) =>
  useBoardChange((name: string) => {
    const params = { path: { id: path } };
    const body = { name };
    return taken(
      kind === 'project'
        ? api.POST('/projects/{id}/boards', { params, body })
        : api.POST('/groups/{id}/boards', { params, body }),
    );
  });

/** Adds a list of the issues that have a label. */
export const useAddList = ({ kind, path }: Container, board: number) =>
  useBoardChange((label: number) => {
    const params = { path: { id: path, board_id: board } };
    const body = { label_id: label };
    return taken(
      kind === 'project'
        ? api.POST('/projects/{id}/boards/{board_id}/lists', { params, body })
        : api.POST('/groups/{id}/boards/{board_id}/lists', { params, body }),
    );
  });

/** Takes a list out; its issues stay as they are. */
export const useRemoveList = ({ kind, path }: Container, board: number) =>
  useBoardChange((list: number): Promise<unknown> => {
    const params = { path: { id: path, board_id: board, list_id: list } };
    const answer: Promise<{ data?: unknown; error?: unknown; response: Response }> =
      kind === 'project'
        ? api.DELETE('/projects/{id}/boards/{board_id}/lists/{list_id}', { params })
        : api.DELETE('/groups/{id}/boards/{board_id}/lists/{list_id}', { params });
    return taken(answer);
  });

/** An issue, and between which columns it goes. */
export interface Move {
  issue: ListedIssue;
  from: Lane;
  to: Lane;
}

export function useMove(board: Board) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ issue, from, to }: Move) =>
      taken(
        api.PUT('/projects/{id}/issues/{issue_iid}', {
          params: { path: { id: String(issue.project_id), issue_iid: issue.iid } },
          body: changeOf(board, issue, from, to),
        }),
      ),
    onSettled: () => Promise.all([BOARDS, ISSUES].map((first) => queries.invalidateQueries({ queryKey: [first] }))),
  });
}
