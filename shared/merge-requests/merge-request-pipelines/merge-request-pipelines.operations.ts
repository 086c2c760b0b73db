import type { Context } from '../../core/context.js';
import { NotAllowed } from '../../core/errors.js';
import type { TextList } from '../../core/list.js';
import { can, operation } from '../../core/operation.js';
import { countAction } from '../../core/rate-limits/limit-actions.js';
import { sql } from '../../core/sql.js';
import { insertPipelines } from '../../ci/pipelines/insert-pipelines.js';
import { findPipeline, pipelinesOf } from '../../ci/pipelines/pipeline.finder.js';
import type { PipelineRecord } from '../../ci/pipelines/pipeline.finder.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { mergeRequest } from '../merge-requests/merge-request.finder.js';
import { mergeRequestPolicy } from '../merge-requests/merge-request.policy.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.record.js';

const headRef = ({ iid }: MergeRequestRecord): string => `refs/merge-requests/${iid}/head`;

/** The project whose pipelines are those of a merge request: its source, where the caller sees it. */
async function pipelineProject(
  ctx: Context,
  { project, source_project_id: id }: MergeRequestRecord,
): Promise<ProjectRecord> {
  if (!id || id === project.id) return project;
  return (await findVisibleProject(ctx, id)) ?? project;
}

/** List the pipelines of a merge request: those of its branch for any commit that it had, and those made for it. */
export const listMergeRequestPipelines = operation({
  name: 'listMergeRequestPipelines',
  summary: 'List the pipelines of a merge request',
  subject: mergeRequest,
  can: can(mergeRequestPolicy, 'read_merge_request'),
  gate: 'open',
  kind: 'read',
  statements: 9,
  async run(ctx, found): Promise<TextList<PipelineRecord>> {
    const place = await pipelineProject(ctx, found);
    return pipelinesOf(place, [
      projectPolicy.read_pipeline(ctx.caller, place) ? sql`true` : sql`false`,
      sql`((pl.ref = ${found.source_branch} and not pl.tag) or pl.ref = ${headRef(found)})`,
      sql`pl.sha = any(array(
        select c.sha from merge_request_version_commits c join merge_request_versions v on v.id = c.version_id
         where v.merge_request_id = ${found.id}
        union select v.head_sha from merge_request_versions v where v.merge_request_id = ${found.id}))`,
    ]);
  },
});

/**
 * Start a pipeline for the head of a merge request. It waits until an executor reports (README decision 17).
 * @throws NotAllowed where the caller may start none in the source project, or where there is nothing to run for
 */
export const createMergeRequestPipeline = operation({
  name: 'createMergeRequestPipeline',
  summary: 'Create a pipeline for a merge request',
  subject: mergeRequest,
  can: can(mergeRequestPolicy, 'update_merge_request'),
  kind: 'write',
  statements: 16,
  async run(ctx, found): Promise<PipelineRecord> {
    const place = await pipelineProject(ctx, found);
    const { head_sha: sha, state } = found;
    if (!sha || state !== 'opened' || !projectPolicy.create_pipeline(ctx.caller, place))
      throw new NotAllowed('405 Method Not Allowed');
    await countAction(ctx, 'pipelines_create', [place.id, sha]);
    const [id] = await insertPipelines(ctx, [
      {
        project_id: place.id,
        ref: headRef(found),
        sha,
        source: 'merge_request_event',
        user_id: ctx.caller.user.id,
        pipeline_schedule_id: null,
        variables: [],
        inputs: null,
      },
    ]);
    return findPipeline(ctx, place, id as number);
  },
});
