import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import type { Container } from '../../../data/containers.js';
import { hasLabelDetails } from '../issues/index.js';
import { isIn, columnFilter, columnKey } from './columns.js';
import type { Board, Column } from './columns.js';

/** First word of the keys of everything here; kind and path of the project or group follow. */
export const BOARDS = 'boards';

/** Queries that are refetched when boards or their lists change; new columns load their issues by themselves. */
export const getBoardLiveQueries = ({ kind, path }: Container) => ({
  [kind === 'project' ? 'boards' : 'group_boards']: ['list', 'board'].map((part) => [BOARDS, kind, path, part]),
});

/** The same, and those for changes of issues on a board. */
export const getLiveQueries = (of: Container) => {
  const issueKeys = [[BOARDS, of.kind, of.path, 'issues']];
  return { ...getBoardLiveQueries(of), issues: issueKeys, confidential_issues: issueKeys };
};

const PER_PAGE = 20;

/** A page of the boards of a project or group. */
export const boardsQuery = ({ kind, path }: Container, page: number) =>
  queryOptions({
    queryKey: [BOARDS, kind, path, 'list', page],
    queryFn: () => {
      const params = { params: { path: { id: path }, query: { page, per_page: PER_PAGE } } };
      return unwrapPage(
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
      return unwrap(
        kind === 'project'
          ? api.GET('/projects/{id}/boards/{board_id}', { params })
          : api.GET('/groups/{id}/boards/{board_id}', { params }),
      );
    },
  });

/** The issues in a column of a board, in the order in which they were put, the closed ones the last closed first. */
export const columnQuery = ({ kind, path }: Container, board: Board, column: Column) =>
  infiniteQueryOptions({
    queryKey: [BOARDS, kind, path, 'issues', board.id, columnKey(column), board.lists.map(({ id }) => id)],
    initialPageParam: 1,
    queryFn: async ({ pageParam: page }) => {
      const { not, ...filter } = columnFilter(board, column);
      const order =
        column.kind === 'closed'
          ? ({ order_by: 'updated_at', sort: 'desc' } as const)
          : ({ order_by: 'relative_position', sort: 'asc' } as const);
      // The nested filter is passed as one value: the client does not serialize lists within lists.
      const without = not ? { not: not as object } : {};
      const query = { ...filter, ...without, ...order, with_labels_details: true, page, per_page: PER_PAGE } as const;
      const params = { params: { path: { id: path }, query } };
      const found = await unwrapPage(
        kind === 'project' ? api.GET('/projects/{id}/issues', params) : api.GET('/groups/{id}/issues', params),
      );
      const rows = found.rows.filter(hasLabelDetails).filter((issue) => isIn(board, column, issue));
      return { ...found, rows };
    },
    getNextPageParam: ({ next }) => next,
  });

/** The API's maximum page size. */
const MOST_LISTABLES = 100;

/** What lists are of. */
export const LIST_KINDS = ['label', 'milestone', 'assignee'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** A possible subject of a list, with its display name. */
interface Listable {
  id: number;
  label: string;
}

const LISTABLES: Record<ListKind, (of: Container) => Promise<Listable[]>> = {
  async label({ kind, path }) {
    const query = { include_ancestor_groups: true, archived: false, per_page: MOST_LISTABLES };
    const params = { params: { path: { id: path }, query } };
    const found = await unwrap<{ id: number; name: string }[]>(
      kind === 'project' ? api.GET('/projects/{id}/labels', params) : api.GET('/groups/{id}/labels', params),
    );
    return found.map(({ id, name }) => ({ id, label: name }));
  },
  async milestone({ kind, path }) {
    const query = { state: 'active', include_ancestors: true, per_page: MOST_LISTABLES } as const;
    const params = { params: { path: { id: path }, query } };
    const found = await unwrap<{ id: number; title: string }[]>(
      kind === 'project' ? api.GET('/projects/{id}/milestones', params) : api.GET('/groups/{id}/milestones', params),
    );
    return found.map(({ id, title }) => ({ id, label: title }));
  },
  async assignee({ kind, path }) {
    const params = { params: { path: { id: path }, query: { per_page: MOST_LISTABLES } } };
    const found = await unwrap<{ id: number; username: string }[]>(
      kind === 'project' ? api.GET('/projects/{id}/members/all', params) : api.GET('/groups/{id}/members/all', params),
    );
    return found.map(({ id, username }) => ({ id, label: `@${username}` }));
  },
};

/** The possible subjects of a list of a kind. */
export const listablesQuery = (of: Container, kind: ListKind) =>
  queryOptions({
    queryKey: [BOARDS, of.kind, of.path, 'listables', kind],
    queryFn: () => LISTABLES[kind](of),
  });
