import { avatarUrl } from '../../instance/avatars/avatars.js';
import type { Context } from '../../core/context/context.js';
import { load } from '../../core/context/loads.js';
import { out, serializer, visibleIf } from '../../core/operations/serializer.js';
import { readCommits } from '../../git/index.js';
import type { Commit } from '../../git/index.js';
import { mergeRequestsById } from '../../merge-requests/merge-requests/merge-request.finder.js';
import type { ListedMergeRequest } from '../../merge-requests/merge-requests/merge-request.entity.js';
import { mergeRequestSerializer } from '../../merge-requests/merge-requests/merge-request.serializer.js';
import type { ListedEpic } from '../../planning/epics/epic.entity.js';
import { epicsById } from '../../planning/epics/epic.finder.js';
import { epicSerializer } from '../../planning/epics/epic.serializer.js';
import type { ListedIssue } from '../../planning/issues/issue.entity.js';
import { issueSerializer } from '../../planning/issues/issue.serializer.js';
import { issuesById } from '../../planning/issues/issue.finder.js';
import { commitSerializer } from '../../repositories/branches-and-tags/branch.serializer.js';
import { withGitAnswers } from '../../repositories/repositories/git-problems.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import type { ToDoContainer, ToDoRecord } from './to-do.entity.js';

const present = (id: number | null | undefined): id is number => id !== null && id !== undefined;

/** What to-dos are about, with what their own serializers load. */
const issues = load(
  (todo: Readonly<ToDoRecord>) => todo.issue_id ?? 0,
  async (ctx, todos): Promise<Map<number, ListedIssue>> => {
    const ids = todos.map(({ issue_id: id }) => id).filter(present);
    if (ids.length === 0) return new Map();
    const found = await issuesById(ctx, ids);
    await issueSerializer.load(ctx, [...found.values()]);
    return found;
  },
);

const mergeRequests = load(
  (todo: Readonly<ToDoRecord>) => todo.merge_request_id ?? 0,
  async (ctx, todos): Promise<Map<number, ListedMergeRequest>> => {
    const ids = todos.map(({ merge_request_id: id }) => id).filter(present);
    if (ids.length === 0) return new Map();
    const found = await mergeRequestsById(ctx, ids);
    await mergeRequestSerializer.load(ctx, [...found.values()]);
    return found;
  },
);

const epics = load(
  (todo: Readonly<ToDoRecord>) => todo.epic_id ?? 0,
  async (ctx, todos): Promise<Map<number, ListedEpic>> => {
    const ids = todos.map(({ epic_id: id }) => id).filter(present);
    if (ids.length === 0) return new Map();
    const found = await epicsById(ctx, ids);
    await epicSerializer.load(ctx, [...found.values()]);
    return found;
  },
);

type OfCommit = ToDoRecord & { project: ToDoContainer; commit_sha: string };

const isOfCommit = (todo: Readonly<ToDoRecord>): todo is OfCommit => Boolean(todo.project && todo.commit_sha);

const getCommitKey = ({ project_id: id, commit_sha: sha }: Readonly<ToDoRecord>) => `${id} ${sha}`;

/** Commits, by a read of git for each project. */
export const commitsOfToDos = load(getCommitKey, async (ctx, todos): Promise<Map<string, Commit>> => {
  const found = new Map<string, Commit>();
  for (const some of Map.groupBy(todos.filter(isOfCommit), ({ project }) => project.id).values()) {
    const [first] = some;
    if (!first) continue;
    const shas = [...new Set(some.map(({ commit_sha: sha }) => sha))];
    const bySha = await withGitAnswers(() => readCommits(openRepository(ctx, first.project), shas));
    for (const todo of some) {
      const commit = bySha.get(todo.commit_sha);
      if (commit) found.set(getCommitKey(todo), commit);
    }
  }
  return found;
});

const project = serializer<ToDoContainer>('ToDoProject', {
  id: out.integer((one) => one.id),
  name: out.text((one) => one.name),
  name_with_namespace: out.text((one) => one.full_name),
  path: out.text((one) => one.path),
  path_with_namespace: out.text((one) => one.full_path),
});

