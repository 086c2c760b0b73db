import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { load } from '../../core/context/loads.js';
import { readAll } from '../../core/database/list.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { mergeRequestsOfAll } from '../../merge-requests/merge-requests/merge-request.finder.js';
import type { ListedMergeRequest } from '../../merge-requests/merge-requests/merge-request.entity.js';
import { mergeRequestSerializer } from '../../merge-requests/merge-requests/merge-request.serializer.js';
import { onMergeRequests } from '../../merge-requests/merge-requests/visible-merge-requests.js';
import type { ListedIssue } from '../../planning/issues/issue.entity.js';
import { issueSerializer } from '../../planning/issues/issue.serializer.js';
import { issuesById } from '../../planning/issues/issue.finder.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import type { ToDoRecord } from './to-do.finder.js';

const present = (id: number | null | undefined): id is number => id !== null && id !== undefined;

/** What to-dos are about, with what their own serializers load. */
const issues = load(
  (todo: Readonly<ToDoRecord>) => todo.issue_id ?? 0,
  async (ctx, todos): Promise<Map<number, ListedIssue>> => {
    const found = await issuesById(ctx, todos.map(({ issue_id: id }) => id).filter(present));
    await issueSerializer.load(ctx, [...found.values()]);
    return found;
  },
);

const mergeRequests = load(
  (todo: Readonly<ToDoRecord>) => todo.merge_request_id ?? 0,
  async (ctx, todos): Promise<Map<number, ListedMergeRequest>> => {
    const ids = todos.map(({ merge_request_id: id }) => id).filter(present);
    if (ids.length === 0) return new Map();
    const found = await readAll(ctx, mergeRequestsOfAll(ctx, [onMergeRequests('i.id', '=', anyOf(ids, 'bigint'))]));
    await mergeRequestSerializer.load(ctx, found);
    return new Map(found.map((request) => [request.id, request]));
  },
);

const project = serializer<ToDoRecord['project']>('ToDoProject', {
  id: out.integer((one) => one.id),
  name: out.text((one) => one.name),
  name_with_namespace: out.text((one) => one.full_name),
  path: out.text((one) => one.path),
  path_with_namespace: out.text((one) => one.full_path),
});

function target(todo: ToDoRecord, ctx: Context): unknown {
  const issue = issues.of(todo, ctx);
  if (issue) return issueSerializer.present(issue, ctx);
  const request = mergeRequests.of(todo, ctx);
  return request && mergeRequestSerializer.present(request, ctx);
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** A to-do as the public API shows it. Its author is who put it on the list. */
export const toDoSerializer = serializer<ToDoRecord>(
  'ToDo',
  {
    id: out.integer((todo) => todo.id),
    project: out.record(project, (todo) => todo.project),
    author: out.record(userSummary, (todo) => todo.user),
    action_name: out.text(() => 'marked', { enum: ['marked'] }),
    target_type: out.text((todo) => (todo.issue_id ? 'Issue' : 'MergeRequest'), { enum: ['Issue', 'MergeRequest'] }),
    target: out.any(target, { anyOf: [reference('Issue'), reference('MergeRequest')] }, { optional: true }),
    target_url: out.text(
      (todo, ctx) => `${ctx.config.externalUrl}/${todo.project.full_path}/-/${targetPath(todo, ctx)}`,
    ),
    body: out.text((todo, ctx) => getTarget(todo, ctx)?.title ?? ''),
    state: out.text((todo) => todo.state, { enum: ['pending', 'done'] }),
    created_at: out.instant((todo) => todo.created_at),
    updated_at: out.instant((todo) => todo.updated_at),
  },
  { loads: [issues, mergeRequests] },
);

const getTarget = (todo: ToDoRecord, ctx: Context): ListedIssue | ListedMergeRequest | undefined =>
  issues.of(todo, ctx) ?? mergeRequests.of(todo, ctx);

function targetPath(todo: ToDoRecord, ctx: Context): string {
  const iid = getTarget(todo, ctx)?.iid ?? '';
  return todo.issue_id ? `issues/${iid}` : `merge_requests/${iid}`;
}
