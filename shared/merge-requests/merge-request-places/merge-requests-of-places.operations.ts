import type { Context } from '../../core/context.js';
import { oneOf, text, withDefault } from '../../core/fields.js';
import type { TextList } from '../../core/list.js';
import { can, operation } from '../../core/operation.js';
import { sql } from '../../core/sql.js';
import { milestoneParam } from '../../planning/milestones/edit-milestones.js';
import { findMilestoneOf } from '../../planning/milestones/milestone.finder.js';
import { milestonePolicy } from '../../planning/milestones/milestone.policy.js';
import { requireCommit } from '../../repositories/repositories/commit-of.js';
import { forContainers } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { mergeRequestsOfAll, mergeRequestsOfProject } from '../merge-requests/merge-request.finder.js';
import { projectMergeRequestPolicy } from '../merge-requests/merge-request.policy.js';
import type { ListedMergeRequest } from '../merge-requests/merge-request.record.js';

function mergeRequestsOf(ctx: Context, container: Container, milestoneId: number): TextList<ListedMergeRequest> {
  const planned = sql`i.milestone_id = ${milestoneId}`;
  if (container.kind === 'group') return mergeRequestsOfAll(ctx, [planned]);
  const open = projectMergeRequestPolicy.read_merge_request(ctx.caller, container.record);
  return mergeRequestsOfProject(container.record, open ? [planned] : [sql`false`]);
}

/** List the merge requests that are planned for a milestone: those of them that the caller may read, the newest first. */
export const listMilestoneMergeRequests = forContainers(({ kind, noun, subject }) =>
  operation({
    name: `list${noun}MilestoneMergeRequests`,
    summary: `List the merge requests of a milestone of a ${kind}`,
    subject,
    can: can(milestonePolicy, 'read_milestone'),
    gate: 'open',
    kind: 'read',
    statements: 15,
    params: milestoneParam,
    async run(ctx, container, { milestone_id: id }): Promise<TextList<ListedMergeRequest>> {
      await findMilestoneOf(ctx, container, id);
      return mergeRequestsOf(ctx, container, id);
    },
  }),
);

/** List the merge requests that a commit is of, or came of: the newest first. */
export const listMergeRequestsOfCommit = operation({
  name: 'listMergeRequestsOfCommit',
  summary: 'List the merge requests of a commit',
  subject: project,
  can: can(projectPolicy, 'read_code'),
  gate: 'open',
  kind: 'read',
  statements: 16,
  params: {
    sha: text()
      .describe('Id of the commit, or a branch or tag.')
      .meta({ examples: ['main'] }),
    state: withDefault(oneOf(['opened', 'closed', 'locked', 'merged', 'all']), 'all').describe('Only in this state.'),
  },
  async run(ctx, found, { sha: name, state }): Promise<TextList<ListedMergeRequest>> {
    const sha = await requireCommit(ctx, found, name);
    const open = projectMergeRequestPolicy.read_merge_request(ctx.caller, found);
    return mergeRequestsOfProject(found, [
      open ? sql`true` : sql`false`,
      state === 'all' ? sql`true` : sql`i.state = ${state}`,
      sql`i.id = any(array(
        select v.merge_request_id from merge_request_version_commits c join merge_request_versions v on v.id = c.version_id
         where c.project_id = ${found.id} and c.sha = ${sha}
        union select m.id from merge_requests m where m.project_id = ${found.id} and m.merge_commit_sha = ${sha}
        union select m.id from merge_requests m where m.project_id = ${found.id} and m.squash_commit_sha = ${sha}
        union select m.id from merge_requests m where m.project_id = ${found.id} and m.merged_commit_sha = ${sha}))`,
    ]);
  },
});
