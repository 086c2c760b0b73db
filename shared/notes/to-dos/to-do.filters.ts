import type { Expression, SqlBool } from 'kysely';
import { anyOf, constant } from '../../core/database/expressions.js';
import { idsWithin } from '../../tenancy/namespaces/below.js';
import { onToDos } from './visible-to-dos.js';

/**
 * Actions of the public API; `approval_required`, `merge_train_removed` and `member_access_requested` put nothing on a
 * list here (decision 77).
 */
export const ACTIONS = [
  'assigned',
  'mentioned',
  'build_failed',
  'marked',
  'approval_required',
  'unmergeable',
  'directly_addressed',
  'review_requested',
  'merge_train_removed',
  'member_access_requested',
] as const;

/** Types of the public API; only the first four can be on a list. */
export const TYPES = [
  'Issue',
  'MergeRequest',
  'Commit',
  'Epic',
  'DesignManagement::Design',
  'AlertManagement::Alert',
  'Project',
  'Namespace',
  'Vulnerability',
  'WikiPage::Meta',
] as const;

export const STATES = ['pending', 'done'] as const;

type Type = (typeof TYPES)[number];

/** What narrows a list of to-dos: any of the values of each filter. */
interface ToDoFilters {
  readonly action?: readonly (typeof ACTIONS)[number][] | undefined;
  readonly author_id?: readonly number[] | undefined;
  readonly project_id?: readonly number[] | undefined;
  readonly group_id?: readonly number[] | undefined;
  readonly state?: readonly (typeof STATES)[number][] | undefined;
  readonly type?: readonly Type[] | undefined;
  readonly target?: { readonly type: 'Issue' | 'MergeRequest' | 'Epic'; readonly id: number } | undefined;
}

const OF_TYPE: Readonly<Partial<Record<Type, Expression<SqlBool>>>> = {
  Issue: onToDos('t.issue_id', 'is not', null),
  MergeRequest: onToDos('t.merge_request_id', 'is not', null),
  Commit: onToDos('t.commit_sha', 'is not', null),
  Epic: onToDos('t.epic_id', 'is not', null),
};

const COLUMN_OF = { Issue: 't.issue_id', MergeRequest: 't.merge_request_id', Epic: 't.epic_id' } as const;

/** That a to-do lies in a group, or in anything below it. */
const isWithinGroup = (id: number): Expression<SqlBool> =>
  onToDos.or([onToDos('p.namespace_id', 'in', idsWithin(id)), onToDos('t.namespace_id', 'in', idsWithin(id))]);

/** The conditions of filters on to-dos `t` with their projects `p`. */
export function getConditions(filters: ToDoFilters): Expression<SqlBool>[] {
  const { action, author_id: authors, project_id: projects, group_id: groups, state, type, target } = filters;
  const where: Expression<SqlBool>[] = [];
  if (state) where.push(onToDos('t.state', '=', anyOf(state, 'text')));
  // Some actions put nothing on a list: the column knows none of these.
  if (action) where.push(onToDos(onToDos.ref('t.action').$castTo<string>(), '=', anyOf<string>(action, 'text')));
  if (authors) where.push(onToDos('t.author_id', '=', anyOf(authors, 'bigint')));
  if (projects) where.push(onToDos('t.project_id', '=', anyOf(projects, 'bigint')));
  if (groups) where.push(onToDos.or(groups.map(isWithinGroup)));
  if (type) where.push(onToDos.or(type.map((one) => OF_TYPE[one] ?? constant(false))));
  if (target) where.push(onToDos(COLUMN_OF[target.type], '=', target.id));
  return where;
}
