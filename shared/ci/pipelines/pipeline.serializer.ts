import { out, serializer } from '../../core/operations/serializer.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { detailedStatus } from './detailed-status.js';
import type { PlainVariable } from './insert-pipelines.js';
import type { Pipeline } from './pipeline.entity.js';
import type { PipelineRecord } from './pipeline.finder.js';
import type { PipelineInput } from './start-values.js';

/** contract decision 2: one value is stored, and REST returns `scheduled` as in the interface document. */
function sourceInRest(source: string): string {
  return source === 'schedule' ? 'scheduled' : source;
}

type Basic = Omit<Pipeline, 'inputs'> & { project: { full_path: string } };

/** Path of the page of a pipeline. */
export const pipelinePath = (pipeline: Basic) => `/${pipeline.project.full_path}/-/pipelines/${pipeline.id}`;

/** A pipeline in lists (delivery-resources.md section 3). */
export const basicPipeline = serializer<Basic>('BasicPipeline', {
  id: out.integer((pipeline) => pipeline.id),
  iid: out.integer((pipeline) => pipeline.iid),
  project_id: out.integer((pipeline) => pipeline.project_id),
  sha: out.text((pipeline) => pipeline.sha),
  ref: out.text((pipeline) => pipeline.ref),
  status: out.text((pipeline) => pipeline.status),
  source: out.text((pipeline) => sourceInRest(pipeline.source)),
  created_at: out.instant((pipeline) => pipeline.created_at),
  updated_at: out.instant((pipeline) => pipeline.updated_at),
  web_url: out.text((pipeline, ctx) => ctx.config.externalUrl + pipelinePath(pipeline)),
  name: out.nullableText((pipeline) => pipeline.name),
});

export const fullPipeline = serializer<PipelineRecord>('Pipeline', {
  ...basicPipeline.fields,
  before_sha: out.text((pipeline) => pipeline.before_sha),
  tag: out.boolean((pipeline) => pipeline.tag),
  yaml_errors: out.nullableText((pipeline) => pipeline.yaml_errors),
  user: out.nullableRecord(userSummary, (pipeline) => pipeline.user),
  started_at: out.nullableInstant((pipeline) => pipeline.started_at),
  finished_at: out.nullableInstant((pipeline) => pipeline.finished_at),
  committed_at: out.nullableInstant((pipeline) => pipeline.committed_at),
  duration: out.nullableInteger((pipeline) => pipeline.duration, {
    description: 'Duration of the pipeline, in seconds.',
  }),
  queued_duration: out.nullableInteger((pipeline) => pipeline.queued_duration, {
    description: 'Time the pipeline was queued, in seconds.',
  }),
  coverage: out.number((pipeline) => pipeline.coverage),
  archived: out.boolean(() => false),
  kind: out.text((pipeline) => pipeline.kind, {
    enum: ['config', 'record'],
    description: 'If `config`, jobs come from the configuration file; if `record`, executors report them.',
  }),
  stages: out.texts((pipeline) => pipeline.stages),
  failure_reason: out.nullableText((pipeline) => pipeline.failure_reason),
  pipeline_schedule_id: out.nullableInteger((pipeline) => pipeline.pipeline_schedule_id, {
    description: 'ID of the schedule that created the pipeline.',
  }),
  detailed_status: out.any((pipeline) => detailedStatus(pipeline.status, pipelinePath(pipeline)), { type: 'object' }),
});

/** A variable that a pipeline was started with. */
export const pipelineVariable = serializer<PlainVariable>('PipelineVariable', {
  key: out.text((variable) => variable.key),
  variable_type: out.text((variable) => variable.variable_type, { enum: ['env_var', 'file'] }),
  value: out.text((variable) => variable.value, { secret: true }),
  raw: out.boolean((variable) => variable.raw),
});

/** An input that a pipeline was started with. */
export const pipelineInput = serializer<PipelineInput>('PipelineInput', {
  name: out.text((input) => input.name),
  value: out.any(
    (input) => input.value,
    { description: 'Value of the input: a string, array, number or boolean.' },
    { secret: true },
  ),
});
