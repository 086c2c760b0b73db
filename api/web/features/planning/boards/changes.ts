import { useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import type { ListedIssue } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import type { Container } from '../../../data/containers.js';
import { ISSUES } from '../issues/index.js';
import { getChange } from './columns.js';
import type { Board, Column } from './columns.js';
import { BOARDS } from './queries.js';
import type { ListKind } from './queries.js';

/** After each change, successful or refused, the queries of boards are refetched. */
function useBoardChange<In, Out>(change: (variables: In) => Promise<Out>) {
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
    return unwrap(
      kind === 'project'
        ? api.POST('/projects/{id}/boards', { params, body })
        : api.POST('/groups/{id}/boards', { params, body }),
    );
  });

/** Creates the first board where there is none yet. */
export const useOpenBoards = ({ kind, path }: Container) =>
  useBoardChange<void, unknown>(() => {
    const params = { path: { id: path } };
    return unwrap(
      kind === 'project'
        ? api.POST('/projects/{id}/boards/open', { params })
        : api.POST('/groups/{id}/boards/open', { params }),
    );
  });

/** Changes the name alone. */
export const useRenameBoard = ({ kind, path }: Container, board: number) =>
  useBoardChange((name: string) => {
    const params = { path: { id: path, board_id: board } };
    const body = { name };
    return unwrap(
      kind === 'project'
        ? api.PUT('/projects/{id}/boards/{board_id}', { params, body })
        : api.PUT('/groups/{id}/boards/{board_id}', { params, body }),
    );
  });

/** The board itself is not refetched. */
export function useDeleteBoard({ kind, path }: Container, board: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const params = { path: { id: path, board_id: board } };
      const answer: Promise<{ data?: unknown; error?: unknown; response: Response }> =
        kind === 'project'
          ? api.DELETE('/projects/{id}/boards/{board_id}', { params })
          : api.DELETE('/groups/{id}/boards/{board_id}', { params });
      return unwrap(answer);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [BOARDS], refetchType: 'none' }),
  });
}

/** Adds a list of the issues with a label, a milestone or an assignee. */
export const useAddList = ({ kind, path }: Container, board: number) =>
  useBoardChange(({ of, id }: { of: ListKind; id: number }) => {
    const params = { path: { id: path, board_id: board } };
    const body = { [`${of}_id`]: id };
    return unwrap(
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
    return unwrap(answer);
  });

/** Puts a list at another position among the lists, counted from 0. */
export const useMoveList = ({ kind, path }: Container, board: number) =>
  useBoardChange(({ list, position }: { list: number; position: number }) => {
    const params = { path: { id: path, board_id: board, list_id: list } };
    const body = { position };
    return unwrap(
      kind === 'project'
        ? api.PUT('/projects/{id}/boards/{board_id}/lists/{list_id}', { params, body })
        : api.PUT('/groups/{id}/boards/{board_id}/lists/{list_id}', { params, body }),
    );
  });

/** An issue, and between which columns it goes. */
export interface Move {
  issue: ListedIssue;
  from: Column;
  to: Column;
}

export function useMove(board: Board) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ issue, from, to }: Move) =>
      unwrap(
        api.PUT('/projects/{id}/issues/{issue_iid}', {
          params: { path: { id: String(issue.project_id), issue_iid: issue.iid } },
          body: getChange(board, issue, from, to),
        }),
      ),
    onSettled: () => Promise.all([BOARDS, ISSUES].map((first) => queries.invalidateQueries({ queryKey: [first] }))),
  });
}
