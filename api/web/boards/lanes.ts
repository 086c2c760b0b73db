import type { Schemas } from '#api';
import type { IssueEdit, ListedIssue } from '../client/api.js';

export type Board = Schemas['Board'];
type BoardList = Schemas['BoardList'];

/** One column of a board: the open issues of no list, those of a list, or the closed ones. */
export type Lane = { kind: 'backlog' } | { kind: 'list'; list: BoardList } | { kind: 'closed' };

/** The columns of a board, from left to right. */
export const lanesOf = ({ hide_backlog_list: noBacklog, hide_closed_list: noClosed, lists }: Board): Lane[] => [
  ...(noBacklog ? [] : [{ kind: 'backlog' } as const]),
  ...lists.map((list) => ({ kind: 'list', list }) as const),
  ...(noClosed ? [] : [{ kind: 'closed' } as const]),
];

/** Tells a column from the others of its board. */
export const laneKey = (lane: Lane): string => (lane.kind === 'list' ? String(lane.list.id) : lane.kind);

/** What a column is called. */
export function laneName(lane: Lane): string {
  if (lane.kind !== 'list') return lane.kind === 'backlog' ? 'Open' : 'Closed';
  const { label, assignee, milestone } = lane.list;
  return label?.name ?? milestone?.title ?? (assignee ? `@${assignee.username}` : 'List');
}

const listOf = (lane: Lane): BoardList | null => (lane.kind === 'list' ? lane.list : null);

/** What the API is asked for to fill a column: the scope of the board, and what its lists are of. */
export function laneFilter(board: Board, lane: Lane) {
  const list = listOf(lane);
  const all = lane.kind === 'backlog' ? board.lists : [];
  const labels = [...board.labels.map(({ name }) => name), ...(list?.label ? [list.label.name] : [])];
  const people = [board.assignee, list?.assignee].flatMap((user) => user?.username ?? []);
  const milestone = list?.milestone ?? board.milestone;
  // No title of a label and no user name holds a comma. Those of milestones are chosen where they are shown.
  const without = {
    labels: all.flatMap(({ label }) => label?.name ?? []).join(','),
    assignee_username: all.flatMap(({ assignee }) => assignee?.username ?? []).join(','),
  };
  const not = Object.fromEntries(Object.entries(without).filter(([, names]) => names !== ''));
  return {
    state: lane.kind === 'closed' ? 'closed' : 'opened',
    ...(labels.length === 0 ? {} : { 'labels[]': labels }),
    ...(people.length === 0 ? {} : { 'assignee_username[]': people }),
    ...(milestone ? { milestone: milestone.title } : {}),
    ...(board.weight === null ? {} : { weight: board.weight }),
    ...(Object.keys(not).length === 0 ? {} : { not }),
  } as const;
}

/** Whether an issue that was found stands in a column: what is in a list by its milestone is not in the first one. */
export const isIn = (board: Board, lane: Lane, { milestone }: ListedIssue): boolean =>
  lane.kind !== 'backlog' ||
  milestone === null ||
  board.milestone?.id === milestone.id ||
  !board.lists.some((list) => list.milestone?.id === milestone.id);

/** Whether the API counts exactly what stands in a column. */
export const isCounted = (board: Board, lane: Lane): boolean =>
  lane.kind !== 'backlog' || board.lists.every(({ milestone }) => milestone === null);

/** How people name an issue on a board: in a group several have one number. */
export const nameOf = (kind: 'project' | 'group', { references }: ListedIssue): string =>
  kind === 'group' ? references.full : references.short;

/** The labels that an issue loses: that of its list; all of the board where it goes into no other list. */
function lostLabels(board: Board, from: Lane, to: Lane): string[] {
  const lists = to.kind === 'list' ? [listOf(from)] : board.lists;
  return lists.flatMap((list) => list?.label?.name ?? []);
}

/** What the API is told so that an issue stands in another column. */
export function changeOf(board: Board, issue: ListedIssue, from: Lane, to: Lane): IssueEdit {
  const [left, entered] = [listOf(from), listOf(to)];
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
