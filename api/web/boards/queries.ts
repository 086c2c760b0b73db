import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, pageTaken, taken } from '../client/api.js';
import type { Container } from '../containers/address.js';
import { hasLabelDetails } from '../issues/queries.js';
import { isIn, laneFilter, laneKey } from './lanes.js';
import type { Board, Lane } from './lanes.js';

/** First word of the keys of everything here; kind and path of the project or group follow. */
export const BOARDS = 'boards';

/** What is asked for anew where boards or their lists changed: columns that are new ask for their issues by themselves. */
export const boardFollowsOf = ({ kind, path }: Container) => ({
  [kind === 'project' ? 'boards' : 'group_boards']: ['list', 'board'].map((part) => [BOARDS, kind, path, part]),
});

/** The same, and where issues changed that may stand on a board. */
export const followsOf = (of: Container) => {
  const lanes = [[BOARDS, of.kind, of.path, 'issues']];
  return { ...boardFollowsOf(of), issues: lanes, confidential_issues: lanes };
};

const PER_PAGE = 20;

/** A page of the boards of a project or group. */
export const boardsQuery = ({ kind, path }: Container, page: number) =>
  queryOptions({
    queryKey: [BOARDS, kind, path, 'list', page],
    queryFn: () => {
      const params = { params: { path: { id: path }, query: { page, per_page: PER_PAGE } } };
      return pageTaken(
        kind === 'project' ? api.GET('/projects/{id}/boards', params) : api.GET('/groups/{id}/boards', params),
      );
    },
  });

/** One board with its lists. */
export const boardQuery = ({ kind, path }: Container, id: number) =>
  queryOptions({
    queryKey: [BOARDS, kind, path, 'board', id],
    queryFn: () => {
      const params = { path: { id: path, board_id: id } };
      return taken(
        kind === 'project'
          ? api.GET('/projects/{id}/boards/{board_id}', { params })
          : api.GET('/groups/{id}/boards/{board_id}', { params }),
      );
    },
  });

/** The issues in a column of a board, in the order in which they were put, the closed ones the last closed first. */
export const laneQuery = ({ kind, path }: Container, board: Board, lane: Lane) =>
  infiniteQueryOptions({
    queryKey: [BOARDS, kind, path, 'issues', board.id, laneKey(lane), board.lists.map(({ id }) => id)],
    initialPageParam: 1,
    queryFn: async ({ pageParam: page }) => {
      const { not, ...filter } = laneFilter(board, lane);
      const order =
        lane.kind === 'closed'
          ? ({ order_by: 'updated_at', sort: 'desc' } as const)
          : ({ order_by: 'relative_position', sort: 'asc' } as const);
      // Lists within are said as one text: the client writes no lists into lists.
      const without = not ? { not: not as object } : {};
      const query = { ...filter, ...without, ...order, with_labels_details: true, page, per_page: PER_PAGE } as const;
      const params = { params: { path: { id: path }, query } };
      const found = await pageTaken(
        kind === 'project' ? api.GET('/projects/{id}/issues', params) : api.GET('/groups/{id}/issues', params),
      );
      const rows = found.rows.filter(hasLabelDetails).filter((issue) => isIn(board, lane, issue));
      return { ...found, rows };
    },
    getNextPageParam: ({ next }) => next,
  });

const LABELS = 100;

/** The labels that lists can be of; those of groups above among them. */
export const labelsQuery = ({ kind, path }: Container) =>
  queryOptions({
    queryKey: [BOARDS, kind, path, 'labels'],
    queryFn: (): Promise<{ id: number; name: string }[]> => {
      const query = { include_ancestor_groups: true, archived: false, per_page: LABELS };
      const params = { params: { path: { id: path }, query } };
      return taken<{ id: number; name: string }[]>(
        kind === 'project' ? api.GET('/projects/{id}/labels', params) : api.GET('/groups/{id}/labels', params),
      );
    },
  });
