import type { Context } from '../../core/context/context.js';
import { ProjectSettings } from '../../tenancy/projects/project-settings.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { FileRequest } from './compile.types.js';
import { IncludedFiles } from './read-included-files.js';

const DEFAULT_PATH = '.gitlab-ci.yml';
const MISSING_FILE = 'Missing CI config file';
const NONE = { text: null, error: null, blob_id: null };

/** A configuration of a project at a commit. */
export interface ConfigurationSource {
  /** Of the project's setting; empty for the default one. */
  configPath: string;
  /** null for a file that there is not, or that cannot be read. */
  text: string | null;
  /** Why there must be one, or why one that lies elsewhere cannot be read. */
  error: string | null;
  /** Of the file in git; null for a remote one. */
  blob_id: string | null;
}

/** The project's setting `ci_config_path`; empty for the default one. */
export async function loadConfigPath(ctx: Context, project: ProjectRecord): Promise<string> {
  const settings = await ctx.em.findOne(ProjectSettings, { project_id: project.id }, { fields: ['ci_config_path'] });
  return settings?.ci_config_path ?? '';
}

/** `dir/x.yml`, `x.yml@group/project:ref` or an address, as a request for a file. */
function requestFile(path: string, project: ProjectRecord, sha: string): FileRequest {
  const from = { project: project.full_path, sha };
  if (/^https?:\/\//.test(path)) return { kind: 'remote', url: path };
  const [, file, other, ref] = /^([^@]+)@([^:@]+)(?::(.+))?$/.exec(path) ?? [];
  if (file !== undefined && other !== undefined)
    return { kind: 'project', project: other, path: file, ...(ref !== undefined && { ref }), from };
  return { kind: 'local', path, from };
}

/** The path of a configuration in the project's own repository; null for one that lies elsewhere, or can be nowhere. */
export function ownConfigPath(configPath: string): string | null {
  const path = configPath === '' ? DEFAULT_PATH : configPath;
  return isUsable(path) && !/^https?:\/\//.test(path) && !path.includes('@') ? path : null;
}

const isUsable = (path: string) => !path.includes('\0') && !path.startsWith('-') && !path.split('/').includes('..');

/** The configuration of a project at a commit, by its setting (ci-execution.md section 2). */
export async function readConfiguration(
  ctx: Context,
  project: ProjectRecord,
  sha: string,
): Promise<ConfigurationSource> {
  return readConfigurationAt(ctx, project, sha, await loadConfigPath(ctx, project));
}

/**
 * The same as a pipeline uses it: none where outside executors report the jobs, and an error where there must be one
 * (ci-execution.md section 1).
 */
export async function readUsedConfiguration(
  ctx: Context,
  project: ProjectRecord,
  sha: string,
): Promise<ConfigurationSource> {
  const fields = ['ci_execution', 'ci_config_path'] as const;
  const settings = await ctx.em.findOne(ProjectSettings, { project_id: project.id }, { fields });
  const configPath = settings?.ci_config_path ?? '';
  if (settings?.ci_execution === 'external') return { configPath, ...NONE };
  const source = await readConfigurationAt(ctx, project, sha, configPath);
  const isMissing = source.text === null && source.error === null;
  return isMissing && settings?.ci_execution === 'required' ? { ...source, error: MISSING_FILE } : source;
}

async function readConfigurationAt(
  ctx: Context,
  project: ProjectRecord,
  sha: string,
  configPath: string,
): Promise<ConfigurationSource> {
  const path = configPath === '' ? DEFAULT_PATH : configPath;
  if (!isUsable(path)) return { configPath, ...NONE };
  const answer = await new IncludedFiles(ctx, project, sha).read(requestFile(path, project, sha));
  if ('error' in answer)
    return { configPath, text: null, error: ownConfigPath(configPath) === null ? answer.error : null, blob_id: null };
  const [file] = answer.files;
  return { configPath, text: file?.text ?? null, error: null, blob_id: file?.blob_id ?? null };
}
