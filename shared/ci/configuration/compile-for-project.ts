import { countKey } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { listChangedFiles, mergeBase, RevisionNotFound } from '../../git/index.js';
import { loadCommitSha } from '../../repositories/repositories/commit-of.js';
import { isTagRef, shortRef } from '../../repositories/repositories/repository-ref.finder.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { rejectCompareTo, RuleSourceError } from '../rules/rule-errors.js';
import { readCommitOnce } from './commit-reads.js';
import { compileApart } from './compile-thread.js';
import type { Compilation, CompileRequest, DataAnswer, DataRequest, PresetVariable } from './compile.types.js';
import { getPredefinedVariables } from './predefined-variables.js';
import { IncludedFiles } from './read-included-files.js';

/** Changed files that rules are compared with; more count as changed. */
const MAX_CHANGED = 50_000;
const NEEDS_LIMIT = 50;

/** A pipeline as it would be, with its configuration. */
export interface PipelineDraft {
  project: ProjectRecord;
  /** Full: `refs/heads/main`. */
  ref: string;
  /** The commit; empty for a project without any. */
  sha: string;
  source: string;
  /** Of the configuration. */
  text: string;
  /** Of the configuration in git, if it lies there. */
  blob_id?: string | null;
  /** Of the project's setting; empty for the default one. */
  configPath: string;
  inputs: Record<string, unknown>;
  variables: Record<string, PresetVariable>;
  /** Whether a rule protects the ref. */
  isProtected: boolean;
  /** Where the branch was before a push moved it; without it no rule knows what changed. */
  beforeSha?: string | null;
}

interface CompileMode {
  /** Whether rules are evaluated; without it every job is in the result. */
  evaluatesRules: boolean;
  /** Whether the merged file is wanted as YAML. */
  merged: boolean;
}

async function createRequest(ctx: Context, draft: PipelineDraft, mode: CompileMode): Promise<CompileRequest> {
  const {
    project,
    ref,
    sha,
    source,
    text,
    blob_id: blobId = null,
    configPath,
    inputs,
    variables,
    beforeSha = null,
  } = draft;
  const commit = sha === '' ? null : await readCommitOnce(ctx, project, sha);
  const user = ctx.caller.anonymous ? null : ctx.caller.user;
  const outline = { project, ref, commit, source, user, configPath, isProtected: draft.isProtected, beforeSha };
  return {
    text,
    blob_id: blobId,
    location: configPath === '' ? '.gitlab-ci.yml' : configPath,
    origin: { project: project.full_path, sha },
    inputs,
    ref: shortRef(ref),
    isTag: isTagRef(ref),
    source,
    projectPath: project.full_path,
    variables,
    predefined: getPredefinedVariables(ctx, outline),
    limits: { needs: NEEDS_LIMIT, pipelineSize: ctx.settings.ci_pipeline_size },
    ...mode,
  };
}

/** What a push changed; null where what was there before is gone. */
async function listPushed(ctx: Context, project: ProjectRecord, from: string, to: string): Promise<string[] | null> {
  try {
    return await listChangedFiles(openRepository(ctx, project), { from, to }, MAX_CHANGED);
  } catch (error) {
    if (error instanceof RevisionNotFound) return null;
    throw error;
  }
}

/** Answers what the thread asks of repositories and of other services. */
function createFetcher(
  ctx: Context,
  { project, sha, beforeSha = null }: PipelineDraft,
): (request: DataRequest) => Promise<DataAnswer> {
  const files = new IncludedFiles(ctx, project, sha);
  const listChanged = async (compareTo: string | null): Promise<string[] | null> => {
    if (compareTo === null) return beforeSha === null ? null : listPushed(ctx, project, beforeSha, sha);
    const other = sha === '' ? null : await loadCommitSha(ctx, project, compareTo);
    if (other === null) throw rejectCompareTo();
    const repository = openRepository(ctx, project);
    const from = (await mergeBase(repository, other, sha)) ?? other;
    return listChangedFiles(repository, { from, to: sha }, MAX_CHANGED);
  };
  return async (request) => {
    if (request.kind === 'include') return { kind: 'include', answer: await files.read(request.request) };
    try {
      const paths =
        request.kind === 'changed'
          ? await listChanged(request.compareTo)
          : await files.listPaths(
              request.project ?? project.full_path,
              request.ref ?? (request.project ? 'HEAD' : sha),
            );
      return { kind: 'paths', paths };
    } catch (error) {
      if (error instanceof RuleSourceError) return { kind: 'rejected', message: error.message };
      throw error;
    }
  };
}

/**
 * Compiles a configuration as the caller's pipeline, on a thread of its own.
 * @throws Overloaded when too many wait, ClientGone
 */
export async function compileForProject(ctx: Context, draft: PipelineDraft, mode: CompileMode): Promise<Compilation> {
  const request = await createRequest(ctx, draft, mode);
  const owner = countKey(ctx.caller, ctx.origin.ip);
  return compileApart(request, () => createFetcher(ctx, draft), { owner, signal: ctx.signal });
}
