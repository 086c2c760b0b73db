import type { Schemas } from '#api';
import type { IssueEdit, ListedIssue } from '../../../data/api.js';

export type Board = Schemas['Board'];
type BoardList = Schemas['BoardList'];

/** One column of a board: the open issues without a list, those of a list, or the closed ones. */
export type Column = { kind: 'backlog' } | { kind: 'list'; list: BoardList } | { kind: 'closed' };

/** The columns of a board, from left to right. */
export const getColumns = ({ hide_backlog_list: noBacklog, hide_closed_list: noClosed, lists }: Board): Column[] => [
  ...(noBacklog ? [] : [{ kind: 'backlog' } as const]),
  ...lists.map((list) => ({ kind: 'list', list }) as const),
  ...(noClosed ? [] : [{ kind: 'closed' } as const]),
];

/** Identifies a column within its board. */
export const columnKey = (column: Column): string => (column.kind === 'list' ? String(column.list.id) : column.kind);

/** The title of a column. */
export function columnName(column: Column): string {
  if (column.kind !== 'list') return column.kind === 'backlog' ? 'Open' : 'Closed';
  const { label, assignee, milestone } = column.list;
  return label?.name ?? milestone?.title ?? (assignee ? `@${assignee.username}` : 'List');
}

const getList = (column: Column): BoardList | null => (column.kind === 'list' ? column.list : null);

/** The API filters of a column: the scope of the board combined with those of its lists. */
export function columnFilter(board: Board, column: Column) {
  const list = getList(column);
  const all = column.kind === 'backlog' ? board.lists : [];
  const labels = [...board.labels.map(({ name }) => name), ...(list?.label ? [list.label.name] : [])];
  const people = [board.assignee, list?.assignee].flatMap((user) => user?.username ?? []);
  const milestone = list?.milestone ?? board.milestone;
  // Titles of labels and user names contain no commas. Milestones are excluded when issues are rendered.
  const without = {
    labels: all.flatMap(({ label }) => label?.name ?? []).join(','),
    assignee_username: all.flatMap(({ assignee }) => assignee?.username ?? []).join(','),
  };
  const not = Object.fromEntries(Object.entries(without).filter(([, names]) => names !== ''));
  return {
    state: column.kind === 'closed' ? 'closed' : 'opened',
    ...(labels.length === 0 ? {} : { 'labels[]': labels }),
    ...(people.length === 0 ? {} : { 'assignee_username[]': people }),
    ...(milestone ? { milestone: milestone.title } : {}),
    ...(board.weight === null ? {} : { weight: board.weight }),
    ...(Object.keys(not).length === 0 ? {} : { not }),
  } as const;
}

/**
 * Whether a loaded issue belongs in a column: issues in a list by their milestone are excluded from the first column.
 */
export const isIn = (board: Board, column: Column, { milestone }: ListedIssue): boolean =>
  column.kind !== 'backlog' ||
  milestone === null ||
  board.milestone?.id === milestone.id ||
  !board.lists.some((list) => list.milestone?.id === milestone.id);

/** Whether the API's count equals the number of issues in a column. */
export const isCounted = (board: Board, column: Column): boolean =>
  column.kind !== 'backlog' || board.lists.every(({ milestone }) => milestone === null);

/** How people name an issue on a board: in a group several have one number. */
export const getName = (kind: 'project' | 'group', { references }: ListedIssue): string =>
  kind === 'group' ? references.full : references.short;

/**
 * The labels that a move removes from an issue: that of its list; all labels of the board's lists if it does not move
 * to another list.
 */
function lostLabels(board: Board, from: Column, to: Column): string[] {
  const lists = to.kind === 'list' ? [getList(from)] : board.lists;
  return lists.flatMap((list) => list?.label?.name ?? []);
}

/** The API changes that move an issue to another column. */
export function getChange(board: Board, issue: ListedIssue, from: Column, to: Column): IssueEdit {
  const [left, entered] = [getList(from), getList(to)];
  const change: IssueEdit = {};
  const held = new Set(issue.labels.map(({ name }) => name));
  const lost = lostLabels(board, from, to).filter((name) => held.has(name) && name !== entered?.label?.name);
  if (lost.length > 0) change.remove_labels = lost;
  if (entered?.label) change.add_labels = [entered.label.name];
  const others = issue.assignees.filter(({ id }) => id !== left?.assignee?.id).map(({ id }) => id);
  if (entered?.assignee) change.assignee_ids = [...new Set([...others, entered.assignee.id])];
  else if (left?.assignee && to.kind !== 'closed') change.assignee_ids = others;
  if (entered?.milestone) change.milestone_id = entered.milestone.id;
  else if (left?.milestone && to.kind !== 'closed') change.milestone_id = null;
  if (to.kind === 'closed') change.state_event = 'close';
  else if (from.kind === 'closed') change.state_event = 'reopen';
  return change;
}
