import { createHash } from 'node:crypto';
import type { Context } from '../../core/context/context.js';
import { getExternalUrl } from '../../core/network/external-url.js';
import { formatSlug, getPredefinedVariables } from '../configuration/predefined-variables.js';
import type { EnvironmentConfig } from '../configuration-model/configuration.types.js';
import type { Runner } from '../runners/runner.entity.js';
import type { HandedJob } from './load-handed-job.js';

const SSH_PORT = '22';
const MAX_SLUG = 24;
const MAX_BEFORE_SUFFIX = 17;
const SUFFIX_LENGTH = 6;

/** The page of something of a project. */
const getPage = (ctx: Context, { project }: HandedJob, path: string): string =>
  `${getExternalUrl(ctx.config).href.replace(/\/$/, '')}/${project.full_path}/-/${path}`;

/** Where the code of a job is cloned from, with its token as the password. */
export function getCloneUrl(ctx: Context, { project }: HandedJob, username: string, token: string): string {
  const url = new URL(`${getExternalUrl(ctx.config).href.replace(/\/$/, '')}/${project.full_path}.git`);
  url.username = username;
  url.password = token;
  return url.href;
}

function getPipelineVariables(ctx: Context, handed: HandedJob): Record<string, string> {
  const { pipeline, schedule_description: description } = handed;
  return {
    CI_COMMIT_BEFORE_SHA: pipeline.before_sha,
    CI_PIPELINE_ID: String(pipeline.id),
    CI_PIPELINE_IID: String(pipeline.iid),
    CI_PIPELINE_URL: getPage(ctx, handed, `pipelines/${pipeline.id}`),
    CI_PIPELINE_CREATED_AT: pipeline.created_at.toISOString(),
    ...(pipeline.name ? { CI_PIPELINE_NAME: pipeline.name } : {}),
    ...(description !== null && { CI_PIPELINE_SCHEDULE_DESCRIPTION: description }),
  };
}

function getJobVariables(ctx: Context, handed: HandedJob, timeout: number): Record<string, string> {
  const { definition } = handed;
  return {
    CI_JOB_ID: String(handed.id),
    CI_JOB_NAME: handed.name,
    CI_JOB_NAME_SLUG: formatSlug(handed.name),
    CI_JOB_GROUP_NAME: definition.base_name,
    CI_JOB_STAGE: handed.stage,
    CI_JOB_STARTED_AT: (handed.started_at ?? ctx.clock.now()).toISOString(),
    CI_JOB_URL: getPage(ctx, handed, `jobs/${handed.id}`),
    CI_JOB_TIMEOUT: String(timeout),
    CI_NODE_TOTAL: '1',
    ...(definition.image && { CI_JOB_IMAGE: definition.image.name }),
    ...(handed.when === 'manual' && { CI_JOB_MANUAL: 'true' }),
  };
}

/** Tags as a list that shells and programs can tell apart. */
const formatTags = (tags: readonly string[]): string => `[${tags.map((tag) => JSON.stringify(tag)).join(', ')}]`;

const getRunnerVariables = ({ id, description, tag_list: tags }: Runner): Record<string, string> => ({
  CI_RUNNER_ID: String(id),
  CI_RUNNER_DESCRIPTION: description ?? '',
  CI_RUNNER_TAGS: formatTags(tags),
});

/** A name for use in host names: of a name that cannot stand there itself, with a suffix that belongs to it. */
function formatEnvironmentSlug(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z\d]/g, '-');
  const begun = /^[a-z]/.test(plain) ? plain : `env-${plain}`;
  const slug = begun.replaceAll(/-+/g, '-').slice(0, MAX_SLUG).replace(/-$/, '');
  if (slug === name) return slug;
  const digest = BigInt(`0x${createHash('sha256').update(name).digest('hex')}`);
  return `${slug.slice(0, MAX_BEFORE_SUFFIX).replace(/-$/, '')}-${digest.toString(36).slice(-SUFFIX_LENGTH)}`;
}

/** Of the environment that a job names; its URL may refer to other variables. */
export const getEnvironmentVariables = (environment: EnvironmentConfig): Record<string, string> => ({
  CI_ENVIRONMENT_NAME: environment.name,
  CI_ENVIRONMENT_SLUG: formatEnvironmentSlug(environment.name),
  CI_ENVIRONMENT_ACTION: environment.action,
  ...(environment.deployment_tier !== undefined && { CI_ENVIRONMENT_TIER: environment.deployment_tier }),
});

/** The predefined variables of a job that a runner has, without its token (ci-execution.md section 7). */
export function getPredefinedJobVariables(ctx: Context, handed: HandedJob, timeout: number): Record<string, string> {
  const { pipeline, project, commit, settings, user, runner } = handed;
  const { hostname } = getExternalUrl(ctx.config);
  return {
    ...getPredefinedVariables(ctx, {
      project,
      ref: `refs/${pipeline.tag ? 'tags' : 'heads'}/${pipeline.ref}`,
      isProtected: handed.protected,
      commit,
      source: pipeline.source,
      user,
      configPath: settings.ci_config_path ?? '',
      beforeSha: pipeline.before_sha,
    }),
    CI_SERVER_SHELL_SSH_HOST: hostname,
    CI_SERVER_SHELL_SSH_PORT: SSH_PORT,
    ...(user && { GITLAB_USER_EMAIL: user.email }),
    ...getPipelineVariables(ctx, handed),
    ...getJobVariables(ctx, handed, timeout),
    ...(runner && getRunnerVariables(runner)),
  };
}