type Group = NonNullable<ToDoRecord['group']>;

const group = serializer<Group>('ToDoGroup', {
  id: out.integer((one) => one.id),
  name: out.text((one) => one.name),
  path: out.text((one) => one.path),
  kind: out.text(() => 'group', { enum: ['group'] }),
  full_path: out.text((one) => one.full_path),
  parent_id: out.nullableInteger((one) => one.parent_id ?? null),
  avatar_url: out.nullableText((one, ctx) => avatarUrl(ctx, { kind: 'group', id: one.id }, one.avatar ?? null)),
  web_url: out.text((one, ctx) => `${ctx.config.externalUrl}/groups/${one.full_path}`),
});

/** A type of target: how the public API names and shows it, and its path. */
interface Target {
  readonly type: 'Issue' | 'MergeRequest' | 'Epic' | 'Commit';
  readonly path: string;
  show(ctx: Context): unknown;
}

function getTarget(todo: Readonly<ToDoRecord>): Target {
  const { target_iid: iid } = todo;
  if (todo.issue_id) {
    const show = (ctx: Context) => {
      const found = issues.of(todo, ctx);
      return found && issueSerializer.present(found, ctx);
    };
    return { type: 'Issue', path: `issues/${iid}`, show };
  }
  if (todo.merge_request_id) {
    const show = (ctx: Context) => {
      const found = mergeRequests.of(todo, ctx);
      return found && mergeRequestSerializer.present(found, ctx);
    };
    return { type: 'MergeRequest', path: `merge_requests/${iid}`, show };
  }
  if (todo.epic_id) {
    const show = (ctx: Context) => {
      const found = epics.of(todo, ctx);
      return found && epicSerializer.present(found, ctx);
    };
    return { type: 'Epic', path: `epics/${iid}`, show };
  }
  const show = (ctx: Context) => {
    const found = commitsOfToDos.of(todo, ctx);
    // Of its project a commit shows the path alone.
    return found && commitSerializer.present({ ...found, project: todo.project as ProjectRecord }, ctx);
  };
  return { type: 'Commit', path: `commit/${todo.commit_sha}`, show };
}

/** The text of the comment that caused it, else the title. */
const getBody = (todo: Readonly<ToDoRecord>, ctx: Context): string =>
  todo.note?.note ?? todo.target_title ?? commitsOfToDos.of(todo, ctx)?.title ?? '';

/** Where people read what it is about; at the comment that caused it. */
function getTargetUrl(todo: Readonly<ToDoRecord>, ctx: Context): string {
  const container = todo.group ? `groups/${todo.group.full_path}` : todo.project?.full_path;
  const url = `${ctx.config.externalUrl}/${container}/-/${getTarget(todo).path}`;
  return todo.note ? `${url}#note_${todo.note.id}` : url;
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const TARGETS = ['Issue', 'MergeRequest', 'Epic', 'Commit'] as const;

/** A to-do as the public API shows it. */
export const toDoSerializer = serializer<ToDoRecord>(
  'ToDo',
  {
    id: out.integer((todo) => todo.id),
    ...visibleIf<ToDoRecord>((todo) => todo.project !== null, {
      project: out.record(project, (todo) => todo.project as ToDoContainer),
    }),
    ...visibleIf<ToDoRecord>((todo) => todo.group !== null, {
      group: out.record(group, (todo) => todo.group as Group),
    }),
    author: out.record(userSummary, (todo) => todo.author),
    action_name: out.text((todo) => todo.action),
    target_type: out.text((todo) => getTarget(todo).type, { enum: TARGETS }),
    target: out.any((todo, ctx) => getTarget(todo).show(ctx), { anyOf: TARGETS.map(reference) }, { optional: true }),
    target_url: out.text(getTargetUrl),
    body: out.text(getBody),
    state: out.text((todo) => todo.state, { enum: ['pending', 'done'] }),
    created_at: out.instant((todo) => todo.created_at),
    updated_at: out.instant((todo) => todo.updated_at),
  },
  { loads: [issues, mergeRequests, epics, commitsOfToDos] },
);
