import type { Context } from '../../core/context/context.js';
import { BadParams, NotFound } from '../../core/values/errors.js';
import { boolean, oneOf, optional, text, withDefault } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { loadCommitSha, requireCommit } from '../../repositories/repositories/commit-of.js';
import { expandRef } from '../../repositories/repositories/repository-ref.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { compileForProject } from '../configuration/compile-for-project.js';
import { FILTERED_TEXTS, rejectCompilation } from '../configuration/compile.types.js';
import type { Compilation } from '../configuration/compile.types.js';
import { loadConfigPath, readConfiguration } from '../configuration/configuration-source.js';
import type { ConfigurationSource } from '../configuration/configuration-source.js';
import { checkInputs, checkVariables, startParams } from '../pipelines/start-values.js';
import { describeProblems } from './describe-problems.js';
import type { LintResult } from './lint.serializer.js';
import { isProtectedRef, loadPresetVariables } from '../pipeline-creation/preset-variables.js';

const SOURCES = ['push', 'web', 'api', 'schedule', 'trigger', 'pipeline', 'merge_request_event'] as const;

const lintParams = {
  dry_run: withDefault(boolean(), false).describe('If `true`, evaluates rules as the creation of a pipeline would.'),
  include_jobs: withDefault(boolean(), false).describe('If `true`, returns the jobs as well.'),
  source: withDefault(oneOf(SOURCES), 'push').describe(
    'Source of the pipeline of a dry run, as in `CI_PIPELINE_SOURCE`.',
  ),
  ...startParams,
};

interface LintInput {
  dry_run: boolean;
  include_jobs: boolean;
  source: (typeof SOURCES)[number];
  variables?: { key: string; value: string }[] | undefined;
  inputs?: Record<string, unknown> | undefined;
}

/** A branch or tag by its short or full name. @throws BadParams */
async function requireRef(ctx: Context, found: ProjectRecord, name: string, ref: string): Promise<string> {
  const expansion = await expandRef(ctx, found.id, ref);
  if (expansion === 'ambiguous' || (await loadCommitSha(ctx, found, expansion.fullName)) === null)
    throw new BadParams([`${name} is not a branch or tag`]);
  return expansion.fullName;
}

const defaultRef = ({ default_branch }: ProjectRecord) => `refs/heads/${default_branch ?? 'main'}`;

/** @throws Invalid for names that are invalid in a shell, and for duplicate names */
function readVariables(variables: LintInput['variables'] = []) {
  const all = variables.map((variable) => ({ ...variable, variable_type: 'env_var' }));
  checkVariables(all);
  return all.map((variable) => ({ ...variable, raw: false }));
}

function describeResult(compilation: Compilation, { dry_run, include_jobs }: LintInput): LintResult {
  const { errors, warnings, filtered } = compilation;
  const all = dry_run && filtered ? [...errors, { message: FILTERED_TEXTS[filtered] }] : errors;
  return {
    valid: all.length === 0,
    errors: all.map(({ message }) => message),
    warnings: warnings.map(({ message }) => message),
    problems: describeProblems(all, warnings),
    compilation,
    include_jobs,
  };
}

/** Compiles a configuration at a commit, and describes what is wrong with it. */
async function lint(
  ctx: Context,
  found: ProjectRecord,
  { text: content, blob_id, error, configPath }: ConfigurationSource,
  { ref, sha }: { ref: string; sha: string },
  input: LintInput,
): Promise<LintResult> {
  const { inputs = {}, source, dry_run: evaluatesRules } = input;
  checkInputs(inputs);
  if (error !== null) return describeResult(rejectCompilation(error), input);
  const draft = { project: found, ref, sha, source, text: content ?? '', blob_id, configPath, inputs };
  const own = readVariables(input.variables);
  const isProtected = await isProtectedRef(ctx, found, ref);
  const variables = await loadPresetVariables(ctx, found, { ref, isProtected }, own, {
    masked: false,
    secret: false,
  });
  const mode = { evaluatesRules, merged: true };
  const compilation = await compileForProject(ctx, { ...draft, variables, isProtected }, mode);
  return describeResult(compilation, input);
}

/** Check a configuration as it would be in the project. The status is 200 for an invalid one too. */
export const lintContent = operation({
  name: 'lintContent',
  summary: 'Validate a CI/CD configuration',
  resource: project,
  can: can(projectPolicy, 'create_pipeline'),
  kind: 'read',
  scopes: ['api'],
  limit: 'ci_lint',
  statements: 12,
  params: {
    content: text()
      .describe('CI/CD configuration to check.')
      .meta({ examples: ['test:\n  script: npm test\n'] }),
    ref: optional(text()).describe('Branch or tag of the dry run; the default branch if omitted.'),
    ...lintParams,
  },
  async run(ctx, found, { content, ref, ...input }) {
    const fullRef = ref === undefined ? defaultRef(found) : await requireRef(ctx, found, 'ref', ref);
    const sha = (await loadCommitSha(ctx, found, fullRef)) ?? '';
    const configPath = await loadConfigPath(ctx, found);
    return lint(ctx, found, { text: content, error: null, configPath, blob_id: null }, { ref: fullRef, sha }, input);
  },
});

/** Check the configuration of the project at a commit. The status is 200 for an invalid one too. */
export const lintProject = operation({
  name: 'lintProject',
  summary: "Validate a project's CI/CD configuration",
  resource: project,
  can: can(projectPolicy, 'read_code'),
  authentication: 'open',
  kind: 'read',
  scopes: ['api', 'read_api'],
  limit: 'ci_lint',
  statements: 12,
  params: {
    content_ref: withDefault(text(), 'HEAD').describe('Branch, tag or commit whose configuration is checked.'),
    dry_run_ref: optional(text()).describe('Branch or tag of the dry run; the default branch if omitted.'),
    ref: optional(text()).describe('Earlier name of `dry_run_ref`.'),
    sha: optional(text()).describe('Earlier name of `content_ref`.'),
    ...lintParams,
  },
  async run(ctx, found, { content_ref, dry_run_ref, ref, sha, ...input }) {
    if (!found.repository_created) throw new NotFound('Repository');
    const commit = await requireCommit(ctx, found, sha ?? content_ref);
    const name = dry_run_ref ?? ref;
    const fullRef = name === undefined ? defaultRef(found) : await requireRef(ctx, found, 'dry_run_ref', name);
    return lint(ctx, found, await readConfiguration(ctx, found, commit), { ref: fullRef, sha: commit }, input);
  },
});
