import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyIn, arrayFrom, constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotAllowed } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { countAction } from '../../core/operations/limit-actions.js';
import { insertPipelines } from '../../ci/pipelines/insert-pipelines.js';
import { findPipeline, findPipelines } from '../../ci/pipelines/pipeline.finder.js';
import type { PipelineRecord } from '../../ci/pipelines/pipeline.finder.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { mergeRequest } from './merge-request.finder.js';
import { mergeRequestPolicy } from './merge-request.policy.js';
import type { MergeRequestRecord } from './merge-request.entity.js';

const headRef = ({ iid }: MergeRequestRecord): string => `refs/merge-requests/${iid}/head`;

/** The project of a merge request's pipelines: its source project, if the caller can see it. */
async function pipelineProject(
  ctx: Context,
  { project, source_project_id: id }: MergeRequestRecord,
): Promise<ProjectRecord> {
  if (!id || id === project.id) return project;
  return (await findVisibleProject(ctx, id)) ?? project;
}

const onPipelines = expressionBuilder<Aliased<MergeRequestsDatabase, { pl: 'pipelines' }>, 'pl'>();

/** Pipelines `pl` of its branch or made for it, for any commit that it had. */
function isOf(found: MergeRequestRecord): Expression<SqlBool>[] {
  const shas = onPipelines
    .selectFrom('merge_request_version_commits as c')
    .innerJoin('merge_request_versions as v', 'v.id', 'c.version_id')
    .select('c.sha')
    .where('v.merge_request_id', '=', found.id)
    .union(
      onPipelines
        .selectFrom('merge_request_versions as v')
        .select('v.head_sha as sha')
        .where('v.merge_request_id', '=', found.id),
    );
  return [
    onPipelines.or([
      onPipelines.and([onPipelines('pl.ref', '=', found.source_branch), onPipelines.not(onPipelines.ref('pl.tag'))]),
      onPipelines('pl.ref', '=', headRef(found)),
    ]),
    onPipelines('pl.sha', '=', anyIn(arrayFrom(shas))),
  ];
}

/** List the pipelines of a merge request: those of its branch for any of its commits, and those created for it. */
export const listMergeRequestPipelines = operation({
  name: 'listMergeRequestPipelines',
  summary: 'List the pipelines of a merge request',
  resource: mergeRequest,
  can: can(mergeRequestPolicy, 'read_merge_request'),
  authentication: 'open',
  kind: 'read',
  statements: 9,
  async run(ctx, found) {
    const project = await pipelineProject(ctx, found);
    return findPipelines(project, [constant(projectPolicy.read_pipeline(ctx.caller, project)), ...isOf(found)]);
  },
});

/**
 * Start a pipeline for the head of a merge request. It waits until an executor reports (contract decision 17).
 * @throws NotAllowed where the caller may start none in the source project, or where there is nothing to run for
 */
export const createMergeRequestPipeline = operation({
  name: 'createMergeRequestPipeline',
  summary: 'Create a pipeline for a merge request',
  resource: mergeRequest,
  can: can(mergeRequestPolicy, 'update_merge_request'),
  kind: 'write',
  statements: 16,
  async run(ctx, found): Promise<PipelineRecord> {
    const project = await pipelineProject(ctx, found);
    const { head_sha: sha, state } = found;
    if (!sha || state !== 'opened' || !projectPolicy.create_pipeline(ctx.caller, project))
      throw new NotAllowed('405 Method Not Allowed');
    await countAction(ctx, 'pipelines_create', [project.id, sha]);
    const [id] = await insertPipelines(ctx, [
      {
        project_id: project.id,
        ref: headRef(found),
        sha,
        source: 'merge_request_event',
        user_id: ctx.caller.user.id,
        pipeline_schedule_id: null,
        variables: [],
        inputs: null,
      },
    ]);
    return findPipeline(ctx, project, id as number);
  },
});
