import type { Context } from '../../core/context/context.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { readCommitOnce } from '../configuration/commit-reads.js';
import { compileForProject } from '../configuration/compile-for-project.js';
import { FILTERED_TEXTS } from '../configuration/compile.types.js';
import type { Compilation } from '../configuration/compile.types.js';
import { readUsedConfiguration } from '../configuration/configuration-source.js';
import type { PlainVariable } from '../pipelines/insert-pipelines.js';
import { isProtectedRef, loadPresetVariables } from './preset-variables.js';
import type { LeveledVariable } from './preset-variables.js';

/** Sources of pipelines that are made here, as `CI_PIPELINE_SOURCE` has them. */
type PipelineSource = 'api' | 'web' | 'push' | 'schedule';

/** A pipeline that is wanted, for the caller. */
export interface PipelineRequest {
  project: ProjectRecord;
  /** Full: `refs/heads/main`. */
  ref: string;
  sha: string;
  source: PipelineSource;
  /** Its own, which win over all others. */
  variables: readonly PlainVariable[];
  inputs: Record<string, unknown>;
  pipeline_schedule_id: number | null;
  /** Where the branch was before a push moved it. */
  before_sha?: string | null;
}

/** The configuration that a pipeline is made from. */
export interface PlannedConfiguration {
  /** The project's setting; empty for the default path. */
  path: string;
  blob_id: string | null;
  compilation: Compilation;
  variables: Record<string, LeveledVariable>;
  isProtected: boolean;
}

/**
 * What a request comes to. `record`: outside executors report its jobs; `config`: its configuration says them;
 * `failed`: the configuration cannot be used; `filtered`: it has no job for such a pipeline; `skipped`: the message of
 * the commit asks for no jobs.
 */
export type PipelinePlan =
  | { kind: 'record' }
  | { kind: 'skipped' }
  | { kind: 'config'; configuration: PlannedConfiguration }
  | { kind: 'failed'; text: string; reason: FailureReason; configuration: PlannedConfiguration | null }
  | { kind: 'filtered'; text: string };

type FailureReason = 'config_error' | 'size_limit_exceeded';

/** Of an error that a pipeline or a run repeats; its explanation has the whole one. */
const MAX_ERROR = 2000;
const SKIP_MARK = /\[(ci[ _-]skip|skip[ _-]ci)\]/i;

/** Whether the message of a commit asks for no pipeline, which only pushes heed. */
async function hasSkipMark(ctx: Context, { project, sha }: PipelineRequest): Promise<boolean> {
  const commit = await readCommitOnce(ctx, project, sha);
  return commit !== null && SKIP_MARK.test(commit.message);
}

/**
 * Reads and compiles the configuration of a wanted pipeline, as the caller (ci-execution.md section 2). Call it outside
 * a transaction: it takes git processes and a thread. Whether the caller may run a pipeline there is checked before.
 * @param skips whether the push itself asked for no jobs
 * @throws Overloaded when too many configurations wait, ClientGone
 */
export async function planPipeline(ctx: Context, request: PipelineRequest, skips = false): Promise<PipelinePlan> {
  const { project, ref, sha, source, inputs, before_sha: beforeSha = null } = request;
  const { text, error, blob_id, configPath } = await readUsedConfiguration(ctx, project, sha);
  if (error !== null) return { kind: 'failed', text: cutError(error), reason: 'config_error', configuration: null };
  if (text === null) return { kind: 'record' };
  if (source === 'push' && (skips || (await hasSkipMark(ctx, request)))) return { kind: 'skipped' };
  const isProtected = await isProtectedRef(ctx, project, ref);
  const hides = { masked: false, secret: true };
  const variables = await loadPresetVariables(ctx, project, { ref, isProtected }, request.variables, hides);
  const draft = { project, ref, sha, source, text, blob_id, configPath, inputs, variables, isProtected, beforeSha };
  const compilation = await compileForProject(ctx, draft, { evaluatesRules: true, merged: false });
  return judge({ path: configPath, blob_id, compilation, variables, isProtected });
}

const cutError = (text: string): string =>
  text.length > MAX_ERROR ? `${text.slice(0, MAX_ERROR - 1).toWellFormed()}…` : text;

function judge(configuration: PlannedConfiguration): PipelinePlan {
  const { errors, filtered } = configuration.compilation;
  const [first] = errors;
  if (first) {
    const reason = first.message.startsWith('The number of jobs has exceeded') ? 'size_limit_exceeded' : 'config_error';
    return { kind: 'failed', text: cutError(first.message), reason, configuration };
  }
  if (filtered) return { kind: 'filtered', text: FILTERED_TEXTS[filtered] };
  return { kind: 'config', configuration };
}
