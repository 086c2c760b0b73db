import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyIn, arrayFrom, constant } from '../../core/database/expressions.js';
import { oneOf, text, withDefault } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { can, operation } from '../../core/operations/operation.js';
import { milestoneParam } from '../../planning/milestones/edit-milestones.js';
import { findMilestoneOf } from '../../planning/milestones/milestone.finder.js';
import { milestonePolicy } from '../../planning/milestones/milestone.policy.js';
import { requireCommit } from '../../repositories/repositories/commit-of.js';
import { forContainers } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { mergeRequestsOfAll, mergeRequestsOfProject } from './merge-request.finder.js';
import { projectMergeRequestPolicy } from './merge-request.policy.js';
import type { ListedMergeRequest } from './merge-request.entity.js';
import { onMergeRequests } from './visible-merge-requests.js';

function getMergeRequests(ctx: Context, container: Container, milestoneId: number): List<ListedMergeRequest> {
  const planned = onMergeRequests('i.milestone_id', '=', milestoneId);
  if (container.kind === 'group') return mergeRequestsOfAll(ctx, [planned]);
  const open = projectMergeRequestPolicy.read_merge_request(ctx.caller, container.record);
  return mergeRequestsOfProject(container.record, open ? [planned] : [constant(false)]);
}

/** List the merge requests of a milestone that the caller can read, newest first. */
export const listMilestoneMergeRequests = forContainers(({ kind, noun, resource }) =>
  operation({
    name: `list${noun}MilestoneMergeRequests`,
    summary: `List the merge requests of a milestone of a ${kind}`,
    resource,
    can: can(milestonePolicy, 'read_milestone'),
    authentication: 'open',
    kind: 'read',
    statements: 15,
    params: milestoneParam,
    async run(ctx, container, { milestone_id: id }): Promise<List<ListedMergeRequest>> {
      await findMilestoneOf(ctx, container, id);
      return getMergeRequests(ctx, container, id);
    },
  }),
);

/** That a version of merge request `i` has a commit, or that it was merged by it. */
function isOfCommit({ id }: ProjectRecord, sha: string): Expression<SqlBool> {
  const mergedBy = (column: 'm.merge_commit_sha' | 'm.merged_commit_sha' | 'm.squash_commit_sha') =>
    onMergeRequests
      .selectFrom('merge_requests as m')
      .select('m.id')
      .where('m.project_id', '=', id)
      .where(column, '=', sha);
  const ids = onMergeRequests
    .selectFrom('merge_request_version_commits as c')
    .innerJoin('merge_request_versions as v', 'v.id', 'c.version_id')
    .select('v.merge_request_id as id')
    .where('c.project_id', '=', id)
    .where('c.sha', '=', sha)
    .union(mergedBy('m.merge_commit_sha'))
    .union(mergedBy('m.squash_commit_sha'))
    .union(mergedBy('m.merged_commit_sha'));
  return onMergeRequests('i.id', '=', anyIn(arrayFrom(ids)));
}

/** List the merge requests that a commit is of, or came of: the newest first. */
export const listMergeRequestsOfCommit = operation({
  name: 'listMergeRequestsOfCommit',
  summary: 'List the merge requests of a commit',
  resource: project,
  can: can(projectPolicy, 'read_code'),
  authentication: 'open',
  kind: 'read',
  statements: 16,
  params: {
    sha: text()
      .describe('ID of the commit, or name of a branch or tag.')
      .meta({ examples: ['main'] }),
    state: withDefault(oneOf(['opened', 'closed', 'locked', 'merged', 'all']), 'all').describe(
      'Filter by state of the merge request.',
    ),
  },
  async run(ctx, found, { sha: name, state }): Promise<List<ListedMergeRequest>> {
    const sha = await requireCommit(ctx, found, name);
    const open = projectMergeRequestPolicy.read_merge_request(ctx.caller, found);
    return mergeRequestsOfProject(found, [
      constant(open),
      state === 'all' ? constant(true) : onMergeRequests('i.state', '=', state),
      isOfCommit(found, sha),
    ]);
  },
});
