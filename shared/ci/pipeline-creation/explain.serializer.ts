import { out, serializer } from '../../core/operations/serializer.js';
import type { ExcludedJob } from '../configuration/compile.types.js';
import type { Problem } from '../configuration-model/configuration.types.js';
import type { JobReasons, PipelineReasons, StoredExplanation } from './explanation.js';

const rules = { type: 'array', items: { type: 'object' } } as const;

const explainedConfiguration = serializer<StoredExplanation['configuration']>('ExplainedConfiguration', {
  path: out.text(({ path }) => path),
  blob_id: out.nullableText(({ blob_id }) => blob_id),
});

const explainedInclude = serializer<StoredExplanation['includes'][number]>('ExplainedInclude', {
  type: out.text(({ type }) => type, { enum: ['local', 'file', 'remote'] }),
  location: out.text(({ location }) => location),
  blob: out.nullableText(({ blob }) => blob),
});

const explainedVariable = serializer<StoredExplanation['variables'][number]>('ExplainedVariable', {
  key: out.text(({ key }) => key),
  from: out.text(({ from }) => from, { enum: ['pipeline', 'project', 'group', 'instance'] }),
});

const explainedJob = serializer<StoredExplanation['jobs'][number]>('ExplainedJob', {
  name: out.text(({ name }) => name),
  explanation: out.any(({ explanation }) => explanation, {
    description: 'Rules of the job, and what each of them came to.',
    ...rules,
  }),
});

const explainedExclusion = serializer<ExcludedJob>('ExplainedExclusion', {
  name: out.text(({ name }) => name),
  why: out.text(({ why }) => why, { description: 'Reason that the job is not in the pipeline.' }),
  explanation: out.any(({ explanation }) => explanation, {
    description: 'Rules of the job, and what each of them came to.',
    ...rules,
  }),
});

const explainedProblem = serializer<Problem>('ExplainedProblem', {
  message: out.text(({ message }) => message),
  file: out.nullableText(({ file }) => file ?? null, {
    description: 'Location of an included file; null for the file itself.',
  }),
  line: out.nullableInteger(({ position }) => position?.line ?? null),
  column: out.nullableInteger(({ position }) => position?.column ?? null),
});

const shortened = {
  description: 'If `true`, rules were left out, because the whole explanation was too long to be kept.',
} as const;

/** Why a pipeline has its jobs. */
export const pipelineReasons = serializer<PipelineReasons>('PipelineExplanation', {
  pipeline_id: out.integer(({ pipeline_id }) => pipeline_id),
  configuration: out.record(explainedConfiguration, ({ configuration }) => configuration),
  includes: out.records(explainedInclude, ({ includes }) => includes),
  variables: out.records(explainedVariable, ({ variables }) => variables, {
    description: 'Variables that the rules saw, without their values.',
  }),
  workflow: out.any(({ workflow }) => workflow, {
    description: 'Rules of `workflow`, and what each of them came to.',
    ...rules,
  }),
  jobs: out.records(explainedJob, ({ jobs }) => jobs),
  excluded: out.records(explainedExclusion, ({ excluded }) => excluded),
  errors: out.records(explainedProblem, ({ errors }) => errors),
  warnings: out.records(explainedProblem, ({ warnings }) => warnings),
  shortened: out.boolean((reasons) => reasons.shortened, shortened),
});

/** Why a job is in its pipeline. */
export const jobReasons = serializer<JobReasons>('JobExplanation', {
  job_id: out.integer(({ job_id }) => job_id),
  pipeline_id: out.integer(({ pipeline_id }) => pipeline_id),
  name: out.text(({ name }) => name),
  explanation: out.any(({ explanation }) => explanation, {
    description: 'Rules of the job, and what each of them came to.',
    ...rules,
  }),
  shortened: out.boolean((reasons) => reasons.shortened, shortened),
});
