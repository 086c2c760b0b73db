import type { Commit } from '../../git/index.js';
import type { CallerUser } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { getExternalUrl } from '../../core/network/external-url.js';
import { SERVICE_NAME } from '../../core/values/version.js';
import { isTagRef, shortRef } from '../../repositories/repositories/repository-ref.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';

const MAX_SLUG = 63;
const SHORT_SHA = 8;

/** A name as it may stand in a host name: lower case, at most 63 characters, hyphens for all others. */
export function formatSlug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '-')
    .slice(0, MAX_SLUG)
    .replaceAll(/^-+|-+$/g, '');
}

/** The pipeline that variables are for, as far as it is known before it exists. */
export interface PipelineOutline {
  project: ProjectRecord;
  /** Full: `refs/heads/main`. */
  ref: string;
  /** Whether a rule protects the ref. */
  isProtected: boolean;
  /** null for a project without any. */
  commit: Commit | null;
  /** As in `CI_PIPELINE_SOURCE`. */
  source: string;
  user: Pick<CallerUser, 'id' | 'name' | 'username'> | null;
  /** Of the project; empty for the default one. */
  configPath: string;
  /** Where the branch was before the push; null for any other pipeline. */
  beforeSha: string | null;
}

function getServerVariables(ctx: Context): Record<string, string> {
  const url = getExternalUrl(ctx.config);
  const base = url.href.replace(/\/$/, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const [major = '', minor = '', patch = ''] = ctx.config.apiVersion.split('.');
  return {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_API_V4_URL: `${base}/api/v4`,
    CI_API_GRAPHQL_URL: `${base}/api/graphql`,
    CI_SERVER: 'yes',
    CI_SERVER_URL: base,
    CI_SERVER_HOST: url.hostname,
    CI_SERVER_PORT: port,
    CI_SERVER_PROTOCOL: url.protocol.replace(':', ''),
    CI_SERVER_FQDN: url.host,
    CI_SERVER_NAME: SERVICE_NAME,
    CI_SERVER_VERSION: ctx.config.apiVersion,
    CI_SERVER_VERSION_MAJOR: major,
    CI_SERVER_VERSION_MINOR: minor,
    CI_SERVER_VERSION_PATCH: patch,
    CI_SERVER_REVISION: ctx.config.revision,
  };
}

function getProjectVariables(ctx: Context, project: ProjectRecord, configPath: string): Record<string, string> {
  const base = getExternalUrl(ctx.config).href.replace(/\/$/, '');
  const [root = ''] = project.full_path.split('/');
  return {
    CI_PROJECT_ID: String(project.id),
    CI_PROJECT_NAME: project.path,
    CI_PROJECT_TITLE: project.name,
    CI_PROJECT_DESCRIPTION: project.description ?? '',
    CI_PROJECT_PATH: project.full_path,
    CI_PROJECT_PATH_SLUG: formatSlug(project.full_path),
    CI_PROJECT_NAMESPACE: project.namespace.full_path,
    CI_PROJECT_NAMESPACE_ID: String(project.namespace.id),
    CI_PROJECT_ROOT_NAMESPACE: root,
    CI_PROJECT_URL: `${base}/${project.full_path}`,
    CI_PROJECT_VISIBILITY: project.visibility,
    CI_CONFIG_PATH: configPath === '' ? '.gitlab-ci.yml' : configPath,
    CI_DEFAULT_BRANCH: project.default_branch ?? '',
  };
}

function getRefVariables(ref: string, isProtected: boolean): Record<string, string> {
  const name = shortRef(ref);
  return {
    CI_COMMIT_REF_NAME: name,
    CI_COMMIT_REF_SLUG: formatSlug(name),
    CI_COMMIT_REF_PROTECTED: String(isProtected),
    ...(isTagRef(ref) ? { CI_COMMIT_TAG: name } : { CI_COMMIT_BRANCH: name }),
  };
}

function getCommitVariables(commit: Commit, beforeSha: string | null): Record<string, string> {
  const [, ...rest] = commit.message.trimEnd().split('\n');
  return {
    CI_COMMIT_SHA: commit.sha,
    CI_COMMIT_SHORT_SHA: commit.sha.slice(0, SHORT_SHA),
    CI_COMMIT_BEFORE_SHA: beforeSha ?? '0'.repeat(commit.sha.length),
    CI_COMMIT_TITLE: commit.title,
    CI_COMMIT_MESSAGE: commit.message,
    CI_COMMIT_DESCRIPTION: rest.join('\n').trim(),
    CI_COMMIT_AUTHOR: `${commit.author_name} <${commit.author_email}>`,
    CI_COMMIT_TIMESTAMP: commit.committed_date,
  };
}

/**
 * The predefined variables of a pipeline that are known before it exists (ci-execution.md section 7), for rules and
 * includes. Those of jobs, of runners and of the pipeline's own record come later.
 */
export function getPredefinedVariables(ctx: Context, outline: PipelineOutline): Record<string, string> {
  const { project, ref, isProtected, commit, source, user, configPath } = outline;
  return {
    ...getServerVariables(ctx),
    ...getProjectVariables(ctx, project, configPath),
    ...getRefVariables(ref, isProtected),
    ...(commit && getCommitVariables(commit, outline.beforeSha)),
    CI_PIPELINE_SOURCE: source,
    ...(user && { GITLAB_USER_ID: String(user.id), GITLAB_USER_LOGIN: user.username, GITLAB_USER_NAME: user.name }),
  };
}
