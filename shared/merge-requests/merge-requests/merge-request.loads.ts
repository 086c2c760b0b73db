import { nested } from '../../core/database/columns.js';
import { anyOf, constant, unnested } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { load } from '../../core/context/loads.js';
import { countRange, RevisionNotFound } from '../../git/index.js';
import { newestPipelinesOfCommits } from '../../ci/pipelines/pipeline.finder.js';
import type { PipelineRecord } from '../../ci/pipelines/pipeline.finder.js';
import {
  assigneesOfIssuables,
  labelsOfIssuables,
  subscriptionsToIssuables,
} from '../../planning/issuables/issuable-loads.js';
import { mergeRequestType } from '../../planning/issuables/issuable-type.js';
import { findRef } from '../../repositories/repositories/repository-ref.finder.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { User } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { markdownHtml } from '../../core/markdown/markdown-html.js';
import type { MergeRequest, MergeRequestRecord, ListedMergeRequest } from './merge-request.entity.js';
import { mayMerge } from './merge-rights.js';

export const labelsOfMergeRequests = labelsOfIssuables(mergeRequestType);
export const assigneesOfMergeRequests = assigneesOfIssuables(mergeRequestType);
export const mergeRequestSubscriptions = subscriptionsToIssuables(mergeRequestType);

/** A reviewer with the review state. */
export interface Reviewer {
  readonly user: UserSummary;
  readonly state: string;
  readonly created_at: Date;
}

interface Ids {
  readonly ids: readonly number[];
}

const findReviewers = prepareQuery<MergeRequestsDatabase, Ids, Reviewer & { request_id: number }>((db, { ids }) =>
  db
    .selectFrom('merge_request_reviewers as x')
    .innerJoin('users as u', 'u.id', 'x.user_id')
    .select(['x.merge_request_id as request_id', 'x.state', 'x.created_at'])
    .select(nested('user', User, 'u', { only: USER_SUMMARY }))
    .where('x.merge_request_id', '=', anyOf(ids, 'bigint'))
    .orderBy('u.id'),
);

/** The reviewers of each merge request, ordered by creation of their accounts. */
export const reviewersOfMergeRequests = load(
  (request: Readonly<MergeRequest>) => request.id,
  async (ctx, requests): Promise<Map<number, Reviewer[]>> => {
    const ids = requests.map(({ id }) => id);
    const rows = await findReviewers(ctx, { ids });
    const found = new Map<number, Reviewer[]>(ids.map((id) => [id, []]));
    for (const { request_id: id, ...reviewer } of rows) found.get(id)?.push(reviewer);
    return found;
  },
);

interface SettingsOfMerge {
  readonly squash_option: string;
  readonly approvals_before_merge: number;
}

const findMergeSettings = prepareQuery<MergeRequestsDatabase, Ids, SettingsOfMerge & { project_id: number }>(
  (db, { ids }) =>
    db
      .selectFrom('project_settings as s')
      .select(['s.project_id', 's.squash_option', 's.approvals_before_merge'])
      .where('s.project_id', '=', anyOf(ids, 'bigint')),
);

/** The merge settings of the projects of merge requests. */
export const mergeSettingsOf = load(
  (request: Readonly<MergeRequest>) => request.project_id,
  async (ctx, requests): Promise<Map<number, SettingsOfMerge>> => {
    const ids = [...new Set(requests.map(({ project_id: id }) => id))];
    const rows = await findMergeSettings(ctx, { ids });
    return new Map(rows.map((row) => [row.project_id, row]));
  },
);

interface CountedFiles {
  readonly files_count: number | null;
  readonly files_overflow: boolean;
}

const countChangedFiles = prepareQuery<MergeRequestsDatabase, Ids, CountedFiles & { id: number }>((db, { ids }) =>
  db
    .selectFrom(unnested(ids, 'bigint').as('u'))
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('merge_request_versions as x')
        .select(['x.files_count', 'x.files_overflow'])
        .whereRef('x.merge_request_id', '=', 'u.value')
        .orderBy('x.id', 'desc')
        .limit(constant(1))
        .as('v'),
    )
    .select(['u.value as id', 'v.files_count', 'v.files_overflow']),
);

/** How many files each changes, by its newest version. */
export const changedFiles = load(
  (request: Readonly<MergeRequest>) => request.id,
  async (ctx, requests): Promise<Map<number, CountedFiles>> => {
    const rows = await countChangedFiles(ctx, { ids: requests.map(({ id }) => id) });
    return new Map(rows.map((row) => [row.id, row]));
  },
);

/** The newest pipeline of the head of one merge request, in the project of its source or here, as the caller may see it. */
export const headPipelines = load(
  (request: Readonly<MergeRequestRecord>) => request.id,
  async (ctx, requests): Promise<Map<number, PipelineRecord>> => {
    const found = new Map<number, PipelineRecord>();
    for (const { id, project, source_project_id: sourceId, head_sha: sha } of requests) {
      if (!sha) continue;
      const source = sourceId && sourceId !== project.id ? await findVisibleProject(ctx, sourceId) : null;
      const projects = [...(source ? [source] : []), project].filter((one) =>
        projectPolicy.read_pipeline(ctx.caller, one),
      );
      const newest = await Promise.all(projects.map((one) => newestPipelinesOfCommits(ctx, one, [sha])));
      const [first] = newest.flatMap((bySha) => bySha.get(sha) ?? []).sort(({ id: one }, { id: other }) => other - one);
      if (first) found.set(id, first);
    }
    return found;
  },
);

/** Whether the caller may merge one merge request. */
export const mergeRights = load(
  (request: Readonly<MergeRequestRecord>) => request.id,
  async (ctx, requests): Promise<Map<number, boolean>> => {
    const found = new Map<number, boolean>();
    for (const { id, project, target_branch } of requests)
      found.set(id, await mayMerge(ctx, { project, target_branch }));
    return found;
  },
);

/** How many commits the target branch of one merge request has beyond it. */
export const divergedCommits = load(
  (request: Readonly<MergeRequestRecord>) => request.id,
  async (ctx, requests): Promise<Map<number, number>> => {
    const found = new Map<number, number>();
    for (const { id, project, target_branch, head_sha: head } of requests) {
      const target = await findRef(ctx, project.id, `refs/heads/${target_branch}`);
      if (!target || !head) continue;
      const range = { from: head, to: target.target_sha };
      found.set(id, await countRange(openRepository(ctx, project), range).catch(none));
    }
    return found;
  },
);

/** Commits that are not there any more are beyond nothing. */
function none(error: unknown): number {
  if (error instanceof RevisionNotFound) return 0;
  throw error;
}

/** Title and description of merge requests as HTML, with references as the caller may follow them. */
export const mergeRequestHtml = markdownHtml<ListedMergeRequest, 'title' | 'description'>(
  ({ title, description }) => ({ title: { line: title }, description }),
  ({ project_id: id }) => ({ kind: 'project', id }),
);
