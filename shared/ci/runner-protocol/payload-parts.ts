import type { ImageConfig, ServiceConfig } from '../configuration-model/configuration.types.js';
import type { StoredDefinition } from '../processing/job-definition.js';
import { pipelineRefName } from '../pipelines/pipeline-refs.js';
import type { RunnerPayload, PayloadGitInfo, PayloadImage, PayloadService, PayloadStep } from './job-payload.types.js';
import { fromConfiguration } from './job-variable-list.js';
import type { HandedJob } from './load-handed-job.js';

/** What a job runs: `after_script` whatever becomes of the rest. */
export function getSteps(definition: StoredDefinition, timeout: number): PayloadStep[] {
  const { before_script: before, script, after_script: after } = definition;
  const main: PayloadStep = {
    name: 'script',
    script: [...before, ...script],
    timeout,
    when: 'on_success',
    allow_failure: false,
  };
  if (after.length === 0) return [main];
  return [main, { name: 'after_script', script: after, timeout, when: 'always', allow_failure: true }];
}

export function getHooks({ hooks }: StoredDefinition): RunnerPayload['hooks'] {
  const { pre_get_sources_script: script } = hooks;
  return script.length === 0 ? [] : [{ name: 'pre_get_sources_script', script }];
}

export function getImage(image: ImageConfig): PayloadImage {
  const { name, entrypoint, pull_policy: policy, docker, kubernetes } = image;
  const { platform, user } = docker ?? {};
  return {
    name,
    entrypoint: entrypoint ?? null,
    pull_policy: policy ?? [],
    // Only what runners know: any other key fails the job.
    executor_opts: {
      ...(docker && { docker: { ...(platform !== undefined && { platform }), ...(user !== undefined && { user }) } }),
      ...(kubernetes?.user !== undefined && { kubernetes: { user: kubernetes.user } }),
    },
  };
}

export const getService = (service: ServiceConfig): PayloadService => ({
  ...getImage(service),
  alias: service.alias ?? null,
  command: service.command ?? null,
  variables: fromConfiguration(service.variables ?? {}),
});

/** How many commits are fetched: as the variable says, in whatever way it is set, else as the project does. */
function readDepth(variable: string | undefined, fallback: number): number {
  if (variable === undefined) return fallback;
  const depth = Number.parseInt(variable, 10);
  return Number.isSafeInteger(depth) && depth > 0 ? depth : 0;
}

/** What a job fetches. @param gitDepth the value of `GIT_DEPTH`, if it is set */
export function getGitInfo(handed: HandedJob, cloneUrl: string, gitDepth: string | undefined): PayloadGitInfo {
  const { pipeline, settings } = handed;
  const { id, ref, tag, sha } = pipeline;
  const depth = readDepth(gitDepth, settings.ci_default_git_depth ?? 0);
  const one = tag ? `+refs/tags/${ref}:refs/tags/${ref}` : `+refs/heads/${ref}:refs/remotes/origin/${ref}`;
  const all = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'];
  return {
    repo_url: cloneUrl,
    repo_object_format: sha.length === 40 ? 'sha1' : 'sha256',
    ref,
    sha,
    before_sha: pipeline.before_sha,
    ref_type: tag ? 'tag' : 'branch',
    refspecs: [`+${pipelineRefName(id)}:${pipelineRefName(id)}`, ...(depth > 0 ? [one] : all)],
    depth,
    protected: handed.protected,
  };
}
