import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { Forbidden, Invalid } from '../../core/values/errors.js';
import { optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { notifyPages } from '../../core/page-changes/page-changes.js';
import { Pipeline } from './pipeline.entity.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { requireMovable } from './pipeline-rights.js';
import { pipelineFilters, pipelineFilterParams } from './pipeline.filters.js';
import { findPipeline, newestPipelineOfHead, pipeline, findPipelines } from './pipeline.finder.js';
import { pipelinePolicy } from './pipeline.policy.js';
import { removePipelines } from './remove-pipelines.js';
import { loadPipelineInputs, loadPipelineVariables } from './start-values.js';

/** List a project's pipelines, newest first. */
export const listPipelines = operation({
  name: 'listPipelines',
  summary: "List a project's pipelines",
  resource: project,
  can: can(projectPolicy, 'read_pipeline'),
  authentication: 'open',
  kind: 'read',
  statements: 5,
  params: pipelineFilterParams,
  run: (_ctx, found: ProjectRecord, input) => Promise.resolve(pipelineFilters(findPipelines(found), input)),
});

/** Read one pipeline. */
export const getPipeline = operation({
  name: 'getPipeline',
  summary: 'Read a pipeline',
  resource: pipeline,
  authentication: 'open',
  kind: 'read',
  statements: 4,
  run: (_ctx, found) => Promise.resolve(found),
});

/** Read the newest pipeline of a branch's or tag's head. Where there is none it is forbidden, as publicly. */
export const getLatestPipeline = operation({
  name: 'getLatestPipeline',
  summary: 'Read the latest pipeline of a ref',
  resource: project,
  can: can(projectPolicy, 'read_pipeline'),
  authentication: 'open',
  kind: 'read',
  statements: 4,
  params: { ref: optional(text()).describe('Branch or tag of the pipeline; the default branch if omitted.') },
  async run(ctx, found, input) {
    const ref = input.ref ?? found.default_branch;
    const latest = ref ? await newestPipelineOfHead(ctx, found, ref) : null;
    if (!latest) throw new Forbidden();
    return latest;
  },
});

/** Read the variables that a pipeline was started with. */
export const listPipelineVariables = operation({
  name: 'listPipelineVariables',
  summary: "List a pipeline's variables",
  resource: pipeline,
  can: can(pipelinePolicy, 'read_pipeline_variable'),
  authentication: 'open',
  kind: 'read',
  statements: 5,
  run: (ctx, found) => loadPipelineVariables(ctx, found.id),
});

/** Read the inputs that a pipeline was started with; requires permission to read its variables. */
export const listPipelineInputs = operation({
  name: 'listPipelineInputs',
  summary: "List a pipeline's inputs",
  resource: pipeline,
  can: can(pipelinePolicy, 'read_pipeline_variable'),
  authentication: 'open',
  kind: 'read',
  statements: 5,
  run: async (ctx, found) => (await loadPipelineInputs(ctx, [found.id])).get(found.id) ?? [],
});

/** Rename a pipeline. */
export const updatePipelineMetadata = operation({
  name: 'updatePipelineMetadata',
  summary: "Edit a pipeline's metadata",
  resource: pipeline,
  can: can(pipelinePolicy, 'update_pipeline'),
  kind: 'write',
  params: {
    name: text()
      .describe('New name of the pipeline.')
      .meta({ examples: ['Nightly build'] }),
  },
  async run(ctx, found, { name }) {
    await requireMovable(ctx, found);
    if (name.length > 255) throw new Invalid({ name: ['is too long (maximum is 255 characters)'] });
    await ctx.em.nativeUpdate(Pipeline, { id: found.id }, { name, updated_at: ctx.clock.now() });
    await notifyPages(ctx, 'pipelines', [found.project_id]);
    return findPipeline(ctx, found.project, found.id);
  },
});

/** Delete a pipeline with its jobs and variables. */
export const deletePipeline = operation({
  name: 'deletePipeline',
  summary: 'Delete a pipeline',
  resource: pipeline,
  can: can(pipelinePolicy, 'destroy_pipeline'),
  kind: 'write',
  conditional: true,
  run: (ctx, found) => removePipelines(ctx, [found]),
});
