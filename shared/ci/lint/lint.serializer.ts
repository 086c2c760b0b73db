import { out, serializer } from '../../core/operations/serializer.js';
import type { CompiledJob, Compilation, ExcludedJob } from '../configuration/compile.types.js';
import type { LintProblem } from './describe-problems.js';
import type { IncludedFile } from '../configuration-files/expand-includes.js';

/** A configuration that was checked. */
export interface LintResult {
  valid: boolean;
  errors: string[];
  warnings: string[];
  problems: LintProblem[];
  compilation: Compilation;
  include_jobs: boolean;
}

export const lintProblem = serializer<LintProblem>('LintProblem', {
  severity: out.text(({ severity }) => severity, { enum: ['error', 'warning'] }),
  message: out.text(({ message }) => message),
  file: out.nullableText(({ file }) => file, {
    description: 'Location of an included file; null for the file itself.',
  }),
  line: out.nullableInteger(({ position }) => position?.line ?? null),
  column: out.nullableInteger(({ position }) => position?.column ?? null),
});

const lintInclude = serializer<IncludedFile>('LintInclude', {
  type: out.text(({ type }) => type, { enum: ['local', 'file', 'remote'] }),
  location: out.text(({ location }) => location),
  blob: out.nullableText(({ blob }) => blob),
  raw: out.nullableText(({ raw }) => raw),
  extra: out.any(({ extra }) => extra, { type: 'object' }),
  context_project: out.nullableText(({ context_project }) => context_project),
  context_sha: out.nullableText(({ context_sha }) => context_sha),
});

const explanation = { type: 'array', items: { type: 'object' } } as const;

export const lintJob = serializer<CompiledJob>('LintJob', {
  name: out.text(({ name }) => name),
  stage: out.text(({ stage }) => stage),
  before_script: out.texts(({ before_script }) => before_script),
  script: out.texts(({ script }) => script),
  after_script: out.texts(({ after_script }) => after_script),
  tag_list: out.texts(({ tags }) => tags),
  only: out.any(({ only }) => only, { type: ['object', 'null'] }),
  except: out.any(({ except }) => except, { type: ['object', 'null'] }),
  environment: out.nullableText(({ environment }) => environment?.name ?? null),
  when: out.text(({ when }) => when),
  allow_failure: out.boolean(({ allow_failure }) => allow_failure !== false),
  needs: out.any(
    ({ needs }) => needs?.map(({ job, artifacts, optional }) => ({ name: job, artifacts, optional })) ?? null,
    { type: ['array', 'null'], items: { type: 'object' } },
  ),
  explanation: out.any(({ explanation: rules }) => rules, {
    description: 'Rules of the job, and what each of them came to.',
    ...explanation,
  }),
});

export const lintExclusion = serializer<ExcludedJob>('LintExclusion', {
  name: out.text(({ name }) => name),
  why: out.text(({ why }) => why, { description: 'Reason that the job is not in the pipeline.' }),
  explanation: out.any(({ explanation: rules }) => rules, {
    description: 'Rules of the job, and what each of them came to.',
    ...explanation,
  }),
});

/** The result of a check of a CI/CD configuration. */
export const lintSerializer = serializer<LintResult>('Lint', {
  valid: out.boolean(({ valid }) => valid, { description: 'If `true`, the configuration is valid.' }),
  errors: out.texts(({ errors }) => errors),
  warnings: out.texts(({ warnings }) => warnings),
  merged_yaml: out.nullableText(({ compilation }) => compilation.merged_yaml, {
    description: 'Configuration with everything that it includes, as YAML.',
  }),
  includes: out.records(lintInclude, ({ compilation }) => compilation.includes),
  jobs: out.records(lintJob, ({ compilation, include_jobs }) => (include_jobs ? compilation.jobs : undefined), {
    description: 'Jobs of the pipeline, with `include_jobs`.',
    optional: true,
  }),
  stages: out.texts(({ compilation }) => compilation.stages, {
    description: 'Stages of the configuration, in their order.',
  }),
  problems: out.records(lintProblem, ({ problems }) => problems),
  excluded: out.records(lintExclusion, ({ compilation }) => compilation.excluded),
  workflow_explanation: out.any(({ compilation }) => compilation.workflow_explanation, {
    description: 'Rules of `workflow`, and what each of them came to.',
    ...explanation,
  }),
});
