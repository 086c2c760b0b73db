import { can, operation } from '../core/operation.js';
import type { ProjectRecord } from '../projects/project.finder.js';
import { project } from '../projects/project.finder.js';
import { projectPolicy } from '../projects/project.policy.js';
import { pipelineFilters, pipelineFilterParams } from './pipeline.filters.js';
import { pipeline, pipelinesOf } from './pipeline.finder.js';

/** List a project's pipelines, newest first. */
export const listPipelines = operation({
  summary: "List a project's pipelines",
  subject: project,
  can: can(projectPolicy, 'read_pipeline'),
  gate: 'open',
  kind: 'read',
  statements: 5,
  params: pipelineFilterParams,
  run: (_ctx, found: ProjectRecord, input) => Promise.resolve(pipelineFilters(pipelinesOf(found), input)),
});

/** Read one pipeline. */
export const getPipeline = operation({
  summary: 'Read a pipeline',
  subject: pipeline,
  gate: 'open',
  kind: 'read',
  statements: 4,
  run: (_ctx, found) => Promise.resolve(found),
});

