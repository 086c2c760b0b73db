import type { Context } from '../../core/context/context.js';
import { JOB_USERNAME } from './basic-job-tokens.js';
import { RUNNER_FAILURE_REASONS } from './failure-reasons.js';
import type { RunnerPayload } from './job-payload.types.js';
import { loadJobVariableList } from './job-variable-list.js';
import { loadHandedJob } from './load-handed-job.js';
import type { HandedJob } from './load-handed-job.js';
import { loadCaches } from './payload-caches.js';
import { getGitInfo, getHooks, getImage, getService, getSteps } from './payload-parts.js';
import { getCloneUrl } from './predefined-job-variables.js';

/** What a hand-out decided. */
export interface HandedOut {
  readonly job_id: number;
  /** The token of the job. */
  readonly token: string;
  /** Seconds that it may run. */
  readonly timeout: number;
  readonly queued_at: Date;
  readonly handed_out_at: Date;
  /** Jobs of its project on instance runners before this one; null where the runner is none. */
  readonly project_running: number | null;
}

/** More jobs than these are not told apart. */
const COUNTED = 5;
/** The one organization of the service. */
const ORGANIZATION = 1;

/** Jobs of the project that run on instance runners, as runners expect the count. */
function formatRunning(count: number | null): string {
  if (count === null) return '+Inf';
  return count >= COUNTED ? `${COUNTED}+` : String(count);
}

function getJobInfo(ctx: Context, handed: HandedJob, handedOut: HandedOut): RunnerPayload['job_info'] {
  const { project, pipeline } = handed;
  const { namespace } = project;
  const waited = handedOut.handed_out_at.getTime() - handedOut.queued_at.getTime();
  return {
    name: handed.name,
    stage: handed.stage,
    pipeline_id: pipeline.id,
    project_id: project.id,
    project_name: project.path,
    project_full_path: project.full_path,
    namespace_id: namespace.id,
    root_namespace_id: namespace.traversal_ids[0] ?? namespace.id,
    organization_id: ORGANIZATION,
    instance_id: ctx.services.keys.fingerprint,
    instance_uuid: ctx.services.keys.fingerprint,
    user_id: handed.user?.id ?? 0,
    scoped_user_id: null,
    time_in_queue_seconds: Math.max(waited, 0) / 1000,
    project_jobs_running_on_instance_runners_count: formatRunning(handedOut.project_running),
    queue_size: handed.queue_size,
    queue_depth: 0,
  };
}

/**
 * What a runner is sent with a job that it was given (ci-execution.md 10 and 22). Artifacts are left out as long as
 * nothing takes them: a runner would fail the job over its upload.
 * @throws NotHandedOut if the job, or what it consists of, is gone; Error if something of it cannot be decrypted
 */
export async function buildJobPayload(ctx: Context, handedOut: HandedOut): Promise<RunnerPayload> {
  const { job_id: id, token, timeout } = handedOut;
  const handed = await loadHandedJob(ctx, id);
  const { definition, settings } = handed;
  const cloneUrl = getCloneUrl(ctx, handed, JOB_USERNAME, token);
  const [variables, cache] = await Promise.all([
    loadJobVariableList(ctx, handed, { token, cloneUrl }, timeout),
    loadCaches(ctx, handed),
  ]);
  const gitDepth = variables.find(({ key }) => key === 'GIT_DEPTH')?.value;
  return {
    id,
    token,
    allow_git_fetch: settings.build_git_strategy === 'fetch',
    inputs: [],
    credentials: [],
    job_info: getJobInfo(ctx, handed, handedOut),
    git_info: getGitInfo(handed, cloneUrl, gitDepth),
    runner_info: { timeout, uuid: '', runner_session_url: null },
    steps: getSteps(definition, timeout),
    hooks: getHooks(definition),
    image: definition.image && getImage(definition.image),
    services: definition.services.map(getService),
    artifacts: [],
    cache,
    dependencies: [],
    variables,
    features: {
      trace_sections: true,
      token_mask_prefixes: [ctx.settings.job_token_prefix].filter((prefix) => prefix !== ''),
      failure_reasons: [...RUNNER_FAILURE_REASONS],
    },
  };
}
